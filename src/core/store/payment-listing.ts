import { OPEN_STATES, type Payment } from '../records/payment.ts';
import type { PaymentFilter, PaymentPage } from '../records/payment-query.ts';
import { matchesFilter } from './payment-filter.ts';

/** Where payments come from: those in memory, and those on disk, newest id first. */
export type PaymentSources = {
  readonly live: Iterable<Payment>;
  readonly archived: (range: { below?: string; sinceMs?: number }) => AsyncIterable<Payment>;
  /** The newest id on disk; empty when there is none. */
  readonly lastArchivedId: string;
  /** No payment was confirmed later than this after its id was made. */
  readonly longestLeadMs: number;
  /** No payment on disk was confirmed or settled later than this. */
  readonly archivedEndMs: number;
};

/** One page, newest id first. The cursor is the last id shown; it costs what it shows, not what is stored. */
export const pageOfPayments = async (
  sources: PaymentSources,
  filter: PaymentFilter,
  { limit, after }: { limit: number; after?: string },
): Promise<PaymentPage> => {
  const found: Payment[] = [];
  for await (const payment of newestFirst(sources, filter, after)) {
    // One more than asked for was found, so there is another page.
    if (found.length === limit) return { payments: found, ...next(found) };
    found.push(payment);
  }
  return { payments: found };
};

const next = (found: readonly Payment[]): { next?: string } => {
  const last = found.at(-1);
  return last === undefined ? {} : { next: last.id };
};

async function* newestFirst(
  sources: PaymentSources,
  filter: PaymentFilter,
  below?: string,
): AsyncGenerator<Payment> {
  const { live, archived, lastArchivedId, longestLeadMs } = sources;
  const inMemory = [...live];
  const wanted = inMemory
    .filter(({ id }) => below === undefined || id < below)
    .filter((payment) => matchesFilter(payment, filter))
    .sort((a, b) => (a.id < b.id ? -1 : 1));
  if (isInMemory(filter, sources)) {
    yield* takeNewerThan(wanted, '');
    return;
  }
  // While memory alone fills the page, no file is opened.
  yield* takeNewerThan(wanted, lastArchivedId);
  // The archive may have an older version of a payment that is live again.
  const shadowed = new Set(inMemory.map(({ id }) => id));
  const range = {
    ...(below === undefined ? {} : { below }),
    ...(filter.sinceMs === undefined ? {} : { sinceMs: filter.sinceMs - longestLeadMs }),
  };
  for await (const payment of archived(range)) {
    if (shadowed.has(payment.id) || !matchesFilter(payment, filter)) continue;
    yield* takeNewerThan(wanted, payment.id);
    yield payment;
  }
  yield* takeNewerThan(wanted, '');
}

/** What has no outcome yet, is flagged or ended a moment ago has not left memory. */
const isInMemory = (
  { states, flag, endedSinceMs = 0 }: PaymentFilter,
  { archivedEndMs }: PaymentSources,
): boolean =>
  flag !== undefined ||
  endedSinceMs > archivedEndMs ||
  states?.every((state) => OPEN_STATES.includes(state)) === true;

/** Takes from the end of a list in the order of ids. */
function* takeNewerThan(payments: Payment[], id: string): Generator<Payment> {
  for (let last = payments.at(-1); last !== undefined && last.id > id; last = payments.at(-1)) {
    payments.pop();
    yield last;
  }
}
