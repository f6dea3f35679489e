import { describe, expect, it } from 'vitest';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Put } from '../../../src/core/records/records.ts';
import { openEmbeddedStore } from '../../../src/core/store/embedded-store.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { Dice } from '../../proof/storm/dice.ts';
import { aPayment } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { type DiskFault, type DiskOperation, MemoryDisk } from '../../support/memory-disk.ts';
import { MemoryProcesses } from '../../support/memory-processes.ts';
import { silentLog } from '../../support/silent-log.ts';

const DIR = '/srv/data';
const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;

/** A shop whose payments are all long over, so that every stop brings them to the archive. */
class OldShop {
  readonly clock = new ManualClock(Date.UTC(2026, 0, 20));
  readonly #processes = new MemoryProcesses();
  readonly #ids: string[] = [];
  disk: MemoryDisk;

  constructor(random: () => number) {
    this.disk = new MemoryDisk({ random, now: () => this.clock.now() });
  }

  async start(): Promise<Store> {
    this.#processes.reboot();
    this.clock.jump(10_000);
    return openEmbeddedStore({
      dir: DIR,
      clock: this.clock,
      log: silentLog,
      disk: this.disk,
      processes: this.#processes.start(),
      onFatal: () => {},
    });
  }

  /** Stores some payments and stops, with an accident on the way or without. */
  async day(
    payments: readonly Payment[],
    fault: (operation: DiskOperation) => DiskFault | undefined = () => undefined,
  ): Promise<void> {
    const store = await this.start();
    await this.expectAll(store);
    expect(await store.commit({ put: payments.map(asPut) })).toBe(true);
    this.#ids.push(...payments.map(({ id }) => id));
    this.disk.fault = fault;
    await store.close().catch(() => {});
    this.disk = this.disk.isDead ? this.disk.beside() : this.disk.kill();
  }

  async expectAll(store: Store): Promise<void> {
    const { payments } = await store.listPayments({}, { limit: 1_000 });
    expect(payments.map(({ id }) => id)).toEqual(this.#ids.toSorted().reverse());
    for (const id of this.#ids) expect(await store.get('payment', id)).toMatchObject({ id });
  }

  cutPower(): void {
    this.disk = this.disk.crash();
  }
}

const asPut = (record: Payment): Put => ({ kind: 'payment', record });

/** `late`: they belong between those of other days. */
const ended = (day: number, count: number, late: boolean): Payment[] =>
  Array.from({ length: count }).map((_each, n) => {
    const madeAtMs = Date.UTC(2026, 0, 5) + (late ? -day : day) * 1_000 * MINUTE_MS + n * MINUTE_MS;
    const id = newTransactionId(madeAtMs, { bytes: (count) => new Uint8Array(count).fill(n) });
    const { due: _, ...payment } = aPayment({ id, confirmedAtMs: madeAtMs });
    return { ...payment, state: 'completed', settledAtMs: Date.UTC(2026, 0, 20) - 2 * DAY_MS };
  });

/** At some moment of a stop, or at one where the archive is flushed, which matters most. */
const accident = (dice: Dice): ((operation: DiskOperation) => DiskFault | undefined) => {
  const what = dice.pick(['crash', 'EIO', 'kill', undefined]);
  let left = dice.chance(0.5) ? dice.whole(1, 30) : Number.POSITIVE_INFINITY;
  return ({ path, kind }) => {
    const strikes =
      left === Number.POSITIVE_INFINITY
        ? kind.endsWith('sync') && path.includes('archive')
        : --left === 0;
    return strikes ? what : undefined;
  };
};

describe('payments on their way to the archive', () => {
  it('are there once, wherever the disk fails between snapshots', async () => {
    for (let seed = 1; seed <= 500; seed++) {
      const dice = new Dice(seed);
      const shop = new OldShop(() => dice.between(0, 1));
      try {
        for (let day = 1; day <= 5; day++) {
          const payments = ended(day, dice.whole(1, 12), day > 1 && dice.chance(0.3));
          await shop.day(payments, accident(dice));
          if (dice.chance(0.3)) shop.cutPower();
        }
        await shop.expectAll(await shop.start());
      } catch (error) {
        throw new Error(`seed ${seed}`, { cause: error });
      }
    }
  });

  it('are there when their file was begun without a snapshot, and added to when the power went', async () => {
    for (let seed = 1; seed <= 60; seed++) {
      const dice = new Dice(seed);
      const shop = new OldShop(() => dice.between(0, 1));
      const anHourAgoMs = shop.clock.now() - 60 * MINUTE_MS;
      const fresh = (day: number) =>
        ended(day, 9, false).map((one) => ({ ...one, settledAtMs: anHourAgoMs }));
      await shop.day(fresh(1), ({ path, kind }) =>
        kind === 'open' && path.endsWith('snapshot.json.tmp') ? 'kill' : undefined,
      );
      await shop.day(fresh(2), ({ path, kind }) =>
        kind.endsWith('sync') && path.includes('archive') ? 'crash' : undefined,
      );
      await shop.expectAll(await shop.start());
    }
  });
});
