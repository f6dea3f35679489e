import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { LONGEST_WAIT_MS } from '../../../../src/core/records/due.ts';
import type { Store } from '../../../../src/core/store/store.ts';
import { openStore } from '../../../support/open-store.ts';

type Step =
  | { readonly do: 'add' | 'release' | 'keep'; readonly item: number; readonly atMs: number }
  | { readonly do: 'remove'; readonly item: number }
  | { readonly do: 'claim'; readonly nowMs: number };

const MINUTE_MS = 60_000;
const LEASE_MS = 20 * MINUTE_MS;
const LONGEST_MS = LONGEST_WAIT_MS.submit;
const ALL = 1_000;

/** The same by looking at everything each time. */
class PlainQueue {
  #waiting: { item: number; atMs: number; leased: boolean }[] = [];

  do(step: Step): number[] {
    const known = this.#waiting.find((one) => 'item' in step && one.item === step.item);
    if (step.do === 'add') this.#place(step.item, step.atMs, false);
    if (step.do === 'release' && known?.leased) this.#place(step.item, step.atMs, false);
    if (step.do === 'keep' && known?.leased) this.#place(step.item, step.atMs, true);
    if (step.do === 'remove') this.#waiting = this.#waiting.filter((one) => one !== known);
    return step.do === 'claim' ? this.#claim(step) : [];
  }

  get size(): number {
    return this.#waiting.length;
  }

  nextMs(): number | undefined {
    return this.#waiting.map(({ atMs }) => atMs).toSorted((a, b) => a - b)[0];
  }

  #claim({ nowMs }: { nowMs: number }): number[] {
    const due = this.#waiting.filter(({ atMs }) => atMs <= nowMs || atMs > nowMs + LONGEST_MS);
    for (const { item } of due) this.#place(item, nowMs + LEASE_MS, true);
    return due.map(({ item }) => item);
  }

  #place(item: number, atMs: number, leased: boolean): void {
    this.#waiting = [...this.#waiting.filter((one) => one.item !== item), { item, atMs, leased }];
  }
}

const idOf = (item: number): string => `item ${item}`;
const versions = new Map<Store, Map<number, number>>();

const perform = async (store: Store, step: Step): Promise<number[]> => {
  const known = versions.get(store) ?? new Map<number, number>();
  versions.set(store, known);
  if (step.do === 'claim') {
    const claimed = await store.claim('submit', { ...step, leaseMs: LEASE_MS, limit: ALL });
    return claimed.map(({ record: { id } }) => Number(id.split(' ')[1]));
  }
  const [id, version] = [idOf(step.item), known.get(step.item) ?? 0];
  if (step.do === 'remove') {
    if (version > 0) await store.commit({ remove: [{ kind: 'setting', id, version }] });
    known.delete(step.item);
    return [];
  }
  const { atMs } = step;
  if (step.do !== 'add') {
    await store.release('setting', id, atMs, step.do === 'keep');
    return [];
  }
  const due = { queue: 'submit', atMs } as const;
  const record = { id, version: version + 1, value: '', due };
  await store.commit({ put: [{ kind: 'setting', record }] });
  known.set(step.item, version + 1);
  return [];
};

const item = fc.integer({ min: 0, max: 30 });
const moment = fc.integer({ min: 0, max: 240 }).map((minutes) => minutes * MINUTE_MS);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({
    do: fc.constantFrom('add' as const, 'add' as const, 'release' as const, 'keep' as const),
    item,
    atMs: moment,
  }),
  fc.record({ do: fc.constant('remove' as const), item }),
  fc.record({ do: fc.constant('claim' as const), nowMs: moment }),
);

/** Far less than a lease. */
const SLOT_MS = 20_000;
const bulkStep = fc.record({
  do: fc.constantFrom(
    'add' as const,
    'claim' as const,
    'claim' as const,
    'end' as const,
    'again' as const,
  ),
  count: fc.constantFrom(1, 20, 90, 400),
  slot: fc.integer({ min: 0, max: 2 }),
});

const notice = (id: string, atMs: number) => ({
  kind: 'setting' as const,
  record: { id, version: 1, value: '', due: { queue: 'submit' as const, atMs } },
});

describe('what is due', () => {
  it('is what looking at everything each time would find', { tags: ['F77'] }, async () => {
    const stores: Store[] = [];
    onTestFinished(() => versions.clear());
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
        const store = await openStore();
        stores.push(store);
        const plain = new PlainQueue();
        for (const one of steps) {
          const claimed = await perform(store, one);
          expect(claimed.toSorted()).toEqual(plain.do(one).toSorted());
          expect(await store.nextDueMs('submit')).toBe(plain.nextMs());
          expect(await store.countDue('submit')).toBe(plain.size);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('is the same where far more wait than are looked at', { tags: ['F77'] }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bulkStep, { minLength: 15, maxLength: 30 }), async (steps) => {
        const store = await openStore();
        const waiting = new Map<string, { version: number; atMs: number }>();
        const working: string[] = [];
        const due = (id: string, atMs: number) => {
          const version = (waiting.get(id)?.version ?? 0) + 1;
          waiting.set(id, { version, atMs });
          return { ...notice(id, atMs).record, version };
        };
        let [made, turn] = [0, 0];
        for (const { do: what, count, slot } of steps) {
          const claim = { nowMs: slot * SLOT_MS, leaseMs: LEASE_MS, limit: count };
          if (what === 'claim') {
            const oldest = [...waiting]
              .filter(([, { atMs }]) => atMs <= claim.nowMs)
              .toSorted(([, one], [, other]) => one.atMs - other.atMs)
              .slice(0, count)
              .map(([id]) => id);
            const claimed = (await store.claim('submit', claim)).map(({ record: { id } }) => id);
            expect(claimed).toEqual(oldest);
            for (const id of oldest) {
              const { version = 0 } = waiting.get(id) ?? {};
              // Later than all that is claimed, and each at a moment of its own.
              waiting.set(id, { version, atMs: claim.nowMs + LEASE_MS });
            }
            working.push(...oldest);
          } else if (what === 'end') {
            const remove = working.splice(0, count).map((id) => {
              const { version = 0 } = waiting.get(id) ?? {};
              waiting.delete(id);
              return { kind: 'setting' as const, id, version };
            });
            await store.commit({ remove });
          } else {
            const ids =
              what === 'again'
                ? working.splice(0, count)
                : Array.from({ length: count }, () => `item ${made++}`);
            const records = ids.map((id) => due(id, slot * SLOT_MS + turn++));
            await store.commit({ put: records.map((record) => ({ kind: 'setting', record })) });
          }
          const first = Math.min(...[...waiting.values()].map(({ atMs }) => atMs));
          expect(await store.nextDueMs('submit')).toBe(waiting.size === 0 ? undefined : first);
        }
        await store.close();
      }),
      { numRuns: 120 },
    );
  });

  it('is given oldest first, as much as was asked for, whatever is leased before it', async () => {
    const store = await openStore();
    const order = [5, 3, 9, 1, 7];
    await store.commit({ put: order.map((atMs) => notice(`at ${atMs}`, atMs)) });
    const claim = async (nowMs: number, limit: number) =>
      (await store.claim('submit', { nowMs, leaseMs: 100, limit })).map(({ record }) => record.id);
    expect(await claim(8, 2)).toEqual(['at 1', 'at 3']);
    expect(await claim(8, 9)).toEqual(['at 5', 'at 7']);
    expect(await claim(8, 9)).toEqual([]);
    expect(await claim(9, 9)).toEqual(['at 9']);
  });

  it('is given once in one claim, even with a lease of no length', async () => {
    const store = await openStore();
    await store.commit({ put: [notice('a', 1)] });
    expect(await store.claim('submit', { nowMs: 5, leaseMs: 0, limit: 9 })).toHaveLength(1);
  });

  it('is not early by a part of a millisecond', async () => {
    const store = await openStore();
    await store.commit({ put: [notice('a', 1.5)] });
    expect(await store.claim('submit', { nowMs: 1, leaseMs: 0, limit: 9 })).toEqual([]);
    expect(await store.nextDueMs('submit')).toBe(2);
  });
});
