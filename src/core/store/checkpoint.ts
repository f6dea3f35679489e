import type { Low } from 'lowdb';
import type { Payment } from '../records/payment.ts';
import type { Clock } from '../runtime/clock.ts';
import { failpoint } from '../runtime/failpoints.ts';
import { type Archive, idMadeAtMs } from './archive.ts';
import { paymentsToArchive } from './archive-choice.ts';
import type { Journal } from './journal.ts';
import type { LiveRecords } from './live-records.ts';
import type { Snapshot } from './snapshot.ts';

/** A start reads at most about this much journal, or twice what is live where that is more. */
const GROWTH_BYTES = 8 * 1024 * 1024;
const GROWTH_BYTES_PER_RECORD = 2 * 1024;

/**
 * Brings archive and snapshot up to the journal. The order makes a crash harmless anywhere: what
 * leaves memory is safe in the archive before a snapshot is written without it, and only then is it dropped.
 */
export class Checkpoint {
  readonly #live: LiveRecords;
  readonly #journal: Journal;
  readonly #archive: Archive;
  readonly #snapshot: Low<Snapshot>;
  readonly #clock: Clock;
  #markBytes: number;
  #running: Promise<void> | undefined;

  constructor(options: {
    live: LiveRecords;
    journal: Journal;
    archive: Archive;
    snapshot: Low<Snapshot>;
    clock: Clock;
    replayedBytes: number;
  }) {
    this.#live = options.live;
    this.#journal = options.journal;
    this.#archive = options.archive;
    this.#snapshot = options.snapshot;
    this.#clock = options.clock;
    this.#markBytes = -options.replayedBytes;
  }

  /** No payment that left memory was confirmed later than this after its id was made. */
  get longestLeadMs(): number {
    return this.#snapshot.data.longestLeadMs;
  }

  /** The file in which the journal ended when the last snapshot was written: those before it are only read. */
  get file(): string {
    return this.#snapshot.data.position.file;
  }

  /** The journal grew enough, or began a new file (whose loss a snapshot that names it would show). */
  get isDue(): boolean {
    const { position, records } = this.#snapshot.data;
    if (this.#running !== undefined) return false;
    if (this.#journal.tail.file !== position.file) return true;
    const grownBytes = this.#journal.appendedBytes - this.#markBytes;
    return grownBytes > Math.max(GROWTH_BYTES, records.length * GROWTH_BYTES_PER_RECORD);
  }

  /** Does nothing when nothing was committed since the last one. */
  run(): Promise<void> {
    this.#running ??= this.#write().finally(() => {
      this.#running = undefined;
    });
    return this.#running;
  }

  /** What is written by then stands for everything that was committed before the call. */
  async finish(): Promise<void> {
    await this.#running;
    await this.run();
  }

  async #write(): Promise<void> {
    // Records and position are taken in the same turn, so they belong together.
    const position = this.#journal.tail;
    if (position.seq === this.#snapshot.data.position.seq) return;
    const records = [...this.#live.all()];
    const markBytes = this.#journal.appendedBytes;
    await this.#journal.whenDurable(position.seq);
    const ended = paymentsToArchive(records, {
      lastArchivedId: this.#archive.lastId,
      nowMs: this.#clock.now(),
    });
    await this.#archive.add(ended);
    failpoint('archive-added');
    const archive = this.#archive.extents;
    const gone = new Set<unknown>(ended);
    this.#snapshot.data = {
      position,
      longestLeadMs: ended.map(leadMs).reduce((a, b) => Math.max(a, b), this.longestLeadMs),
      archive,
      records: records.filter(({ record }) => !gone.has(record)),
    };
    await this.#snapshot.write();
    this.#archive.confirm(archive);
    this.#markBytes = markBytes;
    for (const payment of ended) this.#live.drop(payment);
  }
}

const leadMs = (payment: Payment): number => payment.confirmedAtMs - idMadeAtMs(payment);
