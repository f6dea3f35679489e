import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { Callbacks } from '../../../src/core/callbacks/callbacks.ts';
import { Payments } from '../../../src/core/payments/payments.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { AuditRow, Change } from '../../../src/core/records/records.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { observedStore } from '../../../src/core/telemetry/observer.ts';
import { aPayment } from '../../support/a-payment.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { openInstance, startPostgres } from '../../support/postgres.ts';
import { testSeal } from '../../support/test-seal.ts';

const postgres = await startPostgres();
const LARGEST = 64 * 1024;
const KEPT = 5;
const FLOOD = 3_000;

const stores: Record<string, (clock: ManualClock) => Promise<Store>> = {
  'the embedded store': openStore,
  PostgreSQL: async (clock) => {
    await postgres.emptyTables();
    return (await openInstance(postgres.url(), { clock, isTimeGiven: true })).store;
  },
};

describe.each(Object.entries(stores))('a flood of callbacks at one address, in %s', (_, open) => {
  let clock: ManualClock;
  let store: Store;
  let changes: Change[];
  let payments: Payments;
  let callbacks: Callbacks;
  let isAway: boolean;
  let entries: { message: string }[];

  beforeEach(async () => {
    clock = new ManualClock();
    changes = [];
    isAway = false;
    // With a clock of its own, so that the sleepers of the other are those of the callbacks alone.
    const opened = await open(new ManualClock());
    const watched = observedStore(opened, (change) => {
      if (isAway) throw new Error('the store is away');
      changes.push(change);
      return () => {};
    });
    store = watched;
    const alerts = noOperators({ store, clock });
    const policy = { scheduleMs: [36_000_000], giveUpMs: 259_200_000 };
    payments = new Payments({ seal: testSeal, store, clock, policy, alerts });
    callbacks = newCallbacks();
  });

  const newCallbacks = () => {
    const captured = capturedLog();
    entries = captured.entries;
    const made = new Callbacks({
      payments,
      clock,
      unmatched: { keep: async () => 'not ours' },
      log: captured.log,
      secrets: ['a-secret-of-the-shop'],
      publicUrl: 'http://localhost',
    });
    onTestFinished(() => made.stop());
    return made;
  };

  const pending = async (changed: Partial<Payment> = {}): Promise<Payment> => {
    const nowMs = clock.now();
    const due = { queue: 'check', atMs: nowMs + 36_000_000 } as const;
    const record = aPayment({
      state: 'pending',
      confirmedAtMs: nowMs,
      submittedAtMs: nowMs,
      due,
      ...changed,
    });
    await store.commit({ put: [{ kind: 'payment', record }] });
    changes.length = 0;
    return record;
  };
  const stored = async (id: string): Promise<Payment> => {
    const payment = await payments.get(id);
    if (payment === undefined) throw new Error(`no payment ${id}`);
    return payment;
  };
  const flood = async (id: string, times = FLOOD): Promise<Set<number>> => {
    const body = JSON.stringify({ message: 'x'.repeat(LARGEST - 20) });
    const statuses = await Promise.all(
      Array.from({ length: times }, () => callbacks.receive(id, body, 'application/json')),
    );
    return new Set(statuses);
  };
  const checkedNow = async (id: string): Promise<void> => {
    const finding = { kind: 'pending', answer: {} } as const;
    const { hints: hintsBefore } = await stored(id);
    await payments.record(id, { kind: 'checked', finding, hintsBefore });
  };
  /** What the clock woke is under way in the store for a moment. */
  const counted = (id: string, hints: number): Promise<void> =>
    eventually(async () => expect((await stored(id)).hints).toBe(hints));
  const rows = async (id: string): Promise<AuditRow[]> =>
    (await store.auditOf(id)).filter(({ what }) => what === 'callback');

  it('is answered 200 throughout, keeps the first five bodies cut to 4 KiB, and counts the rest', {
    tags: ['T2'],
  }, async () => {
    const { id } = await pending();
    expect(await flood(id)).toEqual(new Set([200]));
    // The first ones, the first of those that are counted, and nothing more for ten seconds.
    expect(changes).toHaveLength(KEPT + 1);
    await clock.advance(10_000);
    await counted(id, FLOOD);
    expect(changes).toHaveLength(KEPT + 2);
    const kept = await rows(id);
    expect(kept.filter(({ detail }) => detail?.['body'] !== undefined)).toHaveLength(KEPT);
    expect(kept[0]?.detail).toMatchObject({
      contentType: 'application/json',
      bodyBytes: LARGEST - 6,
    });
    expect(String(kept[0]?.detail?.['body']).length).toBe(4 * 1024);
    expect(kept.at(-1)?.detail).toMatchObject({ count: FLOOD - KEPT - 1 });
    expect(JSON.stringify(changes).length).toBeLessThan(64 * 1024);
  });

  it('that lasts takes one commit in ten seconds, and its end none', {
    tags: ['F22'],
  }, async () => {
    const { id } = await pending();
    await flood(id, 10);
    changes.length = 0;
    for (let second = 0; second < 60; second++) {
      await flood(id, 3);
      await clock.advance(1_000);
    }
    expect(changes.length).toBeLessThanOrEqual(6);
    await clock.advance(10_000);
    await counted(id, 190);
    expect(changes.length).toBeLessThanOrEqual(7);
    await clock.advance(10_000);
    await eventually(() => expect(clock.sleeping).toBe(0));
    await clock.advance(60_000);
    await flood(id, 1);
    expect((await stored(id)).hints).toBe(191);
  });

  it('still brings a check forward after each one that was made, at once and durably', {
    tags: ['T2'],
  }, async () => {
    const { id } = await pending();
    await flood(id, 100);
    await clock.advance(10_000);
    await counted(id, 100);
    for (let round = 0; round < 5; round++) {
      await checkedNow(id);
      const { due, lastCheckAtMs = 0 } = await stored(id);
      expect(due?.atMs).toBeGreaterThan(clock.now() + 60_000);
      changes.length = 0;
      await flood(id, 50);
      const spacingMs = round === 0 ? 4_000 : 10_000;
      expect((await stored(id)).due?.atMs).toBe(lastCheckAtMs + spacingMs);
      expect(changes.length).toBeLessThanOrEqual(2);
      await clock.advance(10_000);
      await counted(id, 100 + 50 * (round + 1));
    }
  });

  it('also brings one forward when it came while the service was being asked by another instance', async () => {
    const { id } = await pending({ hints: 20, hintChecks: 5 });
    await flood(id, 2);
    await clock.advance(1_000);
    const { hints: hintsBefore } = await stored(id);
    await flood(id, 1);
    await clock.advance(1_000);
    const finding = { kind: 'pending', answer: {} } as const;
    await payments.record(id, { kind: 'checked', finding, hintsBefore });
    const checkedAtMs = clock.now();
    await clock.advance(8_000);
    await eventually(async () => expect((await stored(id)).due?.atMs).toBe(checkedAtMs + 10_000));
  });

  it('of a payment that settled asks once more after each check, as a single callback does', async () => {
    const { due: _, ...settled } = aPayment({ state: 'completed', settledAtMs: clock.now() });
    await store.commit({ put: [{ kind: 'payment', record: settled }] });
    await flood(settled.id, 100);
    expect((await stored(settled.id)).due).toMatchObject({ queue: 'check' });
    const finding = { kind: 'completed', answer: {} } as const;
    await payments.record(settled.id, { kind: 'checked', finding });
    expect((await stored(settled.id)).due).toBeUndefined();
    await flood(settled.id, 1);
    expect((await stored(settled.id)).due).toMatchObject({ queue: 'check' });
  });

  it('is counted to its last one when the program stops', async () => {
    const { id } = await pending();
    await flood(id, 40);
    await callbacks.stop();
    expect((await stored(id)).hints).toBe(40);
    expect(clock.sleeping).toBe(0);
  });

  it('is counted later when the store is away as it is to be written down', async () => {
    const { id } = await pending();
    await flood(id, 40);
    isAway = true;
    await clock.advance(10_000);
    await eventually(() =>
      expect(entries.map(({ message }) => message)).toEqual(['callbacks could not be counted yet']),
    );
    isAway = false;
    await clock.advance(10_000);
    await counted(id, 40);
  });

  it('is cut between two characters', async () => {
    const { id } = await pending();
    await callbacks.receive(id, `x${'é'.repeat(4_000)}`, 'text/plain');
    const [row] = await rows(id);
    expect(row?.detail).toMatchObject({ body: `x${'é'.repeat(2_047)}`, bodyBytes: 8_001 });
  });

  it('is not needed for one that is as long as callbacks are: its body is kept whole', async () => {
    const { id } = await pending();
    await callbacks.receive(id, '{"status":"completed"}', 'application/json');
    const [row] = await rows(id);
    expect(row?.detail).toEqual({
      body: '{"status":"completed"}',
      contentType: 'application/json',
    });
  });
});
