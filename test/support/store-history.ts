import type { Payment } from '../../src/core/records/payment.ts';
import type { Change, Kind, Put, Records } from '../../src/core/records/records.ts';
import { newTransactionId } from '../../src/core/values/transaction-id.ts';
import { ama, aPayment, shop } from './a-payment.ts';

/** A payment comes back with every so many. */
const RETURNS_EVERY = 9;
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** Some hours before a month ends. */
export const HISTORY_STARTS_MS = Date.UTC(2026, 0, 31, 20);

export type RecordKey = `${Kind}/${string}`;
/** What is stored after some commit, by kind and id. */
export type StoredRecords = ReadonlyMap<RecordKey, Put>;

/** The record that counts the commits: its version says which was the last. */
export const COUNTER = 'counter';

/**
 * A shop's commits, the same each time: the n-th depends on nothing but n. Payments are made, owe a notice and end,
 * long ago or just now; some end late, some come back after they ended; now and then a change is long.
 */
export class StoreHistory {
  /** After commit n there is what the n-th says. */
  readonly #after: StoredRecords[] = [new Map()];
  readonly #changes: Change[] = [];

  constructor(commits: number) {
    for (let n = 1; n <= commits; n++) {
      const before = this.after(n - 1);
      const change = changeNumber(n, before);
      this.#changes.push(change);
      this.#after.push(applied(before, change));
    }
  }

  /** A change that is asked for again is told in fewer words, so that it is not as long as what may be left of the first. */
  change(n: number, tries: number): Change {
    const change = this.#changes[n - 1];
    if (change === undefined) throw new Error(`There is no commit ${n}.`);
    const words = 'x'.repeat(Math.floor((n % 10 === 0 ? 9_000 : 900) / (tries + 1)));
    return { ...change, audit: (change.audit ?? []).map((row) => ({ ...row, detail: { words } })) };
  }

  after(n: number): StoredRecords {
    const records = this.#after[n];
    if (records === undefined) throw new Error(`There is no commit ${n}.`);
    return records;
  }

  /** Whether the store looks into its archive for it, so that commits asked for at once may overtake it. */
  isSlow(n: number): boolean {
    return n % RETURNS_EVERY === 0 || (n % 3 === 1 && isLate(n));
  }

  /** Every record there ever was. */
  get keys(): RecordKey[] {
    return [...new Set(this.#after.flatMap((records) => [...records.keys()]))];
  }
}

const changeNumber = (n: number, before: StoredRecords): Change => {
  const counter: Put = { kind: 'setting', record: { id: COUNTER, version: n, value: '' } };
  const audit = [
    { atMs: n, kind: 'setting', id: COUNTER, what: `commit ${n}`, before: null, after: null },
  ] as const;
  if (n % 3 === 1) {
    const payment = newPayment(n);
    return { put: [counter, asPut(payment), owedNotice(payment)], audit };
  }
  if (n % 3 === 2) {
    const { due: _, ...payment } = paymentOf(before, n - 1);
    // Some ended more than a day ago, so that they are put between those that are in the archive already.
    const settledAtMs = HISTORY_STARTS_MS - (n % 2 === 0 ? 2 * DAY_MS : 60 * MINUTE_MS);
    const settled: Payment = { ...payment, version: 2, state: 'completed', settledAtMs };
    const remove = [{ kind: 'notice', id: `${payment.id}.card`, version: 1 }] as const;
    return { put: [counter, asPut(settled)], remove, audit };
  }
  const returns = n % RETURNS_EVERY === 0 ? [asPut(contradicted(paymentOf(before, n - 8)))] : [];
  return { put: [counter, ...returns], audit };
};

/** Made before others that came earlier: a few even the month before. */
const isLate = (n: number): boolean => n % 4 === 0 || n % 7 === 0;

const newPayment = (n: number): Payment => {
  const days = n % 7 === 0 ? 40 : 5;
  const minutes = isLate(n) ? -n : n;
  const madeAtMs = HISTORY_STARTS_MS - days * DAY_MS + minutes * MINUTE_MS;
  const id = newTransactionId(madeAtMs, { bytes: (count) => new Uint8Array(count).fill(n) });
  return aPayment({ id, confirmedAtMs: madeAtMs + 5_000 });
};

const paymentOf = (records: StoredRecords, n: number): Payment => {
  const put = records.get(`payment/${newPayment(n).id}`);
  if (put?.kind !== 'payment') throw new Error(`Commit ${n} made no payment.`);
  return put.record;
};

const contradicted = (payment: Payment): Payment => ({
  ...payment,
  version: payment.version + 1,
  flag: 'conflict',
});

const owedNotice = (payment: Payment): Put => ({
  kind: 'notice',
  record: {
    id: `${payment.id}.card`,
    version: 1,
    due: { queue: 'notice', atMs: payment.confirmedAtMs },
    about: { kind: 'card', paymentId: payment.id },
    conversation: shop,
    to: ama,
    createdAtMs: payment.confirmedAtMs,
    attempts: 0,
    mayStand: false,
  },
});

const asPut = (record: Records['payment']): Put => ({ kind: 'payment', record });

const applied = (before: StoredRecords, { put = [], remove = [] }: Change): StoredRecords => {
  const after = new Map(before);
  for (const one of put) after.set(`${one.kind}/${one.record.id}`, one);
  for (const { kind, id } of remove) after.delete(`${kind}/${id}`);
  return after;
};
