import { DatabaseSync } from 'node:sqlite';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LONGEST_WAIT_MS } from '../../../../src/core/records/due.ts';
import type { Change } from '../../../../src/core/records/records.ts';
import { systemRandom } from '../../../../src/core/runtime/random.ts';
import { preparedChange } from '../../../../src/core/store/sql/prepared-change.ts';
import { prepareDatabase } from '../../../../src/core/store/sqlite/database-file.ts';
import { DUE_AFTER, DueRecords } from '../../../../src/core/store/sqlite/due-records.ts';
import { RecordTables } from '../../../../src/core/store/sqlite/record-tables.ts';
import { setting } from '../../../contracts/store/records.ts';
import { silentLog } from '../../../support/silent-log.ts';

type Step =
  | { readonly do: 'add' | 'release'; readonly item: number; readonly atMs: number }
  | { readonly do: 'remove'; readonly item: number }
  | { readonly do: 'claim'; readonly nowMs: number; readonly limit: number };

const LEASE_MS = 20;
/** Less than some of the moments are apart, so that the clock seems to be set back at times. */
const LONGEST_MS = LONGEST_WAIT_MS.bulk;

/** The same by looking at everything each time. */
class PlainQueue {
  #waiting: { item: number; atMs: number; leased: boolean }[] = [];

  do(step: Step): number[] {
    const known = this.#waiting.find((one) => 'item' in step && one.item === step.item);
    if (step.do === 'add') this.#place(step.item, step.atMs, false);
    if (step.do === 'release' && known?.leased) this.#place(step.item, step.atMs, false);
    if (step.do === 'remove') this.#waiting = this.#waiting.filter((one) => one !== known);
    return step.do === 'claim' ? this.#claim(step) : [];
  }

  nextMs(): number | undefined {
    return this.#inOrder()[0]?.atMs;
  }

  #claim({ nowMs, limit }: { nowMs: number; limit: number }): number[] {
    const due = this.#inOrder().filter(({ atMs }) => atMs <= nowMs || atMs > nowMs + LONGEST_MS);
    const items = due.slice(0, limit).map(({ item }) => item);
    for (const item of items) this.#place(item, nowMs + LEASE_MS, true);
    return items;
  }

  #inOrder() {
    return this.#waiting.toSorted((a, b) => a.atMs - b.atMs || a.item - b.item);
  }

  #place(item: number, atMs: number, leased: boolean): void {
    this.#waiting = [...this.#waiting.filter((one) => one.item !== item), { item, atMs, leased }];
  }
}

/** The queue `bulk` over tables of its own; items are named so that their ids sort as they do. */
class StoredQueue {
  readonly database = new DatabaseSync(':memory:');
  readonly due: DueRecords;
  readonly #tables: RecordTables;
  readonly #versions = new Map<number, number>();

  constructor() {
    prepareDatabase(this.database);
    this.#tables = new RecordTables(this.database);
    const read = this.#tables.put.bind(this.#tables);
    this.due = new DueRecords({ log: silentLog, database: this.database, read });
  }

  do(step: Step): number[] {
    if (step.do === 'add') this.#add(step.item, step.atMs);
    if (step.do === 'release') this.due.release('setting', nameOf(step.item), step.atMs, false);
    if (step.do === 'remove') this.#remove(step.item);
    if (step.do !== 'claim') return [];
    const claimed = this.due.claim('bulk', { ...step, leaseMs: LEASE_MS });
    return claimed.map(({ record }) => Number(record.id));
  }

  #add(item: number, atMs: number): void {
    const version = (this.#versions.get(item) ?? 0) + 1;
    this.#versions.set(item, version);
    const record = { id: nameOf(item), version, due: { queue: 'bulk' as const, atMs } };
    this.#commit({ put: [setting(record)] });
  }

  #remove(item: number): void {
    const version = this.#versions.get(item);
    if (version === undefined) return;
    this.#versions.delete(item);
    this.#commit({ remove: [{ kind: 'setting', id: nameOf(item), version }] });
  }

  #commit(change: Change): void {
    const prepared = preparedChange(change, systemRandom);
    expect(this.#tables.write(prepared)).toBe(true);
    this.due.take(prepared);
  }
}

const nameOf = (item: number): string => String(item).padStart(4, '0');

const item = fc.integer({ min: 0, max: 30 });
const moment = fc.integer({ min: 0, max: 60 }).map((n) => (n * LONGEST_MS) / 30);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constantFrom('add' as const, 'release' as const), item, atMs: moment }),
  fc.record({ do: fc.constant('remove' as const), item }),
  fc.record({
    do: fc.constant('claim' as const),
    nowMs: moment,
    limit: fc.integer({ min: 0, max: 5 }),
  }),
);

describe('the due queue', () => {
  it('does what looking at everything each time would do', { tags: ['F77'] }, () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 300 }), (steps) => {
        const queue = new StoredQueue();
        const plain = new PlainQueue();
        for (const one of steps) {
          expect(queue.do(one)).toEqual(plain.do(one));
          expect(queue.due.nextMs('bulk')).toBe(plain.nextMs());
        }
        queue.database.close();
      }),
      { numRuns: 100 },
    );
  });

  it('gives nothing twice in one claim, even with a lease of no length', () => {
    const queue = new StoredQueue();
    queue.do({ do: 'add', item: 1, atMs: 1 });
    const all = { nowMs: 5, leaseMs: 0, limit: 9 };
    expect(queue.due.claim('bulk', all)).toHaveLength(1);
    expect(queue.due.claim('bulk', all)).toHaveLength(1);
  });

  it('reads no table from end to end', { tags: ['I19'] }, () => {
    const { database } = new StoredQueue();
    const plan = database.prepare(`EXPLAIN QUERY PLAN ${DUE_AFTER} ORDER BY fromMs LIMIT ?3`);
    const steps = plan.all('bulk', 0, 9).map(({ detail }) => String(detail));
    expect(steps.filter((each) => /^(SCAN|SEARCH|USE)/.test(each))).toEqual([
      'SEARCH payments USING INDEX payments_queued (<expr>=? AND <expr>>?)',
      'SEARCH records USING COVERING INDEX records_queued (<expr>=? AND <expr>>?)',
    ]);
  });

  it('stays quick when records are claimed and put off again and again', { tags: ['I19'] }, () => {
    const queue = new StoredQueue();
    const items = Array.from({ length: 500 }, (_, item) => item);
    for (let round = 1; round <= 10; round++) {
      for (const item of items) queue.do({ do: 'add', item, atMs: round });
      expect(queue.do({ do: 'claim', nowMs: round, limit: 1_000 })).toHaveLength(500);
    }
    for (const item of items) queue.do({ do: 'remove', item });
    expect(queue.due.nextMs('bulk')).toBeUndefined();
    expect(queue.due.count('bulk')).toBe(0);
  });
});
