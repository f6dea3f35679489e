import type { Person } from '../values/conversation.ts';
import type { Money } from '../values/money.ts';

/** Money of a payment that a person gave back to the customer by hand. The payment service has no part in it. */
export type GivenBack = {
  /** Made of the event that wrote it down: delivered twice it counts once. */
  readonly id: string;
  /** In the currency of the payment, above 0. */
  readonly amountMinor: number;
  /** In the words of `by`; absent once the customer was forgotten. */
  readonly reason?: string;
  readonly by: Person;
  /** Present: it was above the limit of `by`. */
  readonly approver?: Person;
  readonly atMs: number;
};

/** What a person wrote about a payment. */
export type PaymentNote = {
  /** As of `GivenBack`. */
  readonly id: string;
  /** Absent once the customer was forgotten. */
  readonly note?: string;
  readonly by: Person;
  readonly atMs: number;
};

/** Of a payment. */
type Given = {
  readonly state: string;
  readonly terms: { readonly amount: Money };
  readonly givenBack?: readonly GivenBack[];
};

/** The sum of what was given back of a payment, 0 for most. */
export const givenBackOf = ({ terms, givenBack = [] }: Given): Money => ({
  currency: terms.amount.currency,
  amountMinor: givenBack.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
});

/** What of a payment has not been given back: 0 unless it is completed. */
export const leftToGive = (payment: Given): Money => {
  const { currency, amountMinor } = payment.terms.amount;
  const left = payment.state === 'completed' ? amountMinor - givenBackOf(payment).amountMinor : 0;
  return { currency, amountMinor: left };
};

/** What of it was given back without an approval: together with the next amount it has to stay within a limit, or amounts would be split. */
export const unapprovedOf = ({ terms, givenBack = [] }: Given): Money =>
  givenBackOf({
    state: 'completed',
    terms,
    givenBack: givenBack.filter(({ approver }) => approver === undefined),
  });
