import { auditIdOf } from '../records/draft.ts';
import { endedAtMs, isSettled, type Payment } from '../records/payment.ts';
import type { AuditRow, Put } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import type { CustomerErasure, EndedPayment, InErasure } from '../store/sql/customer-erasure.ts';
import { isPseudonym, pseudonymOf } from '../values/pseudonym.ts';
import { CustomerRecords } from './customer-records.ts';
import { erasureOf } from './erasure.ts';
import { detailsNaming, pseudonymKeyIn } from './forget.ts';
import { changeWithout, forgottenRow } from './forgotten-records.ts';

const EVERY_MS = 24 * 3_600_000;

export type RetireRequest = {
  /** Payments that ended before lose number and name. */
  readonly beforeMs: number;
  /** What pseudonyms are made with. @default a key that is made once and kept in the store */
  readonly key?: string;
  /** Rejects soon after it aborts; the next time goes on where this one ended. */
  readonly stop?: AbortSignal;
};

/** How many payments lost number and name. */
export type Retired = { readonly payments: number };

export type Retire = (request: RetireRequest) => Promise<Retired>;

/** At the start and once a day. Each instance does it; the second finds nothing left to do. */
export const keepRetention = async (
  {
    retire,
    retainMs,
    key,
    clock,
    log,
  }: { retire: Retire; retainMs: number; key?: string; clock: Clock; log: Log },
  stop: AbortSignal,
): Promise<void> => {
  while (!stop.aborted) {
    const beforeMs = clock.now() - retainMs;
    try {
      const { payments } = await retire({ beforeMs, stop, ...(key === undefined ? {} : { key }) });
      log.info(
        { payments, before: new Date(beforeMs) },
        'payments older than RETAIN have lost number and name',
      );
    } catch (error) {
      if (!stop.aborted) log.error({ err: error }, 'old payments could not lose number and name');
    }
    await clock.sleep(EVERY_MS, stop);
  }
};

type Batch = { readonly retired: number; readonly last: EndedPayment | undefined };

/** Takes the customers of old payments, questions and SMS out of a store that is in use, a few at a time. */
export const retire = async (
  inErasure: InErasure,
  request: RetireRequest,
  clock: Clock,
): Promise<Retired> => {
  const { beforeMs, stop } = request;
  const key = await inErasure((store) => storedKey(store, request.key));
  let payments = 0;
  for (let after: EndedPayment | undefined; ; ) {
    stop?.throwIfAborted();
    const batch: Batch = await inErasure(async (store) => {
      const ended = await store.endedPayments(beforeMs, after);
      const retired = await retirePayments(store, ended, { key, beforeMs, atMs: clock.now() });
      return { retired, last: ended.at(-1) };
    });
    payments += batch.retired;
    if (batch.last === undefined) break;
    after = batch.last;
  }
  for (let isMore = true; isMore; ) {
    stop?.throwIfAborted();
    isMore = await inErasure((store) => retireStories(store, beforeMs, clock.now()));
  }
  return { payments };
};

/** Several instances begin at the same moment; the key of the first counts. */
const storedKey = async (store: CustomerErasure, given: string | undefined): Promise<string> => {
  const made = await pseudonymKeyIn(store, given);
  if (made.put === undefined || (await store.commit({ put: [made.put] }, {}))) return made.key;
  return (await pseudonymKeyIn(store, given)).key;
};

/** How many lost number and name: those that were changed meanwhile are left for the next time. */
const retirePayments = async (
  store: CustomerErasure,
  ended: readonly EndedPayment[],
  { key, beforeMs, atMs }: { key: string; beforeMs: number; atMs: number },
): Promise<number> => {
  const puts: Put[] = [];
  const audit: AuditRow[] = [];
  const details: number[] = [];
  const asked = (await store.draftsIn('awaiting approval')).map(auditIdOf);
  const payments = ended.map(({ payment }): Put => ({ kind: 'payment', record: payment }));
  for (const before of await store.held(payments)) {
    if (before.kind !== 'payment' || !isRetired(before.record, beforeMs)) continue;
    const { id, terms } = before.record;
    if (asked.includes(id) || (await store.get('watch', id)) !== undefined) continue;
    const number = terms.customerNumber;
    // A payment says all there is to know of its customer.
    const own = new CustomerRecords({ number, pseudonym: pseudonymOf(number, key) });
    own.take(before);
    const erasure = erasureOf(own);
    const change = changeWithout([before], erasure, { atMs });
    puts.push(...change.put);
    audit.push(...change.audit);
    details.push(...(await detailsNaming(store.detailsIn([id]), erasure)));
  }
  if (puts.length === 0) return 0;
  const told = forgottenRow({ atMs }, { payments: puts.length, beforeMs });
  const isStored = await store.commit({ put: puts, audit: [...audit, told] }, { details });
  return isStored ? puts.length : 0;
};

/** Whether a payment has ended so long ago that its number is not needed any more. */
const isRetired = (payment: Payment, beforeMs: number): boolean =>
  isSettled(payment) &&
  payment.due === undefined &&
  !isPseudonym(payment.terms.customerNumber) &&
  endedAtMs(payment) < beforeMs;

/** Questions that became no payment, and SMS: all details of their audit rows are deleted. */
const retireStories = async (
  store: CustomerErasure,
  beforeMs: number,
  atMs: number,
): Promise<boolean> => {
  const stories = await store.endedStories(beforeMs);
  if (stories.length === 0) return false;
  const audit = [forgottenRow({ atMs }, { stories: stories.length, beforeMs })];
  await store.commit({ audit }, { stories });
  return true;
};
