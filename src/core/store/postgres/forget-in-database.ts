import type { Client } from 'pg';
import { BelongingsOf } from '../../privacy/customer-records.ts';
import { type Customer, type Erasure, erasureOf } from '../../privacy/erasure.ts';
import { type ReasonToWait, reasonToWait } from '../../privacy/erasure-blockers.ts';
import { changeWithout, type Forgetting, forgottenRow } from '../../privacy/forgotten-records.ts';
import { PSEUDONYM_KEY_ID, pseudonymKey } from '../../privacy/pseudonym-key.ts';
import type { ForgetAnswer, ForgetRequest } from '../../privacy/request.ts';
import type { Put } from '../../records/records.ts';
import type { Clock } from '../../runtime/clock.ts';
import { pseudonymOf } from '../../values/pseudonym.ts';
import { type Chain, chainsAbout, replaceRows, roughPattern, rowsAnew } from './audit-anew.ts';
import { asPut, commit, inErasure, locked } from './erasing.ts';

/**
 * Takes a customer out of a database, in one transaction, while instances work with it: every record gets a new
 * version, so one that holds an older version cannot put the number back.
 * @throws {StartError} when the database cannot be had, or its role may not do this.
 */
export const forgetInDatabase = (
  { url, clock }: { url: string; clock: Clock },
  request: ForgetRequest,
): Promise<ForgetAnswer> => inErasure(url, (client) => forget(client, clock.now(), request));

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
  const reasons = reasonsIn(touched, nowMs);
  if (reasons.length > 0) return { kind: 'wait', reasons };
  // Reading the whole trail takes long, so it comes before anything is locked.
  const chains = await chainsToErase(client, erasure, ids, number);
  if (touched.length === 0 && chains.length === 0) return { kind: 'unknown' };
  if (!isSure) return { kind: 'found', found };
  const held = await locked(client, touched);
  // A press may have come meanwhile.
  const newReasons = reasonsIn(held, nowMs);
  if (newReasons.length > 0) return { kind: 'wait', reasons: newReasons };
  const forgetting: Forgetting = { atMs: nowMs, who };
  const { put, remove, audit } = changeWithout(held, erasure, forgetting);
  const { payments, sms } = found;
  const { pseudonym } = customer;
  const told = forgottenRow(forgetting, { pseudonym, payments, sms, records: chains.length });
  const puts = [...put, ...(key.put === undefined ? [] : [key.put])];
  await commit(client, { put: puts, remove, audit: [...audit, told] }, nowMs);
  await replaceRows(client, chains, erasure.row);
  return { kind: 'forgotten', found, pseudonym, sealedAnew: chains.length };
};

const reasonsIn = (touched: readonly Put[], nowMs: number): ReasonToWait[] =>
  touched.flatMap((put) => reasonToWait(put, nowMs) ?? []);

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
