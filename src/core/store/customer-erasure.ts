import type { Payment } from '../records/payment.ts';
import type { AuditRow, Change, Kind, Put, Records } from '../records/records.ts';

/** Whose number it is, as it is stored, and what replaces it. */
export type Customer = { readonly number: string; readonly pseudonym: string };

/** Under this id the audit has a row for each time that customers were forgotten. */
export const FORGOTTEN_ID = 'forgotten';

/** An audit row whose detail is stored, and the position of both. */
export type DetailedRow = { readonly position: number; readonly row: AuditRow };

/** A payment and when it ended, which is what they are listed by. */
export type EndedPayment = { readonly endedMs: number; readonly payment: Payment };

/** The first so many of what ended before a time. */
export type EndedBefore = { readonly beforeMs: number; readonly limit: number };

/** What goes with the change that takes customers out of records. */
export type Erased = {
  /** Positions of the details that are deleted. */
  readonly details?: readonly number[];
  /** Whose stories are theirs under the pseudonym from now on. */
  readonly customer?: Customer;
  /** Stories whose details are deleted, unless they are payments, together with whom they were about. */
  readonly stories?: readonly string[];
};

/** What the erasure of customers reads from a store, and the one write that does it. */
export interface CustomerErasure {
  get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined>;
  /** Every record that may mention a customer; more than do. */
  records(customer: Customer): AsyncIterable<Put>;
  /** Stories about that customer alone: an SMS to several people is not theirs. */
  stories(customer: Customer): Promise<readonly string[]>;
  /** The detailed rows that may mention a customer, or belong to one of their stories; more than do. */
  detailsAbout(customer: Customer, stories: ReadonlySet<string>): AsyncIterable<DetailedRow>;
  /** The detailed rows of stories. */
  detailsIn(stories: Iterable<string>): AsyncIterable<DetailedRow>;
  /** Payments that ended before a time and still name a customer, in the order of their end. */
  endedPayments(
    page: EndedBefore & { readonly after?: EndedPayment },
  ): Promise<readonly EndedPayment[]>;
  /** Stories from before a time, of payments without a customer and of what is no record any more. */
  endedStories(page: EndedBefore): Promise<readonly string[]>;
  /** The records as they are now. `commit` answers `false` if they were changed meanwhile. */
  held(puts: readonly Put[]): Promise<readonly Put[]>;
  /** `false`: a record had another version than expected, and nothing was stored. */
  commit(change: Change, erased: Erased): Promise<boolean>;
}

/** Runs `work` in one transaction where the store has such: it is stored when `work` resolves, and undone when it rejects. */
export type InErasure = <T>(work: (store: CustomerErasure) => Promise<T>) => Promise<T>;
