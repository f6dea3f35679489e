import { expect } from 'vitest';
import type { Kind } from '../../src/core/records/records.ts';
import { StartError } from '../../src/core/runtime/errors.ts';
import { nextTurn } from '../../src/core/runtime/next-turn.ts';
import { openEmbeddedStore } from '../../src/core/store/embedded-store.ts';
import { readJournal } from '../../src/core/store/journal-replay.ts';
import type { Store } from '../../src/core/store/store.ts';
import { ManualClock } from './manual-clock.ts';
import { type DiskFault, type DiskOperation, MemoryDisk } from './memory-disk.ts';
import { MemoryProcesses } from './memory-processes.ts';
import { silentLog } from './silent-log.ts';
import {
  COUNTER,
  HISTORY_STARTS_MS,
  type RecordKey,
  type StoredRecords,
  type StoreHistory,
} from './store-history.ts';

export const DATA_DIR = '/srv/shop/data';
/** A start after an accident comes this much later, so a lock that names nobody is old enough. */
const AFTERWARDS_MS = 10_000;

/** A flush gives others time, so that a checkpoint meets commits in all their stages. */
const LONGEST_FLUSH_TURNS = 15;

/** What happens to a store, in order. */
export type Step =
  /** So many commits of the history in one turn; `waitMs`: after some time in which nobody woke, so that all wake now. */
  | { readonly commit: number; readonly waitMs?: number }
  /** Time goes on. */
  | { readonly waitMs: number }
  /** Somebody sets the clock. */
  | { readonly setMs: number }
  | 'stop and start';

/** How a life ended: to the end of the steps, by an accident, or at a start that was refused. */
export type LifeEnd = 'done' | 'died' | 'refused';

/**
 * A store on a disk in memory, over all its starts and accidents, and what the outside was told meanwhile.
 * At every start it is compared with that: all that was acknowledged is there, and nothing in parts.
 */
export class StoreLife {
  readonly clock = new ManualClock(HISTORY_STARTS_MS);
  readonly #processes = new MemoryProcesses();
  readonly #history: StoreHistory;
  readonly #steps: readonly Step[];
  disk: MemoryDisk;
  /** What each process said when it could not go on. */
  readonly fatal: string[][] = [];
  /** How the life that runs, or ran last, dealt with its disk: what it asked for, and what came of it. */
  readonly asked: (DiskOperation & { readonly fault?: DiskFault })[] = [];
  /** Why a start was refused. */
  readonly refusals: StartError[] = [];
  #store: Store | undefined;
  #step = 0;
  #acknowledged = 0;
  #asked = 0;

  constructor(options: {
    readonly history: StoreHistory;
    readonly steps: readonly Step[];
    readonly random: () => number;
  }) {
    this.#history = options.history;
    this.#steps = options.steps;
    const { random } = options;
    this.disk = new MemoryDisk({
      random,
      now: () => this.clock.now(),
      flushTurns: () => (random() < 0.2 ? Math.floor(random() * LONGEST_FLUSH_TURNS) : 0),
    });
  }

  /** Starts, and goes on with the steps where the last life ended. */
  async live(fault: (operation: DiskOperation) => DiskFault | undefined = none): Promise<LifeEnd> {
    this.asked.length = 0;
    this.disk.fault = (operation) => {
      const happens = fault(operation);
      this.asked.push(happens === undefined ? operation : { ...operation, fault: happens });
      return happens;
    };
    const end = await this.#untilItEnds();
    const { disk } = this;
    // What a dead process goes on to do inside itself nobody sees.
    await this.#store?.close().catch(() => {});
    this.#store = undefined;
    if (disk === this.disk) this.disk = disk.isDead ? disk.beside() : disk.kill();
    this.#processes.kill();
    this.clock.jump(AFTERWARDS_MS);
    return end;
  }

  /** Between two lives: the machine itself goes down. */
  cutPower(): void {
    this.disk = this.disk.crash();
    this.#processes.reboot();
  }

  /** A last start at which nothing goes wrong: everything is there, and what comes next is stored. */
  async expectWhole(): Promise<void> {
    expect(await this.live()).toBe('done');
    expect(this.#acknowledged).toBe(this.#asked);
    this.cutPower();
    expect(await this.live()).toBe('done');
    await this.#expectAudit();
  }

  async #untilItEnds(): Promise<LifeEnd> {
    try {
      await this.#open();
      for (; this.#step < this.#steps.length; this.#step++) await this.#take();
      await this.#store?.close();
      this.#mustLive();
      return 'done';
    } catch (error) {
      if (this.#isOver) return 'died';
      // An error of the disk has its own code; anything else, such as a journal that is not whole, is no accident.
      const systems = error instanceof StartError ? error.cause : error;
      if (!(systems instanceof Error && 'syscall' in systems)) throw error;
      if (error instanceof StartError) this.refusals.push(error);
      return error instanceof StartError ? 'refused' : 'died';
    }
  }

  async #open(): Promise<void> {
    const { disk } = this;
    const told: string[] = [];
    this.fatal.push(told);
    const starting = openEmbeddedStore({
      dir: DATA_DIR,
      clock: this.clock,
      log: silentLog,
      disk,
      processes: this.#processes.start(),
      onFatal: (error) => {
        if (!disk.isDead) told.push(error.message);
      },
    });
    this.#store = await this.#inTime(starting);
    await this.#compare(this.#store);
  }

  /** A start may have to watch somebody's lock for some seconds. */
  async #inTime(starting: Promise<Store>): Promise<Store> {
    let isOver = false;
    const over = () => {
      isOver = true;
    };
    starting.then(over, over);
    for (await this.#restful(); !isOver; await this.#restful()) await this.clock.advance(1_000);
    return starting;
  }

  async #take(): Promise<void> {
    const step = this.#steps[this.#step];
    if (step === undefined || this.#store === undefined) return;
    if (step === 'stop and start') {
      await this.#store.close();
      this.#mustLive();
      await this.#open();
    } else if ('commit' in step) {
      this.clock.jump(step.waitMs ?? 0);
      const waking = this.clock.advance(0);
      await this.#commitUpTo(this.#commitsUntil(this.#step), this.#store);
      await waking;
    } else {
      // As if the machine had slept: who sleeps wakes once, at the end.
      this.clock.jump('setMs' in step ? step.setMs : step.waitMs);
      await this.clock.advance(0);
      await this.#restful();
    }
    this.#mustLive();
  }

  get #isOver(): boolean {
    return this.disk.isDead || (this.fatal.at(-1) ?? []).length > 0;
  }

  #mustLive(): void {
    if (this.#isOver) throw new Error('It is over.');
  }

  async #commitUpTo(last: number, store: Store): Promise<void> {
    const commits: Promise<void>[] = [];
    for (let n = this.#acknowledged + 1; n <= last; n++) {
      this.#asked = Math.max(this.#asked, n);
      const commit = store.commit(this.#history.change(n, this.fatal.length)).then((isStored) => {
        expect(isStored, `commit ${n}`).toBe(true);
        this.#acknowledged = Math.max(this.#acknowledged, n);
      });
      commits.push(commit);
      if (this.#history.isSlow(n)) await Promise.allSettled(commits);
    }
    const results = await Promise.allSettled(commits);
    for (const result of results) if (result.status === 'rejected') throw result.reason;
  }

  /** How many commits there are when a step is over. */
  #commitsUntil(step: number): number {
    let sum = 0;
    for (const one of this.#steps.slice(0, step + 1))
      if (one !== 'stop and start' && 'commit' in one) sum += one.commit;
    return sum;
  }

  /** Until the store asks nothing of the disk any more. */
  async #restful(): Promise<void> {
    for (let seen = -1; seen !== this.disk.operations || this.disk.isFlushing; ) {
      seen = this.disk.operations;
      for (let turn = 0; turn < 3; turn++) await nextTurn();
    }
  }

  /** The store must be as one of the commits left it: the last that was acknowledged, or one after it. */
  async #compare(store: Store): Promise<void> {
    const counter = await store.get('setting', COUNTER);
    const found = counter?.version ?? 0;
    expect(found).toBeGreaterThanOrEqual(this.#acknowledged);
    expect(found).toBeLessThanOrEqual(this.#asked);
    this.#acknowledged = found;
    // Had they been stored without our knowing, they would be found.
    this.#asked = found;
    const expected = this.#history.after(found);
    const records = await this.#recordsIn(store);
    expect(records).toEqual(expected);
    const { payments } = await store.listPayments({}, { limit: 1_000 });
    expect(payments.map(({ id }) => id)).toEqual(paymentIds(expected));
  }

  async #recordsIn(store: Store): Promise<StoredRecords> {
    const found = new Map<RecordKey, unknown>();
    for (const key of this.#history.keys) {
      const [kind, id = ''] = key.split('/');
      const record = await store.get(kind as Kind, id);
      if (record !== undefined) found.set(key, { kind, record });
    }
    return found as unknown as StoredRecords;
  }

  async #expectAudit(): Promise<void> {
    const rows: string[] = [];
    for await (const piece of readJournal({ disk: this.disk, dir: DATA_DIR }))
      if (piece.kind === 'entry')
        rows.push(...(piece.entry.change.audit ?? []).map(({ what }) => what));
    expect(rows).toEqual(Array.from({ length: this.#acknowledged }, (_, n) => `commit ${n + 1}`));
  }
}

const none = () => undefined;

const paymentIds = (records: StoredRecords): string[] =>
  [...records.values()]
    .flatMap(({ kind, record }) => (kind === 'payment' ? [record.id] : []))
    .sort()
    .reverse();
