import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DueQueue } from '../../../../src/core/store/sqlite/due-records.ts';

type Step =
  | { readonly do: 'add' | 'release'; readonly item: number; readonly atMs: number }
  | { readonly do: 'remove'; readonly item: number }
  | { readonly do: 'claim'; readonly nowMs: number; readonly limit: number };

const LEASE_MS = 20;
/** Less than some of the moments are apart, so that the clock seems to be set back at times. */
const LONGEST_MS = 30;

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
    for (const { item, atMs } of this.#inOrder())
      if (atMs > nowMs + LONGEST_MS) this.#place(item, nowMs, false);
    const due = this.#inOrder().filter(({ atMs }) => atMs <= nowMs);
    const items = due.slice(0, limit).map(({ item }) => item);
    for (const item of items) this.#place(item, nowMs + LEASE_MS, true);
    return items;
  }

  #inOrder() {
    return this.#waiting.toSorted((a, b) => a.atMs - b.atMs);
  }

  #place(item: number, atMs: number, leased: boolean): void {
    this.#waiting = [...this.#waiting.filter((one) => one.item !== item), { item, atMs, leased }];
  }
}

const perform = (queue: DueQueue<number>, step: Step): number[] => {
  if (step.do === 'add') queue.add(step.item, step.atMs);
  if (step.do === 'release') queue.release(step.item, step.atMs);
  if (step.do === 'remove') queue.remove(step.item);
  return step.do === 'claim'
    ? queue.claim({ ...step, leaseMs: LEASE_MS, longestMs: LONGEST_MS })
    : [];
};

const item = fc.integer({ min: 0, max: 30 });
const moment = fc.integer({ min: 0, max: 60 });
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
        const queue = new DueQueue<number>();
        const plain = new PlainQueue();
        for (const one of steps) {
          expect(perform(queue, one)).toEqual(plain.do(one));
          expect(queue.nextMs()).toBe(plain.nextMs());
        }
      }),
      { numRuns: 200 },
    );
  });

  it('gives what is due at the same moment in the order it came', () => {
    const queue = new DueQueue<string>();
    for (const name of ['c', 'a', 'b']) queue.add(name, 7);
    expect(queue.claim({ nowMs: 7, leaseMs: 1, limit: 9, longestMs: 99 })).toEqual(['c', 'a', 'b']);
  });

  it('gives nothing twice in one claim, even with a lease of no length', () => {
    const queue = new DueQueue<string>();
    queue.add('a', 1);
    expect(queue.claim({ nowMs: 5, leaseMs: 0, limit: 9, longestMs: 99 })).toEqual(['a']);
  });

  it('stays small and quick when items are put off again and again', { tags: ['I19'] }, () => {
    const queue = new DueQueue<object>();
    const items = Array.from({ length: 5_000 }, () => ({}));
    for (let round = 0; round < 40; round++)
      for (const one of items) {
        queue.remove(one);
        queue.add(one, 1_000_000 - round);
      }
    const all = { nowMs: 1_000_000, leaseMs: 1, limit: 10_000, longestMs: 1_000_000 };
    expect(queue.claim(all)).toHaveLength(5_000);
  });
});
