import type { CommandSettings } from '../../src/commands/command.ts';
import type { TextSettings } from '../../src/commands/sms/templates.ts';

const TEXTS = {
  receipt: 'Thank you {name}. {shop} received {amount} on {date}. Reference {reference}.',
  reminder: '{shop}: please approve {amount}.',
  link: '{shop}: pay {amount} here: {link}',
  ready: 'Your order is ready. {shop}',
};

/** The settings of a shop that has a template for every button. */
export const smsSettings = (
  texts: Partial<TextSettings> = {},
): Pick<CommandSettings, 'senderIds' | 'texts'> => ({
  senderIds: ['SHOP'],
  texts: {
    templates: new Map(Object.entries(TEXTS).map(([name, text]) => [name, { name, text }])),
    receipt: 'ask',
    shop: 'Adjoa Stores',
    ...texts,
  },
});
