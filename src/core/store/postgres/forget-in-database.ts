import { randomUUID } from 'node:crypto';
import type { Client } from 'pg';
import type { Clock } from '../../clock.ts';
import { StartError } from '../../errors.ts';
import { BelongingsOf } from '../../forgetting/belongings.ts';
import { type Customer, type Erasure, erasureOf } from '../../forgetting/erasure.ts';
import {
  type Forgetting,
  forgottenPayment,
  forgottenRow,
} from '../../forgetting/forgotten-records.ts';
import { pseudonymOf } from '../../forgetting/pseudonym.ts';
import { PSEUDONYM_KEY_ID, pseudonymKey } from '../../forgetting/pseudonym-key.ts';
import { type ReasonToWait, reasonToWait } from '../../forgetting/reasons-to-wait.ts';
import type { ForgetAnswer, ForgetRequest } from '../../forgetting/request.ts';
import type { AuditRow, Change, Put, Removal } from '../store.ts';
import { type Chain, chainsAbout, replaceRows, roughPattern, rowsAnew } from './audit-anew.ts';
import { mustHaveAudit } from './audit-rows.ts';
import { commitStatement, draughtOf } from './change-statement.ts';
import { type ConnectionSettings, connectionSettings } from './connection-settings.ts';
import { openClient } from './database.ts';
import { isWorthAnotherTry } from './database-errors.ts';
import { asStartError } from './start-refusals.ts';

/** Others that hold what is wanted here, or a connection that was cut. */
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
  for (let tries = 1; ; tries++) {
    try {
      return await tryOnce(settings, clock.now(), request);
    } catch (error) {
      if (tries === MOST_TRIES || !isWorthAnotherTry(error))
        throw asStartError(error, settings.place);
    }
  }
};

const tryOnce = async (
  settings: ConnectionSettings,
  nowMs: number,
  request: ForgetRequest,
): Promise<ForgetAnswer> => {
  const client = await openClient(settings, { query_timeout: 0 });
  try {
    await mustHaveAudit(client, settings.place);
    await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
    await client.query('BEGIN');
    const answer = await forget(client, nowMs, request);
    if (answer.kind === 'forgotten') await client.query('COMMIT');
    return answer;
  } finally {
    // Ends the transaction as well, if it is not over.
    void client.end();
  }
};

const forget = async (
  client: Client,
  nowMs: number,
  { number, who, isSure, key: given }: ForgetRequest,
): Promise<ForgetAnswer> => {
  const others = await otherRecords(client);
  const kept = others.find(
    ({ kind, record }) => kind === 'setting' && record.id === PSEUDONYM_KEY_ID,
  );
  const key = pseudonymKey(given, kept?.kind === 'setting' ? kept.record : undefined);
  const customer = { number, pseudonym: pseudonymOf(number, key.key) };
  const records = [...others, ...(await paymentsAbout(client, customer))];
  const belongings = new BelongingsOf(customer);
  for (const put of records) belongings.take(put);
  const { found, ids } = belongings;
  const erasure = erasureOf(customer, belongings);
  const touched = records.filter((put) => erasure.put(put) !== put);
  const reasons = reasonsIn(touched, others, nowMs);
  if (reasons.length > 0) return { kind: 'wait', reasons };
  // Reading the whole trail takes long, so it comes before anything is locked.
  const chains = await chainsToErase(client, erasure, ids, number);
  if (touched.length === 0 && chains.length === 0) return { kind: 'unknown' };
  if (!isSure) return { kind: 'found', found };
  const held = await locked(client, touched);
  // A look or a press may have come meanwhile.
  const newReasons = reasonsIn(held, others, nowMs);
  if (newReasons.length > 0) return { kind: 'wait', reasons: newReasons };
  const forgetting: Forgetting = { atMs: nowMs, who };
  const { put, remove, audit } = changeOf(held, erasure, forgetting);
  const { payments, sms } = found;
  const { pseudonym } = customer;
  const told = forgottenRow(forgetting, { pseudonym, payments, sms, records: chains.length });
  const puts = [...put, ...(key.put === undefined ? [] : [key.put])];
  await commit(client, { put: puts, remove, audit: [...audit, told] }, nowMs);
  await replaceRows(client, chains, erasure.row);
  return { kind: 'forgotten', found, pseudonym, sealedAnew: chains.length };
};

const reasonsIn = (
  touched: readonly Put[],
  others: readonly Put[],
  nowMs: number,
): ReasonToWait[] => {
  const watched = new Set(
    others.flatMap(({ kind, record }) => (kind === 'watch' ? record.id : [])),
  );
  const isWatched = (id: string) => watched.has(id);
  return touched.flatMap((put) => reasonToWait(put, { nowMs, isWatched }) ?? []);
};

/** The records as they are now, and nobody changes them until this is over. In the order in which all lock. */
const locked = async (client: Client, puts: readonly Put[]): Promise<Put[]> => {
  const { rows } = await client.query<{ kind: Put['kind']; body: Put['record'] }>(
    `SELECT r.kind, r.body FROM records r
      JOIN unnest($1::text[], $2::text[]) AS wanted (kind, id) USING (kind, id)
      ORDER BY r.kind COLLATE "C", r.id FOR UPDATE OF r`,
    [puts.map(({ kind }) => kind), puts.map(({ record }) => record.id)],
  );
  return rows.map(asPut);
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
const changeOf = (
  held: readonly Put[],
  erasure: Erasure,
  forgetting: Forgetting,
): { put: Put[]; remove: Removal[]; audit: AuditRow[] } => {
  const put: Put[] = [];
  const remove: Removal[] = [];
  const audit: AuditRow[] = [];
  for (const before of held) {
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

const commit = async (client: Client, change: Change, nowMs: number): Promise<void> => {
  const mark = { connection: randomUUID(), serial: 1, givenMs: null };
  const query = commitStatement([draughtOf(change, nowMs)], mark);
  const { rows } = await client.query<{ stored: boolean }>(query);
  if (rows[0]?.stored !== true)
    throw new Error('others write the key of pseudonyms at this moment');
};
