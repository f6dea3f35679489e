import { formatMoney, parseMoney } from '../../core/values/money.ts';
import { type Button, pressButton } from '../cards/card.ts';
import type { Press, Services } from '../command.ts';
import { goneCard, refuse } from '../draft-buttons.ts';
import type { Answers } from '../forms/form.ts';
import { parkedForm } from '../forms/parked-form.ts';
import { partsFrom } from './charge-form.ts';
import type { ChargeParts } from './parse-charge-options.ts';

const VERB = 'reading';

type Reading = { readonly label: string; readonly answers: Answers };

/** What digits with a space between them can mean: one amount, or an amount and a reference. Empty for any other text. */
const readingsOf = (answers: Answers, currency: string): Reading[] => {
  const { amount = '', reference = '' } = answers;
  const [, first = '', rest = ''] = /^(\D*\d[\d.,]*) (\d[\d., ]*)$/u.exec(amount) ?? [];
  if (first === '') return [];
  return [
    { amount: amount.replaceAll(/(?<=\d) (?=\d)/g, ','), label: '' },
    { amount: first, label: `, reference ${rest}`, reference: `${rest} ${reference}`.trim() },
  ].flatMap(({ label, ...reading }) => {
    const read = parseMoney(reading.amount, currency);
    return read.ok
      ? [{ label: `${formatMoney(read.value)}${label}`, answers: { ...answers, ...reading } }]
      : [];
  });
};

/** A button for each meaning of an amount with a space in it; `id` is that of the parked form. */
export const readingButtons = (answers: Answers, currency: string, id: string): Button[] =>
  readingsOf(answers, currency).map(({ label }, at) => pressButton(label, VERB, `${id}.${at}`));

/** A pressed meaning: the charge goes on with it, to its own confirmation. */
export const readingPress = (
  services: Services,
  proceed: (parts: ChargeParts, context: Parameters<Press['run']>[1]) => Promise<void>,
): Readonly<Record<string, Press>> => ({
  [VERB]: {
    run: async (pressed, context) => {
      const { settings } = services;
      const [id = '', which = ''] = pressed.split('.');
      const parked = await parkedForm(services, id, context);
      if ('why' in parked) return refuse(parked, context);
      const reading = readingsOf(parked.answers, settings.currency)[Number(which)];
      const parts = reading && partsFrom(reading.answers, settings);
      if (!parts?.ok) return context.surface.refusePress(goneCard);
      const { replace } = context.surface;
      await proceed(parts.value, { ...context, surface: { ...context.surface, say: replace } });
    },
  },
});
