import type { Draft } from '../records/draft.ts';
import type { Due, Queue } from '../records/due.ts';
import type { Payment, PaymentFilter, PaymentPage, PaymentTotals } from '../records/payment.ts';
import type { FigureGroup, FiguresAsked, PaymentFigure } from '../records/payment-figures.ts';
import type { AuditRow, Change, Kind, Put, Records } from '../records/records.ts';
import { nextTurn } from '../runtime/turn-budget.ts';
import type { Person } from '../values/conversation.ts';

/**
 * Where everything lives. `commit` is atomic and durable once it resolves. Two implementations
 * answer one suite of cases: the embedded store and PostgreSQL.
 */
export interface Store {
  get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined>;
  /** `false`: a record had another version than expected, and nothing was stored. */
  commit(change: Change): Promise<boolean>;
  /**
   * Records due in a queue, oldest first, each given to one caller until `leaseMs` from now.
   * A lease ends with the next commit of the record, with `release`, or by running out. `LONGEST_WAIT_MS` ends any wait.
   */
  claim(queue: Queue, options: ClaimOptions): Promise<Put[]>;
  /**
   * Gives a claimed record back, to be claimed again from `atMs` on; with `isKept` its lease is renewed until then. Not
   * durable: after a restart it is due as stored.
   */
  release(kind: Kind, id: string, atMs: number, isKept?: boolean): Promise<void>;
  /** When the earliest record of a queue may be claimed; undefined: none is waiting. */
  nextDueMs(queue: Queue): Promise<number | undefined>;
  /** How many records are in a queue, waiting or claimed: a number for operators. */
  countDue(queue: Queue): Promise<number>;
  /** Calls back whenever a commit of this process left work in a queue, with its time. Returns the way to stop. */
  onDue(listener: (due: Due) => void): () => void;
  listPayments(filter: PaymentFilter, page: PageAsked): Promise<PaymentPage>;
  /** How many payments match and what they add up to; of very many the newest are counted. */
  totalPayments(filter: PaymentFilter): Promise<PaymentTotals>;
  /** Counts and sums all payments of a time, in no order. Each is counted once, while others are changed and added. */
  paymentFigures<Group extends FigureGroup = never>(
    asked: FiguresAsked<Group>,
  ): Promise<PaymentFigure<Group>[]>;
  /**
   * The audit rows under an id, and under what begins with that id and a dot (a payment's notices), oldest
   * first. Those of one record are in the order of its changes.
   */
  auditOf(id: string): Promise<AuditRow[]>;
  /** The drafts in this state, of one person if one is given: a hundred at most, in no order. */
  draftsIn(status: Draft['status'], requester?: Person): Promise<Draft[]>;
  close(): Promise<void>;
}

export type ClaimOptions = {
  readonly nowMs: number;
  readonly leaseMs: number;
  readonly limit: number;
};

export type PageAsked = { readonly limit: number; readonly after?: string };

/** The store could not be reached. Nothing was asked of it, so nothing was stored. */
export class StoreAwayError extends Error {}

/** Read in some milliseconds. */
const PAGE_LENGTH = 500;

/** All payments that a filter lets through, newest first. */
export async function* everyPayment(
  store: Pick<Store, 'listPayments'>,
  filter: PaymentFilter,
): AsyncGenerator<Payment> {
  for await (const page of paymentPages(store, filter)) yield* page;
}

/** The same in pages, between which others have their turn. */
export async function* paymentPages(
  store: Pick<Store, 'listPayments'>,
  filter: PaymentFilter,
): AsyncGenerator<readonly Payment[]> {
  let page = await store.listPayments(filter, { limit: PAGE_LENGTH });
  while (page.next !== undefined) {
    yield page.payments;
    // The embedded store answers at once, so nothing else would be served meanwhile.
    await nextTurn();
    page = await store.listPayments(filter, { limit: PAGE_LENGTH, after: page.next });
  }
  yield page.payments;
}
