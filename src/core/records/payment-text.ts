import { isPseudonym } from '../values/pseudonym.ts';
import type { Payment, PaymentState, PaymentText, TextKind } from './payment.ts';

const STATES: Readonly<Record<TextKind, readonly PaymentState[]>> = {
  receipt: ['completed'],
  reminder: ['pending'],
  link: ['pending'],
};

/** Whether an SMS of this kind says what is true of the payment as it is now. A forgotten customer has no number. */
export const suits = (kind: TextKind, { state, flag, terms, checkoutUrl }: Payment): boolean =>
  STATES[kind].includes(state) &&
  flag !== 'conflict' &&
  !isPseudonym(terms.customerNumber) &&
  (kind !== 'link' || checkoutUrl !== undefined);

/** The SMS of this kind that the payment had in its present state: there is one at most. */
export const textOf = (kind: TextKind, { texts = [], state }: Payment): PaymentText | undefined =>
  texts.find((text) => text.kind === kind && text.state === state);
