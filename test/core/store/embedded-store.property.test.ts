import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Change, Put, Removal, Setting } from '../../../src/core/records/records.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { aPayment } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { copyAsAfterCrash, openStoreIn } from '../../support/store-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const MINUTE_MS = 60_000;

/** One step; what it does depends on what is stored by then, so numbers choose. */
type Step =
  | { readonly do: 'new payment' | 'new setting'; readonly n: number }
  | { readonly do: 'settle' | 'reopen payment' | 'stale payment'; readonly n: number }
  | { readonly do: 'change setting' | 'remove setting' | 'stale setting'; readonly n: number }
  | { readonly do: 'wait'; readonly minutes: number }
  | { readonly do: 'stop and start' | 'crash and start' };

const n = fc.nat({ max: 1_000 });
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('new payment', 'new setting'), n }) },
  { weight: 6, arbitrary: fc.record({ do: fc.constantFrom('settle', 'change setting'), n }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('reopen payment', 'remove setting'), n }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('stale payment', 'stale setting'), n }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('wait'),
      minutes: fc.constantFrom(11, 31, 1_500, 40_000),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom('stop and start', 'crash and start') }) },
);

/** A store and, beside it, maps of what must be in it. */
class Pair {
  readonly payments = new Map<string, Payment>();
  readonly settings = new Map<string, Setting>();
  readonly clock = new ManualClock();
  #dir = '';
  #settingsMade = 0;
  #store: Store | undefined;

  async start(): Promise<void> {
    this.#dir ||= await tempFolder();
    this.#store = await openStoreIn(this.#dir, { clock: this.clock });
  }

  get store(): Store {
    if (this.#store === undefined) throw new Error('It was not started.');
    return this.#store;
  }

  async do(step: Step): Promise<void> {
    switch (step.do) {
      case 'new payment':
        return this.#put(this.#newPayment(step.n));
      case 'new setting':
        return this.#put(setting(`s${this.#settingsMade++}`, 1));
      case 'settle':
        return this.#changePayment(step.n, (one, nowMs) => {
          const { due: _, ...rest } = one;
          return { ...rest, state: 'completed', settledAtMs: nowMs };
        });
      case 'reopen payment':
        return this.#changePayment(step.n, (one, nowMs) => ({
          ...one,
          flag: 'conflict',
          due: { queue: 'check', atMs: nowMs },
        }));
      case 'change setting':
        return this.#changeSetting(step.n, (one) => ({ put: [setting(one.id, one.version + 1)] }));
      case 'remove setting':
        return this.#changeSetting(step.n, ({ id, version }) => ({
          remove: [{ kind: 'setting', id, version }],
        }));
      case 'stale payment': {
        const one = pick(this.payments, step.n);
        return one && this.#expectRefused({ kind: 'payment', record: one });
      }
      case 'stale setting': {
        const one = pick(this.settings, step.n);
        return one && this.#expectRefused(setting(one.id, one.version + 2));
      }
      case 'wait':
        return this.clock.advance(step.minutes * MINUTE_MS);
      case 'stop and start':
        await this.store.close();
        return this.start();
      case 'crash and start': {
        const copy = await copyAsAfterCrash(this.#dir);
        await this.store.close();
        this.#dir = copy;
        return this.start();
      }
    }
  }

  /** Everything that can be asked agrees with the maps. */
  async expectSame(): Promise<void> {
    for (const [id, one] of this.payments) expect(await this.store.get('payment', id)).toEqual(one);
    for (const [id, one] of this.settings) expect(await this.store.get('setting', id)).toEqual(one);
    const payments = [...this.payments.values()].sort((a, b) => (a.id < b.id ? 1 : -1));
    const listed: Payment[] = [];
    for (let after: string | undefined, more = true; more; ) {
      const page = await this.store.listPayments({}, { limit: 3, ...(after && { after }) });
      listed.push(...page.payments);
      after = page.next;
      more = after !== undefined;
    }
    expect(listed).toEqual(payments);
    const sinceMs = this.clock.now() - 1_500 * MINUTE_MS;
    const recent = await this.store.listPayments({ sinceMs }, { limit: 1_000 });
    expect(recent.payments).toEqual(payments.filter((one) => one.confirmedAtMs >= sinceMs));
    const dues = payments.flatMap(({ due }) => (due === undefined ? [] : [due.atMs]));
    expect(await this.store.nextDueMs('check')).toBe(
      dues.length === 0 ? undefined : Math.min(...dues),
    );
  }

  /** Some ids are made long before the payment is confirmed. */
  #newPayment(seed: number): Put {
    const confirmedAtMs = this.clock.now();
    const id = newTransactionId(confirmedAtMs - (seed % 4) * (seed % 5) * 20 * MINUTE_MS);
    const due = { queue: 'check', atMs: confirmedAtMs + seed } as const;
    return { kind: 'payment', record: aPayment({ id, confirmedAtMs, due, state: 'pending' }) };
  }

  async #put(put: Put): Promise<void> {
    await this.#commit({ put: [put] });
  }

  async #changePayment(
    seed: number,
    change: (one: Payment, nowMs: number) => Payment,
  ): Promise<void> {
    const one = pick(this.payments, seed);
    if (one === undefined) return;
    const record = { ...change(one, this.clock.now()), version: one.version + 1 };
    await this.#put({ kind: 'payment', record });
  }

  async #changeSetting(seed: number, change: (one: Setting) => Change): Promise<void> {
    const one = pick(this.settings, seed);
    if (one !== undefined) await this.#commit(change(one));
  }

  async #commit(change: Change): Promise<void> {
    expect(await this.store.commit(change)).toBe(true);
    for (const put of change.put ?? []) {
      if (put.kind === 'payment') this.payments.set(put.record.id, put.record);
      if (put.kind === 'setting') this.settings.set(put.record.id, put.record);
    }
    for (const { id } of change.remove ?? ([] as Removal[])) this.settings.delete(id);
  }

  async #expectRefused(put: Put): Promise<void> {
    expect(await this.store.commit({ put: [put] })).toBe(false);
  }
}

const setting = (id: string, version: number): Put => ({
  kind: 'setting',
  record: { id, version, value: `${id} ${version}` },
});

const pick = <T>(map: ReadonlyMap<string, T>, seed: number): T | undefined =>
  [...map.values()][seed % Math.max(1, map.size)];

describe('the embedded store', () => {
  it('agrees with plain maps after whatever happens to it', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 60 }), async (steps) => {
        const pair = new Pair();
        await pair.start();
        for (const one of steps) {
          await pair.do(one);
          if (one.do.endsWith('start')) await pair.expectSame();
        }
        await pair.expectSame();
        await pair.store.close();
      }),
      { numRuns: 40 },
    );
  });
});
