import type { DatabaseSync } from 'node:sqlite';
import { erasureByItself } from '../../privacy/customer-records.ts';
import { changeWithout, forgottenRow } from '../../privacy/forgotten-records.ts';
import { PSEUDONYM_KEY_ID, type PseudonymKey, pseudonymKey } from '../../privacy/pseudonym-key.ts';
import { isRetired, type Retired, type RetireRequest } from '../../privacy/retention.ts';
import type { Payment } from '../../records/payment.ts';
import type { AuditRow, Put } from '../../records/records.ts';
import type { Clock } from '../../runtime/clock.ts';
import { pseudonymOf } from '../../values/pseudonym.ts';
import { deleteDetails, detailsInStory } from './erase.ts';
import type { SqliteStore } from './sqlite-store.ts';

/** Callers of the store wait while a batch is written. */
const BATCH = 50;

type Needs = {
  readonly store: SqliteStore;
  readonly database: DatabaseSync;
  readonly clock: Clock;
};

/** Takes the customers of old payments, questions and SMS out of a store that is in use, a few at a time. */
export const retireInStore = async (needs: Needs, request: RetireRequest): Promise<Retired> => {
  const { store } = needs;
  const key = pseudonymKey(request.key, await store.get('setting', PSEUDONYM_KEY_ID));
  if (key.put !== undefined && !(await store.commit({ put: [key.put] }))) return { payments: 0 };
  const payments = await retirePayments(needs, key, request);
  const stories = await retireStories(needs, request);
  if (payments + stories > 0) store.truncateLog();
  return { payments };
};

const retirePayments = async (
  { store, database, clock }: Needs,
  { key }: PseudonymKey,
  { beforeMs, stop }: RetireRequest,
): Promise<number> => {
  const page = database.prepare(`
    SELECT id, ended_ms, body FROM payments
    WHERE (ended_ms, id) > (?, ?) AND ended_ms < ? AND customer_number LIKE '+%' AND is_due = 0
    ORDER BY ended_ms, id LIMIT ${BATCH}`);
  let retired = 0;
  for (let from: [number, string] = [Number.MIN_SAFE_INTEGER, '']; ; ) {
    stop?.throwIfAborted();
    const rows = page.all(...from, beforeMs);
    const last = rows.at(-1);
    if (last === undefined) return retired;
    from = [Number(last['ended_ms']), String(last['id'])];
    const payments = rows.map(({ body }) => JSON.parse(String(body)) as Payment);
    retired += await retireBatch({ store, database, clock }, key, payments, beforeMs);
  }
};

/** How many lost number and name: those that somebody changed meanwhile are left for the next time. */
const retireBatch = async (
  { store, database, clock }: Needs,
  key: string,
  payments: readonly Payment[],
  beforeMs: number,
): Promise<number> => {
  const forgetting = { atMs: clock.now() };
  const puts: Put[] = [];
  const audit: AuditRow[] = [];
  const details: number[] = [];
  for (const payment of payments) {
    const isWatched = (await store.get('watch', payment.id)) !== undefined;
    if (isWatched || !isRetired(payment, beforeMs)) continue;
    const number = payment.terms.customerNumber;
    const before: Put = { kind: 'payment', record: payment };
    const erasure = erasureByItself(before, { number, pseudonym: pseudonymOf(number, key) });
    const change = changeWithout([before], erasure, forgetting);
    puts.push(...change.put);
    audit.push(...change.audit);
    details.push(...detailsInStory(database, payment.id, erasure));
  }
  if (puts.length === 0) return 0;
  const told = forgottenRow(forgetting, { payments: puts.length, beforeMs });
  const isStored = await store.commitWith({ put: puts, audit: [...audit, told] }, () =>
    deleteDetails(database, details),
  );
  return isStored ? puts.length : 0;
};

/** Questions that became no payment, and SMS: whatever their audit rows tell of people goes. */
const retireStories = async (
  { store, database, clock }: Needs,
  { beforeMs, stop }: RetireRequest,
): Promise<number> => {
  const page = database.prepare(`
    SELECT DISTINCT story FROM customer_stories WHERE since_ms < ? AND NOT EXISTS
      (SELECT 1 FROM payments WHERE id = story AND customer_number LIKE '+%')
    AND NOT EXISTS (SELECT 1 FROM records WHERE id = story AND kind IN ('draft', 'sms'))
    LIMIT ${BATCH}`);
  for (let retired = 0; ; ) {
    stop?.throwIfAborted();
    const stories = page.all(beforeMs).map(({ story }) => String(story));
    if (stories.length === 0) return retired;
    const audit = [forgottenRow({ atMs: clock.now() }, { stories: stories.length, beforeMs })];
    await store.commitWith({ audit }, () => {
      for (const story of stories) dropStory(database, story);
    });
    retired += stories.length;
  }
};

/** A payment's details went with its number. */
const dropStory = (database: DatabaseSync, story: string): void => {
  const isPayment = database.prepare('SELECT 1 FROM payments WHERE id = ?').get(story);
  if (isPayment === undefined)
    database
      .prepare(
        `DELETE FROM audit_details WHERE position IN
          (SELECT position FROM audit WHERE id = ? OR (id > ? AND id < ?))`,
      )
      .run(story, `${story}.`, `${story}/`);
  database.prepare('DELETE FROM customer_stories WHERE story = ?').run(story);
};
