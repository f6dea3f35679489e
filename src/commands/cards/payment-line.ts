import type { Correction } from '../../core/records/closed-day.ts';
import { givenBackOf } from '../../core/records/given-back.ts';
import type { Payment } from '../../core/records/payment.ts';
import type { CalendarDay } from '../../core/values/calendar-day.ts';
import { type Moment, showInList } from '../../core/values/format-time.ts';
import { formatMoney } from '../../core/values/money.ts';
import type { ListItem } from './card.ts';
import { isLoud, signOf, signOfWord, stateWord } from './payment-words.ts';
import { type Audience, payerFor } from './visibility.ts';

/** `GHS 50.00 completed` */
export const amountAndState = ({ terms, state }: Pick<Payment, 'terms' | 'state'>): string =>
  `${formatMoney(terms.amount)} ${stateWord(state)}`;

/** How a list is read. `day`: its title names it, so its times do not. @default today */
export type ListView = {
  readonly moment: Moment;
  readonly audience: Audience;
  readonly day?: CalendarDay | undefined;
};

/** A payment in a list: `✅ GHS 800.00 · Kwesi B. · 21:52 · Ama`. What a person may have to look into is loud. */
export const paymentLine = (payment: Payment, { moment, audience, day }: ListView): ListItem => {
  const { terms, confirmedAtMs, requester } = payment;
  const given = givenBackOf(payment);
  const text = [
    `${signOf(payment)} ${formatMoney(terms.amount)}`,
    ...(given.amountMinor === 0 ? [] : [`${formatMoney(given)} given back`]),
    payerFor(audience, terms),
    showInList(confirmedAtMs, moment, day),
    requester.name,
  ].join(' · ');
  return isLoud(payment) ? { text, loud: true } : text;
};

/** A payment of a closed day that became another one: `❌ GHS 50.00 was completed, is failed` */
export const correctionText = ({ amount, before, after }: Omit<Correction, 'atMs'>): string =>
  `${signOfWord(after)} ${formatMoney(amount)} was ${before}, is ${after}`;
