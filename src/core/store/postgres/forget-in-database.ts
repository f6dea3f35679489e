import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { Clock } from '../../clock.ts';
import { BelongingsOf } from '../../forgetting/belongings.ts';
import { type Customer, type Erasure, erasureOf } from '../../forgetting/erasure.ts';
import {
  type Forgetting,
  forgottenPayment,
  forgottenRow,
} from '../../forgetting/forgotten-records.ts';
import { pseudonymOf } from '../../forgetting/pseudonym.ts';
import { PSEUDONYM_KEY_ID, pseudonymKey } from '../../forgetting/pseudonym-key.ts';
import { reasonToWait } from '../../forgetting/reasons-to-wait.ts';
import type { ForgetAnswer, ForgetRequest } from '../../forgetting/request.ts';
import type { AuditRow, Change, Put, Removal, Setting, Watch } from '../store.ts';
import { type Chain, chainsAbout, replaceRows, roughPattern, rowsAnew } from './audit-anew.ts';
import { mustHaveAudit } from './audit-rows.ts';
import { commitStatement, draughtOf } from './change-statement.ts';
import { type ConnectionSettings, connectionSettings } from './connection-settings.ts';
import { openClient } from './database.ts';
import { isWorthAnotherTry } from './database-errors.ts';
import { asStartError } from './start-refusals.ts';

/** Instances that work meanwhile may change what is about to be changed here. */
const MOST_TRIES = 5;

/**
 * Takes a customer out of a database, in one transaction, while instances work with it: every record gets a new
 * version, so one that holds an older version cannot put the number back.
 * @throws {StartError} when the database cannot be had, or its role may not do this.
 */
export const forgetInDatabase = async (
  { url, clock }: { url: string; clock: Clock },
  request: ForgetRequest,
): Promise<ForgetAnswer> => {
  const settings = connectionSettings(url);
  try {
    for (let tries = 1; ; tries++) {
      const answer = await tryOnce(settings, clock.now(), request, tries === MOST_TRIES);
      if (answer !== 'once more') return answer;
    }
  } catch (error) {
    throw asStartError(error, settings.place);
  }
};

const tryOnce = async (
  settings: ConnectionSettings,
  nowMs: number,
  request: ForgetRequest,
  isLast: boolean,
): Promise<ForgetAnswer | 'once more'> => {
  const client = await openClient(settings, { query_timeout: 0 });
  try {
    await mustHaveAudit(client, settings.place);
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await client.query('BEGIN');
    const answer = await forget(client, nowMs, request);
    if (answer === undefined && isLast)
      throw new Error('others change the same records all the time');
    if (answer?.kind === 'forgotten') await client.query('COMMIT');
    return answer ?? 'once more';
  } catch (error) {
    if (isLast || !isWorthAnotherTry(error)) throw error;
    return 'once more';
  } finally {
    // Ends the transaction as well, if it is not over.
    void client.end();
  }
};

/** Undefined: somebody else changed a record at the same moment. */
const forget = async (
  client: Client,
  nowMs: number,
  { number, who, isSure, key: given }: ForgetRequest,
): Promise<ForgetAnswer | undefined> => {
  const others = await otherRecords(client);
  const settingOf = (id: string) => recordAmong(others, 'setting', id) as Setting | undefined;
  const key = pseudonymKey(given, settingOf(PSEUDONYM_KEY_ID));
  const customer = { number, pseudonym: pseudonymOf(number, key.key) };
  const records = [...others, ...(await paymentsAbout(client, customer))];
  const belongings = new BelongingsOf(customer);
  for (const put of records) belongings.take(put);
  const erasure = erasureOf(customer, belongings);
  const touched = records.filter((put) => erasure.put(put) !== put);
  const watchOf = (id: string) => recordAmong(others, 'watch', id) as Watch | undefined;
  const reasons = touched.flatMap((put) => reasonToWait(put, { nowMs, watchOf }) ?? []);
  if (reasons.length > 0) return { kind: 'wait', reasons };
  const chains = await chainsToErase(client, erasure, belongings.ids, number);
  const { found } = belongings;
  if (touched.length === 0 && chains.length === 0) return { kind: 'unknown' };
  if (!isSure) return { kind: 'found', found };
  const forgetting: Forgetting = { atMs: nowMs, who };
  const change = changeOf(touched, erasure, forgetting);
  const { pseudonym } = customer;
  const { payments, sms } = found;
  const told = forgottenRow(forgetting, { pseudonym, payments, sms, records: chains.length });
  const isStored = await commit(
    client,
    {
      ...change,
      put: [...(change.put ?? []), ...(key.put === undefined ? [] : [key.put])],
      audit: [...(change.audit ?? []), told],
    },
    nowMs,
  );
  if (!isStored) return undefined;
  await replaceRows(client, chains, erasure.row);
  return { kind: 'forgotten', found, pseudonym, sealedAnew: chains.length };
};

/** All that is not a payment: there is never much of it. */
const otherRecords = async (client: Client): Promise<Put[]> => {
  const { rows } = await client.query<{ kind: Put['kind']; body: Put['record'] }>(
    'SELECT kind, body FROM other_records',
  );
  return rows.map(asPut);
};

const paymentsAbout = async (client: Client, { number, pseudonym }: Customer): Promise<Put[]> => {
  const { rows } = await client.query<{ kind: Put['kind']; body: Put['record'] }>(
    `SELECT kind, body FROM payments
      WHERE kind = 'payment' AND (customer_number = ANY ($1) OR body::text ~ $2)`,
    [[number, pseudonym], roughPattern(number)],
  );
  return rows.map(asPut);
};

/** The body is the record of its kind, as it was committed; the compiler cannot know. */
const asPut = ({ kind, body }: { kind: Put['kind']; body: Put['record'] }): Put =>
  ({ kind, record: body }) as Put;

const recordAmong = (
  puts: readonly Put[],
  kind: Put['kind'],
  id: string,
): Put['record'] | undefined =>
  puts.find((put) => put.kind === kind && put.record.id === id)?.record;

const chainsToErase = async (
  client: Client,
  { row }: Erasure,
  ids: ReadonlySet<string>,
  number: string,
): Promise<Chain[]> => {
  const chains: Chain[] = [];
  for (const chain of await chainsAbout(client, ids, number))
    if ((await rowsAnew(client, chain, row)).length > 0) chains.push(chain);
  return chains;
};

/** Each record as a new version. A guard that goes by the number goes: nobody is charged by it. */
const changeOf = (touched: readonly Put[], erasure: Erasure, forgetting: Forgetting): Change => {
  const put: Put[] = [];
  const remove: Removal[] = [];
  const audit: AuditRow[] = [];
  for (const before of touched) {
    const erased = erasure.put(before);
    const { id, version } = before.record;
    if (erased.record.id !== id) remove.push({ kind: before.kind, id, version });
    else if (erased.kind === 'payment') {
      const { payment, row } = forgottenPayment(erased.record, forgetting);
      put.push({ kind: 'payment', record: payment });
      audit.push(row);
    } else {
      // Kind and record still belong together, which the compiler cannot follow.
      put.push({ ...erased, record: { ...erased.record, version: version + 1 } } as Put);
    }
  }
  return { put, remove, audit };
};

const commit = async (client: Client, change: Change, nowMs: number): Promise<boolean> => {
  const mark = { connection: randomUUID(), serial: 1, givenMs: null };
  const { rows } = await client.query<{ stored: boolean }>(
    commitStatement([draughtOf(change, nowMs)], mark),
  );
  return rows[0]?.stored === true;
};
