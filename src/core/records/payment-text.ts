import { isPseudonym } from '../values/pseudonym.ts';
import { leftToGive } from './given-back.ts';
import type { Payment, PaymentState, PaymentText, TextKind } from './payment.ts';

const STATES: Readonly<Record<TextKind, readonly PaymentState[]>> = {
  receipt: ['completed'],
  reminder: ['pending'],
  link: ['pending'],
};

/** Whether a text of this kind says what is true of the payment as it is now, and has a number to go to. */
export const suits = (kind: TextKind, payment: Payment): boolean =>
  STATES[kind].includes(payment.state) &&
  payment.flag !== 'conflict' &&
  !isPseudonym(payment.terms.customerNumber) &&
  (kind !== 'link' || payment.checkoutUrl !== undefined) &&
  (kind !== 'receipt' || leftToGive(payment).amountMinor > 0);

/** The SMS of this kind that the payment had in its present state: there is one at most. */
export const textOf = (kind: TextKind, { texts = [], state }: Payment): PaymentText | undefined =>
  texts.find((text) => text.kind === kind && text.state === state);
