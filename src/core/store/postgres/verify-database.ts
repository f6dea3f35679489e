import { createHash } from 'node:crypto';
import type { Client } from 'pg';
import { FORGOTTEN_ID } from '../../privacy/forgotten-records.ts';
import type { Payment } from '../../records/payment.ts';
import type { AuditRow } from '../../records/records.ts';
import { type AuditVerdict, BrokenPlaces } from '../audit-verdict.ts';
import { factsOf, PaymentReplay } from '../payment-replay.ts';
import { type AuditHead, HeadMaker, headText } from '../sql/audit-head.ts';
import { StoreTally } from '../store-tally.ts';
import { mustHaveAudit } from './audit-rows.ts';
import { connectionSettings } from './connection-settings.ts';
import { openClient } from './database.ts';
import { asStartError } from './start-refusals.ts';

const BATCH = 1_000;
/**
 * Rows younger than this are in no head: another instance may still write one with an earlier time, and a head
 * has to come out the same whenever it is made.
 */
export const HEAD_AGE_MS = 3_600_000;

/**
 * Checks the audit trail of a database: each record's chain, that the rows of each payment follow one another,
 * and that they lead to what is stored. It sees one moment of the database, which goes on working meanwhile.
 * The hashes are made here, because whoever can change the tables can change the database's functions as well.
 * @param noted the head of an earlier time: it is made anew for that time, and compared.
 * @throws {StartError} when the database cannot be had, or has no audit trail.
 */
export const verifyDatabase = async (
  url: string,
  { nowMs, noted }: { nowMs: number; noted?: AuditHead },
): Promise<AuditVerdict> => {
  const settings = connectionSettings(url);
  try {
    const client = await openClient(settings, { query_timeout: 0 });
    try {
      await client.query('SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0');
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      await mustHaveAudit(client, settings.place);
      return await new DatabaseCheck(client, nowMs - HEAD_AGE_MS, noted).run();
    } finally {
      // Ends the transaction as well.
      void client.end();
    }
  } catch (error) {
    throw asStartError(error, settings.place);
  }
};

type StoredRow = {
  readonly kind: string;
  readonly id: string;
  readonly seq: number;
  readonly entry: string;
  readonly hash: Buffer;
};

/** The record whose rows are being read. */
type Chain = {
  readonly kind: string;
  readonly id: string;
  readonly replay: PaymentReplay | undefined;
  last: { readonly seq: number; readonly hash: Buffer } | undefined;
};

class DatabaseCheck {
  readonly #client: Client;
  readonly #places = new BrokenPlaces();
  readonly #heads: HeadMaker[];
  readonly #noted: AuditHead | undefined;
  readonly #audited = new StoreTally();
  readonly #stored = new StoreTally();
  #replays = new Map<string, PaymentReplay>();
  #rows = 0;
  #remadeAtMs: number | undefined;

  constructor(client: Client, headAtMs: number, noted: AuditHead | undefined) {
    this.#client = client;
    this.#noted = noted;
    this.#heads = [headAtMs, ...(noted === undefined ? [] : [noted.place])].map(
      (place) => new HeadMaker(place),
    );
  }

  async run(): Promise<AuditVerdict> {
    let chain: Chain | undefined;
    for await (const row of this.#storedRows()) {
      if (chain?.kind !== row.kind || chain.id !== row.id) {
        await this.#compareSome();
        chain = { kind: row.kind, id: row.id, replay: this.#replayOf(row), last: undefined };
      }
      this.#take(chain, row);
    }
    await this.#compare();
    await this.#findUnaudited();
    await this.#countStored();
    const [head, again] = this.#heads.map((maker) => maker.head());
    return {
      places: this.#places.named,
      broken: this.#places.count,
      rows: this.#rows,
      stored: this.#stored,
      audited: this.#audited,
      head: head === undefined ? '' : headText(head),
      ...(this.#noted === undefined ? {} : { hasNoted: again?.hash === this.#noted.hash }),
      ...(this.#remadeAtMs === undefined ? {} : { remadeAtMs: this.#remadeAtMs }),
    };
  }

  async *#storedRows(): AsyncGenerator<StoredRow> {
    await this.#client.query(`DECLARE audit_rows NO SCROLL CURSOR FOR
      SELECT kind, id, seq, entry::text AS entry, hash FROM audit ORDER BY kind COLLATE "C", id, seq`);
    for (;;) {
      const { rows } = await this.#client.query<StoredRow>(`FETCH ${BATCH} FROM audit_rows`);
      if (rows.length === 0) return;
      yield* rows;
    }
  }

  #replayOf({ kind, id }: StoredRow): PaymentReplay | undefined {
    if (kind !== 'payment') return undefined;
    const replay = new PaymentReplay();
    this.#replays.set(id, replay);
    return replay;
  }

  #take(chain: Chain, row: StoredRow): void {
    const { kind, id, seq, hash } = row;
    const place = `${kind} ${id}, row ${seq}`;
    this.#rows += 1;
    const broken = whyBroken(chain, row);
    if (broken !== undefined) this.#places.add(`${place}: ${broken}`);
    chain.last = { seq, hash };
    const entry = entryOf(row);
    if (entry?.kind !== kind || entry.id !== id) {
      this.#places.add(`${place}: it was written for another record`);
      return;
    }
    if (kind === 'setting' && id === FORGOTTEN_ID) this.#remadeAtMs = entry.atMs;
    const problem = chain.replay?.take(entry);
    if (problem !== undefined) this.#places.add(`${place}: ${problem}`);
    for (const head of this.#heads) head.take(row, entry.atMs);
  }

  async #compareSome(): Promise<void> {
    if (this.#replays.size >= BATCH) await this.#compare();
  }

  async #compare(): Promise<void> {
    const replays = this.#replays;
    this.#replays = new Map();
    const { rows } = await this.#client.query<PaymentRow>(
      `SELECT id, version, state, currency, amount_minor::float8 AS "amountMinor", body
        FROM payments WHERE kind = 'payment' AND id = ANY ($1)`,
      [[...replays.keys()]],
    );
    const stored = new Map(rows.map((row) => [row.id, row]));
    for (const [id, replay] of replays) {
      const row = stored.get(id);
      const difference = row === undefined ? 'it is not stored' : differenceOf(row, replay);
      if (difference !== undefined) this.#places.add(`payment ${id}: ${difference}`);
      const amount = replay.amount ?? row?.body.terms.amount;
      if (amount !== undefined)
        this.#audited.add({ what: `payment ${replay.state}`, count: 1, ...amount });
    }
  }

  async #findUnaudited(): Promise<void> {
    const { rows } = await this.#client.query<{ id: string }>(`
      SELECT id FROM payments p WHERE kind = 'payment'
        AND NOT EXISTS (SELECT FROM audit a WHERE a.kind = 'payment' AND a.id = p.id) ORDER BY id`);
    for (const { id } of rows)
      this.#places.add(`payment ${id}: it is stored, and has no audit row`);
  }

  async #countStored(): Promise<void> {
    const { rows } = await this.#client.query<Parameters<StoreTally['add']>[0]>(`
      SELECT 'payment ' || state AS what, currency, count(*)::float8 AS count,
        sum(amount_minor)::float8 AS "amountMinor"
      FROM payments WHERE kind = 'payment' GROUP BY 1, 2`);
    for (const line of rows) this.#stored.add(line);
  }
}

type PaymentRow = {
  readonly id: string;
  readonly version: number;
  readonly state: string;
  readonly currency: string;
  readonly amountMinor: number;
  readonly body: Payment;
};

const differenceOf = (
  { version, state, currency, amountMinor, body }: PaymentRow,
  replay: PaymentReplay,
): string | undefined => {
  const facts = factsOf(body);
  const agree =
    version === facts.version &&
    state === facts.state &&
    currency === facts.amount.currency &&
    amountMinor === facts.amount.amountMinor;
  if (!agree) return 'what it is searched by differs from the record itself';
  const difference = replay.differenceTo(facts);
  return difference && `it is stored as ${difference}`;
};

/** As `append_audit` numbers and seals them. */
const whyBroken = ({ last }: Chain, { seq, entry, hash }: StoredRow): string | undefined => {
  const expected = (last?.seq ?? 0) + 1;
  // Then the hash cannot fit either.
  if (seq !== expected) return `row ${expected} is missing before it`;
  const made = createHash('sha256')
    .update(last?.hash ?? '')
    .update(`${seq} ${entry}`)
    .digest();
  return made.equals(hash) ? undefined : 'it was changed after it was written';
};

const entryOf = ({ entry }: StoredRow): AuditRow | undefined => {
  const value: unknown = JSON.parse(entry);
  return typeof value === 'object' && value !== null ? (value as AuditRow) : undefined;
};
