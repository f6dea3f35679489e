import type { DatabaseSync } from 'node:sqlite';
import { BelongingsOf } from '../../privacy/customer-records.ts';
import { type Customer, type Erasure, erasureOf } from '../../privacy/erasure.ts';
import { reasonToWait } from '../../privacy/erasure-blockers.ts';
import { changeWithout, forgottenRow } from '../../privacy/forgotten-records.ts';
import { PSEUDONYM_KEY_ID, pseudonymKey } from '../../privacy/pseudonym-key.ts';
import type { ForgetAnswer, ForgetRequest } from '../../privacy/request.ts';
import type { Payment } from '../../records/payment.ts';
import type { Put } from '../../records/records.ts';
import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import { pseudonymOf } from '../../values/pseudonym.ts';
import { checkpoint } from './checkpoints.ts';
import { deleteDetails, detailsAbout } from './erase.ts';
import { openLocked } from './locked-folder.ts';
import { RecordTables } from './record-tables.ts';
import { SqliteStore } from './sqlite-store.ts';

type FolderOptions = { readonly dir: string; readonly clock: Clock; readonly log: Log };

/**
 * Takes a customer out of an embedded store that no process works with, in one transaction. Details of the audit rows
 * are deleted, and the trail with its digests stays as it is. No byte of them is left in the database or its log.
 * @throws {StartError} when the store cannot be had.
 */
export const forgetInFolder = async (
  { dir, clock, log }: FolderOptions,
  request: ForgetRequest,
): Promise<ForgetAnswer> => {
  const { database, close } = openLocked(dir, { mayMake: false });
  try {
    return await forget(database, request, { nowMs: clock.now(), log });
  } finally {
    close();
  }
};

const forget = async (
  database: DatabaseSync,
  { number, who, isSure, key: given }: ForgetRequest,
  { nowMs, log }: { nowMs: number; log: Log },
): Promise<ForgetAnswer> => {
  const tables = new RecordTables(database);
  const key = pseudonymKey(given, tables.get('setting', PSEUDONYM_KEY_ID));
  const customer = { number, pseudonym: pseudonymOf(number, key.key) };
  const { pseudonym } = customer;
  const belongings = new BelongingsOf(customer);
  for (const put of theirs(database, tables, customer)) belongings.take(put);
  for (const story of storiesOf(database, customer)) belongings.ids.add(story);
  const { found } = belongings;
  const erasure = erasureOf(customer, belongings);
  const touched = recordsTouched(database, tables, erasure);
  const reasons = touched.flatMap((put) => reasonToWait(put, nowMs) ?? []);
  if (reasons.length > 0) return { kind: 'wait', reasons };
  const details = detailsAbout(database, erasure);
  if (touched.length === 0 && details.length === 0) return { kind: 'unknown' };
  if (!isSure) return { kind: 'found', found };
  const forgetting = { atMs: nowMs, who };
  const { put, remove, audit } = changeWithout(touched, erasure, forgetting);
  const { payments, sms } = found;
  const told = forgottenRow(forgetting, { pseudonym, payments, sms, details: details.length });
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => {});
  const store = new SqliteStore({ database, log, onFatal: failed.reject });
  const change = {
    put: [...put, ...(key.put === undefined ? [] : [key.put])],
    remove,
    audit: [...audit, told],
  };
  await Promise.race([
    store.commitWith(change, () => {
      deleteDetails(database, details);
      renameStories(database, customer);
    }),
    failed.promise,
  ]);
  checkpoint(database, 'TRUNCATE');
  return { kind: 'forgotten', found, pseudonym, sealedAnew: 0 };
};

/** What names the customer by their number or pseudonym. */
function* theirs(
  database: DatabaseSync,
  tables: RecordTables,
  { number, pseudonym }: Customer,
): Generator<Put> {
  yield* tables.others();
  const payments = database.prepare('SELECT body FROM payments WHERE customer_number IN (?, ?)');
  for (const { body } of payments.iterate(number, pseudonym)) yield asPayment(body);
}

/** Stories of the customer alone: an SMS to several people is not theirs. */
const storiesOf = (database: DatabaseSync, { number, pseudonym }: Customer): string[] =>
  database
    .prepare(
      `SELECT story FROM customer_stories one WHERE customer IN (?, ?) AND NOT EXISTS
        (SELECT 1 FROM customer_stories other WHERE other.story = one.story AND other.customer NOT IN (?, ?))`,
    )
    .all(number, pseudonym, number, pseudonym)
    .map(({ story }) => String(story));

/** Every record is looked through: other customers' references and the service's words may have the number. */
const recordsTouched = (database: DatabaseSync, tables: RecordTables, erasure: Erasure): Put[] => {
  const touched = [...tables.others()].filter((put) => erasure.put(put) !== put);
  for (const { body } of database.prepare('SELECT body FROM payments').iterate()) {
    const put = asPayment(body);
    if (erasure.put(put) !== put) touched.push(put);
  }
  return touched;
};

const asPayment = (body: unknown): Put => ({
  kind: 'payment',
  record: JSON.parse(String(body)) as Payment,
});

const renameStories = (database: DatabaseSync, { number, pseudonym }: Customer): void => {
  database
    .prepare('UPDATE OR REPLACE customer_stories SET customer = ? WHERE customer = ?')
    .run(pseudonym, number);
};
