import type { Person } from '../values/conversation.ts';
import type { Money } from '../values/money.ts';

/** What a person wrote down with a payment. */
type Written = {
  /** Made of the event that wrote it down: delivered twice it counts once. */
  readonly id: string;
  readonly by: Person;
  readonly atMs: number;
};

/** Money of a payment that a person gave back to the customer by hand. The payment service has no part in it. */
export type GivenBack = Written & {
  /** In the currency of the payment, above 0. */
  readonly amountMinor: number;
  /** In the words of `by`; absent once the customer was forgotten. */
  readonly reason?: string;
  /** Present: it was above the limit of `by`. */
  readonly approver?: Person;
};

/** `note`: absent once the customer was forgotten. */
export type PaymentNote = Written & { readonly note?: string };

type Given = {
  readonly terms: { readonly amount: Money };
  readonly givenBack?: readonly GivenBack[];
};

/** The sum of what was given back of a payment, 0 for most. */
export const givenBackOf = ({ terms, givenBack = [] }: Given): Money => ({
  currency: terms.amount.currency,
  amountMinor: givenBack.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
});

/** What of a payment has not been given back: 0 unless it is completed. */
export const leftToGive = (payment: Given & { readonly state: string }): Money => {
  const { currency, amountMinor } = payment.terms.amount;
  const left = payment.state === 'completed' ? amountMinor - givenBackOf(payment).amountMinor : 0;
  return { currency, amountMinor: left };
};

/** What of it was given back without an approval: together with the next amount it has to stay within a limit, or amounts would be split. */
export const unapprovedOf = ({ terms, givenBack = [] }: Given): Money =>
  givenBackOf({ terms, givenBack: givenBack.filter(({ approver }) => approver === undefined) });
