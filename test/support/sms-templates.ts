import type { TextSettings } from '../../src/commands/sms/templates.ts';
import type { SmsSettings } from '../../src/commands/sms/text-buttons.ts';

const TEXTS = {
  receipt: 'Thank you {name}. {shop} received {amount} on {date}. Reference {reference}.',
  reminder: '{shop}: please approve {amount}.',
  link: '{shop}: pay {amount} here: {link}',
  ready: 'Your order is ready. {shop}',
};

/** The settings of a shop that has a template for every button. */
export const smsSettings = (texts: Partial<TextSettings> = {}): SmsSettings => ({
  senderIds: ['SHOP'],
  merchants: [],
  texts: {
    templates: new Map(Object.entries(TEXTS).map(([name, text]) => [name, { name, text }])),
    receipt: 'ask',
    shop: 'Adjoa Stores',
    ...texts,
  },
});
