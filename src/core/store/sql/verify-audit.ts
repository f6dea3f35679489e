import type { Payment } from '../../records/payment.ts';
import { PaymentReplay } from '../payment-replay.ts';
import { StoreTally } from '../store-tally.ts';
import { recordIn } from '../stored-body.ts';
import { chainHash, entryIn, saltedDigest } from './audit-entry.ts';
import { type AuditHead, HeadMaker, headText } from './audit-head.ts';
import { type PaymentColumns, paymentColumns } from './prepared-change.ts';
import type { Sql } from './sql.ts';
import { type StoredAuditRow, type StoredPaymentRow, type Trail, trailIn } from './sql-trail.ts';

/** With the first few one knows where to look; one damage may touch every payment after it. */
const MOST_NAMED = 20;
/** Payments that are compared with what is stored in one query. */
const BATCH = 1_000;

type Chain = {
  readonly kind: string;
  readonly id: string;
  readonly told: Told | undefined;
  last: { readonly seq: number; readonly hash: Uint8Array } | undefined;
};

/** What the rows of a payment say of it; `digest` is the one of its last version. */
type Told = { readonly replay: PaymentReplay; digest: string | undefined };

/**
 * The place of a row, as in `AuditHead`.
 * @param position grows with each row that is written.
 */
export type PlaceOf = (position: number, atMs: number) => number;

type CheckOptions = {
  readonly placeOf: PlaceOf;
  /** Up to where the head is made. */
  readonly headPlace: number;
  /** A head of an earlier time: it is made again for its place, and compared. */
  readonly noted?: AuditHead;
};

/**
 * Checks each record's chain, the details by their digests, that the rows of each payment follow one another, and that
 * they lead to what is stored, byte by byte. The hashes are made here: a person who can change the tables can change the
 * functions of a database as well.
 * @param sql at one moment of the database.
 */
export const verifyAudit = (sql: Sql, options: CheckOptions): Promise<AuditVerdict> =>
  new AuditCheck(sql, options).run();

class AuditCheck {
  readonly #trail: Trail;
  readonly #options: CheckOptions;
  readonly #heads: readonly HeadMaker[];
  #forgottenPosition = 0;
  readonly #places: string[] = [];
  #broken = 0;
  readonly #audited = new StoreTally();
  readonly #stored = new StoreTally();
  #told = new Map<string, Told>();
  #rows = 0;

  constructor(sql: Sql, options: CheckOptions) {
    this.#trail = trailIn(sql);
    this.#options = options;
    const places = [options.headPlace, options.noted?.place ?? []].flat();
    this.#heads = places.map((place) => new HeadMaker(place));
  }

  async run(): Promise<AuditVerdict> {
    this.#forgottenPosition = await this.#trail.forgottenPosition();
    let chain: Chain | undefined;
    for await (const row of this.#trail.rows()) {
      if (chain?.kind !== row.kind || chain.id !== row.id) {
        if (this.#told.size >= BATCH) await this.#compare();
        chain = { kind: row.kind, id: row.id, told: this.#toldOf(row), last: undefined };
      }
      this.#take(chain, row);
    }
    await this.#compare();
    for await (const { kind, id, body } of this.#trail.others())
      if (recordIn({ kind, id, body }) === undefined)
        this.#add(`${kind} ${id}: its body is no ${kind}`);
    for (const id of await this.#trail.unaudited())
      this.#add(`payment ${id}: it is stored, and has no audit row`);
    for (const line of await this.#trail.tally()) this.#stored.add(line);
    const { noted } = this.#options;
    const [head, again] = this.#heads.map((maker) => maker.head());
    return {
      places: this.#places,
      broken: this.#broken,
      rows: this.#rows,
      stored: this.#stored,
      audited: this.#audited,
      head: head === undefined ? '' : headText(head),
      ...(noted === undefined ? {} : { hasNoted: again?.hash === noted.hash }),
    };
  }

  #add(place: string): void {
    this.#broken += 1;
    if (this.#places.length < MOST_NAMED) this.#places.push(place);
  }

  #toldOf({ kind, id }: StoredAuditRow): Told | undefined {
    if (kind !== 'payment') return undefined;
    const told = { replay: new PaymentReplay(), digest: undefined };
    this.#told.set(id, told);
    return told;
  }

  #take(chain: Chain, stored: StoredAuditRow): void {
    const { kind, id, seq, hash, position, entry, detail } = stored;
    const name = `${kind} ${id}, row ${seq}`;
    this.#rows += 1;
    const broken = whyBroken(chain, stored);
    if (broken !== undefined) this.#add(`${name}: ${broken}`);
    chain.last = { seq, hash };
    const read = entryIn(entry, detail);
    if (read === undefined || read.row.kind !== kind || read.row.id !== id) {
      const what =
        read === undefined ? 'is no row of an audit trail' : 'was written for another record';
      this.#add(`${name}: it ${what}`);
      return;
    }
    const { row, digests } = read;
    const changed = this.#whyDetailBroken(stored, digests.detail);
    if (changed !== undefined) this.#add(`${name}: ${changed}`);
    const { told } = chain;
    const problem = told?.replay.take(row);
    if (problem !== undefined) this.#add(`${name}: ${problem}`);
    if (told !== undefined) told.digest = digests.record;
    const place = this.#options.placeOf(position, row.atMs);
    for (const head of this.#heads) head.take(stored, place);
  }

  /** A detail may only be missing when a customer was forgotten after it was written. */
  #whyDetailBroken({ salt, detail, position }: StoredAuditRow, digest?: string) {
    if (detail === null || salt === null)
      return digest === undefined || position <= this.#forgottenPosition
        ? undefined
        : 'its detail is gone, and no customer was forgotten since';
    return digest === saltedDigest(salt, detail)
      ? undefined
      : 'its detail was changed after it was written';
  }

  async #compare(): Promise<void> {
    const told = this.#told;
    this.#told = new Map();
    const rows = await this.#trail.payments([...told.keys()]);
    const stored = new Map(rows.map((row) => [row.id, row]));
    for (const [id, one] of told) {
      const row = stored.get(id);
      const read = row && recordIn({ ...row, kind: 'payment' });
      const payment = read?.kind === 'payment' ? read.record : undefined;
      const difference = row === undefined ? 'it is not stored' : differenceOf(row, payment, one);
      if (difference !== undefined) this.#add(`payment ${id}: ${difference}`);
      const { replay } = one;
      const amount = replay.amount ?? payment?.terms.amount;
      if (amount !== undefined)
        this.#audited.add({ what: `payment ${replay.state}`, count: 1, ...amount });
    }
  }
}

const differenceOf = (row: StoredPaymentRow, payment: Payment | undefined, told: Told) => {
  const { replay, digest } = told;
  if (payment === undefined) return 'its body is no payment';
  const difference = replay.differenceTo(payment);
  if (difference !== undefined) return `it is stored as ${difference}`;
  if (digest !== saltedDigest(row.salt, row.body)) return 'it was changed after it was written';
  // Made of the body, so they tell nothing where that was changed.
  const columns = Object.entries(paymentColumns(payment)) as [keyof PaymentColumns, unknown][];
  const agree =
    row.version === payment.version &&
    // An earlier version has fewer columns.
    columns.every(([column, value]) => row[column] === undefined || row[column] === value);
  return agree ? undefined : 'what it is searched by differs from the record itself';
};

const whyBroken = ({ last }: Chain, { seq, entry, hash }: StoredAuditRow): string | undefined => {
  const expected = (last?.seq ?? 0) + 1;
  // Then the hash cannot fit either.
  if (seq !== expected) return `row ${expected} is missing before it`;
  return chainHash(last?.hash, seq, entry).equals(hash)
    ? undefined
    : 'it was changed after it was written';
};

export type AuditVerdict = {
  /** The broken places that are named, and how many there are in all; 0: the trail is whole. */
  readonly places: readonly string[];
  readonly broken: number;
  readonly rows: number;
  /** The payments as they are stored, and as the trail has them. */
  readonly stored: StoreTally;
  readonly audited: StoreTally;
  /** A hash over all that was checked; kept elsewhere, it shows later whether the trail was written again. */
  readonly head: string;
  /** Whether a head that was noted earlier is still part of the trail; undefined: none was given. */
  readonly hasNoted?: boolean;
};
