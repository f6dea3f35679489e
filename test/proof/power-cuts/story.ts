import type { Payment } from '../../../src/core/records/payment.ts';
import type { AuditRow, Change, Kind, Put, Records } from '../../../src/core/records/records.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { ama, aPayment, shop } from '../../support/a-payment.ts';
import { Dice } from '../storm/dice.ts';

const STARTS_MS = Date.UTC(2026, 0, 31, 20);
/** A payment has a commit for each of its states, then comes one of settings. */
const CYCLE = 5;
/** Commits beyond the steps, for what goes on after a power cut. */
const SPARE_COMMITS = 200;
/** The store makes a checkpoint after 500 commits. */
const BURST_COMMITS = 520;

/** Changed by every commit: its version is the number of the last one. */
export const COUNTER = 'counter';

type RecordKey = `${Kind}/${string}`;
export type StoredRecords = ReadonlyMap<RecordKey, Put>;

export type Step =
  /** These commits, asked for in one turn of the event loop. */
  | { readonly kind: 'commit'; readonly first: number; readonly last: number }
  | { readonly kind: 'restart' }
  /** The customer of the payment that commit `made` made. */
  | { readonly kind: 'forget'; readonly made: number }
  | { readonly kind: 'backup'; readonly name: string };

export type StoryLength = {
  readonly groups: number;
  /** Whether there are so many small commits that the store makes a checkpoint while it works. */
  readonly hasBurst: boolean;
};

/** What a store is asked for; the same seed and length give the same, and a commit depends on its number alone. */
export class Story {
  readonly steps: readonly Step[];
  readonly #changes: Change[] = [];
  readonly #after: StoredRecords[] = [new Map()];

  constructor(seed: number, { groups, hasBurst }: StoryLength) {
    const dice = new Dice(seed);
    const steps: Step[] = [];
    const burst = hasBurst ? dice.whole(1, groups - 1) : -1;
    for (let group = 0; group < groups; group++) {
      if (group === burst)
        for (let left = BURST_COMMITS; left > 0; left -= 65) {
          const first = this.commits + 1;
          for (let n = 0; n < 65; n++) this.#add(countedOnly(this.commits + 1));
          steps.push({ kind: 'commit', first, last: this.commits });
        }
      const first = this.commits + 1;
      for (let left = dice.pick([1, 1, 1, 2, 5, 9]); left > 0; left--) this.#addOrdinary();
      steps.push({ kind: 'commit', first, last: this.commits });
      if (group % 7 === 3) steps.push(this.#pause(dice, steps));
    }
    this.steps = [...steps, { kind: 'restart' }];
    for (let n = 0; n < SPARE_COMMITS; n++) this.#addOrdinary();
  }

  get commits(): number {
    return this.#changes.length;
  }

  change(n: number): Change {
    return existing(this.#changes[n - 1]);
  }

  /** What is stored once commit n is. */
  after(n: number): StoredRecords {
    return existing(this.#after[n]);
  }

  /** Records that are there after one of these commits, or were before. */
  keys(upTo: number): Set<RecordKey> {
    const keys = new Set<RecordKey>();
    for (let n = 1; n <= upTo; n++)
      for (const { kind, record } of this.change(n).put ?? []) keys.add(`${kind}/${record.id}`);
    return keys;
  }

  #pause(dice: Dice, steps: readonly Step[]): Step {
    const told = steps.flatMap((step) => (step.kind === 'forget' ? [step.made] : []));
    const ended = Array.from({ length: this.commits }, (_, n) => n + 1).filter(
      (n) => !told.includes(n) && this.#endedAfter(n) <= this.commits,
    );
    const [made = 0] = ended;
    const kind = dice.pick(['restart', 'forget', 'backup']);
    if (kind === 'backup') return { kind, name: `backup-${steps.length}` };
    return kind === 'forget' && made > 0 ? { kind, made } : { kind: 'restart' };
  }

  /** The commit with which the payment made by commit n is settled; Infinity: it makes none. */
  #endedAfter(n: number): number {
    const makes = this.change(n).put?.some(
      (put) => put.kind === 'payment' && put.record.version === 1,
    );
    return makes === true ? n + CYCLE * 2 : Number.POSITIVE_INFINITY;
  }

  #addOrdinary(): void {
    const n = this.commits + 1;
    const before = this.after(n - 1);
    const made = [...before.values()].findLast(
      (put) => put.kind === 'payment' && put.record.state !== 'completed',
    );
    const payment = made?.kind === 'payment' ? made.record : undefined;
    if (n % CYCLE === 0 && payment === undefined) this.#add(settings(n, before));
    else this.#add(payment === undefined ? newPayment(n) : nextState(n, payment));
  }

  #add(change: Change): void {
    const after = new Map(this.after(this.commits));
    for (const one of change.put ?? []) after.set(`${one.kind}/${one.record.id}`, one);
    for (const { kind, id } of change.remove ?? []) after.delete(`${kind}/${id}`);
    this.#changes.push(change);
    this.#after.push(after);
  }
}

const existing = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('The story has no such commit.');
  return value;
};

/** Who pays for the payment that commit n makes. */
export const customerOf = (n: number): string => `+2332441${String(n).padStart(5, '0')}`;

/** The id of the payment that commit n makes. */
export const paymentIdOf = (n: number): string =>
  newTransactionId(STARTS_MS + n * 60_000, { bytes: (count) => new Uint8Array(count).fill(n) });

const counted = (n: number): Put => ({
  kind: 'setting',
  record: { id: COUNTER, version: n, value: '' },
});

const COUNTED_ROW = { kind: 'setting', id: COUNTER, before: null, after: null } as const;

const countedRow = (n: number): AuditRow => ({ ...COUNTED_ROW, atMs: n, what: `commit ${n}` });

const countedOnly = (n: number): Change => ({ put: [counted(n)], audit: [countedRow(n)] });

const newPayment = (n: number): Change => {
  const base = aPayment();
  const payment: Payment = {
    ...base,
    id: paymentIdOf(n),
    terms: { ...base.terms, customerNumber: customerOf(n), reference: `order ${n}` },
    confirmedAtMs: STARTS_MS + n * 60_000,
  };
  return paymentChange(n, payment, null);
};

const STATES = ['confirmed', 'submitting', 'pending', 'completed'] as const;

const nextState = (n: number, before: Payment): Change => {
  const { due: _, ...rest } = before;
  const state = existing(STATES[before.version]);
  return paymentChange(n, { ...rest, version: before.version + 1, state }, before.state);
};

/** A payment in a new state, its audit row and the notice that it owes: all of it or nothing. */
const paymentChange = (n: number, payment: Payment, before: string | null): Change => {
  const { id, version, state, terms } = payment;
  const words = 'x'.repeat(n % 10 === 0 ? 9_000 : 300);
  const detail = { amount: terms.amount, from: terms.customerNumber, words };
  const row = { kind: 'payment', id, what: state, before, after: state, version } as const;
  const isOver = state === 'completed';
  return {
    put: [
      counted(n),
      { kind: 'payment', record: payment },
      ...(isOver ? [] : [owedNotice(n, payment)]),
    ],
    remove: isOver ? [{ kind: 'notice', id: `${id}.card`, version: STATES.length - 1 }] : [],
    audit: [countedRow(n), { ...row, atMs: n, detail }],
  };
};

const owedNotice = (n: number, { id, version }: Payment): Put => ({
  kind: 'notice',
  record: {
    ...{ id: `${id}.card`, version, due: { queue: 'notice', atMs: n } },
    ...{ about: { kind: 'card', paymentId: id }, conversation: shop, to: ama },
    ...{ createdAtMs: n, attempts: 0, mayStand: false },
  },
});

/** A long one comes, and the one before it goes. */
const settings = (n: number, before: StoredRecords): Change => {
  const old = [...before.values()].find((put) => put.record.id.startsWith('long-'));
  const record: Records['setting'] = { id: `long-${n}`, version: 1, value: 'x'.repeat(6_000) };
  return {
    put: [counted(n), { kind: 'setting', record }],
    remove: old === undefined ? [] : [{ kind: 'setting', id: old.record.id, version: 1 }],
    audit: [countedRow(n)],
  };
};
