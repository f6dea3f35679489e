import type { Client } from 'pg';
import { erasureByItself } from '../../privacy/customer-records.ts';
import { type Erasure, storyIdOf } from '../../privacy/erasure.ts';
import { changeWithout, forgottenRow } from '../../privacy/forgotten-records.ts';
import { PSEUDONYM_KEY_ID, pseudonymKey } from '../../privacy/pseudonym-key.ts';
import { isRetired, type Retired, type RetireRequest } from '../../privacy/retention.ts';
import type { Payment } from '../../records/payment.ts';
import type { AuditRow, Put, Setting } from '../../records/records.ts';
import type { Clock } from '../../runtime/clock.ts';
import { pseudonymOf } from '../../values/pseudonym.ts';
import { chainsOf, replaceRows } from './audit-anew.ts';
import { asPut, commit, inErasure, locked } from './erasing.ts';

/** Whoever writes to the trail waits while the rows of a batch are replaced. */
const BATCH = 20;

type Batch = { readonly retired: number; readonly lastId: string | undefined };

/** Takes the customers of old payments out of a database, a few payments at a time, while instances work with it. */
export const retireInDatabase = async (
  { url, clock }: { url: string; clock: Clock },
  request: RetireRequest,
): Promise<Retired> => {
  let payments = 0;
  for (let after: string | undefined = ''; after !== undefined; ) {
    request.stop?.throwIfAborted();
    const from: string = after;
    const batch = await inErasure(url, (client) => retireSome(client, from, clock.now(), request));
    payments += batch.retired;
    after = batch.lastId;
  }
  return { payments };
};

const retireSome = async (
  client: Client,
  after: string,
  nowMs: number,
  { beforeMs, key: given }: RetireRequest,
): Promise<Batch> => {
  const old = await oldPayments(client, after, beforeMs);
  const lastId = old.at(-1)?.record.id;
  const held = (await locked(client, old)).filter(
    ({ kind, record }) => kind === 'payment' && isRetired(record, beforeMs),
  );
  if (held.length === 0) return { retired: 0, lastId };
  const key = pseudonymKey(given, await keptKey(client));
  const erasures = new Map(held.flatMap((put) => erasureFor(put, key.key)));
  const erasure = pickedFrom(erasures);
  const forgetting = { atMs: nowMs };
  const { put, audit } = changeWithout(held, erasure, forgetting);
  const told = forgottenRow(forgetting, { payments: held.length, beforeMs });
  const puts = [...put, ...(key.put === undefined ? [] : [key.put])];
  await commit(client, { put: puts, audit: [...audit, told] }, nowMs);
  await replaceRows(client, await chainsOf(client, [...erasures.keys()]), erasure.row);
  return { retired: held.length, lastId };
};

/** Without those that are looked at again: they ended no longer than a day ago. */
const oldPayments = async (client: Client, after: string, beforeMs: number): Promise<Put[]> => {
  const { rows } = await client.query<{ kind: Put['kind']; body: Put['record'] }>(
    `SELECT kind, body FROM payments
      WHERE kind = 'payment' AND id > $1 AND confirmed_ms < $2 AND customer_number LIKE '+%'
      ORDER BY id LIMIT ${BATCH}`,
    [after, beforeMs],
  );
  return rows.map(asPut);
};

const keptKey = async (client: Client): Promise<Setting | undefined> => {
  const { rows } = await client.query<{ body: Setting }>(
    `SELECT body FROM records WHERE kind = 'setting' AND id = $1`,
    [PSEUDONYM_KEY_ID],
  );
  return rows[0]?.body;
};

const erasureFor = (put: Put, key: string): [id: string, erasure: Erasure][] => {
  if (put.kind !== 'payment') return [];
  const { id, terms }: Payment = put.record;
  const number = terms.customerNumber;
  return [[id, erasureByItself(put, { number, pseudonym: pseudonymOf(number, key) })]];
};

/** Each payment is taken out of by its own. */
const pickedFrom = (erasures: ReadonlyMap<string, Erasure>): Pick<Erasure, 'put' | 'row'> => {
  const of = (id: string) => erasures.get(storyIdOf(id));
  return {
    put: (put: Put): Put => of(put.record.id)?.put(put) ?? put,
    row: (row: AuditRow): AuditRow => of(row.id)?.row(row) ?? row,
  };
};
