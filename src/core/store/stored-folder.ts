import type { Clock } from '../clock.ts';
import { StartError } from '../errors.ts';
import type { Log } from '../log.ts';
import type { Payment } from '../payments/payment.ts';
import { Archive } from './archive.ts';
import { flushData, type JournalPosition } from './journal.ts';
import { journalFiles, readJournal } from './journal-replay.ts';
import type { LiveRecords } from './live-records.ts';
import { openSnapshot } from './snapshot.ts';
import type { AuditRow, Put } from './store.ts';
import { StoreLock } from './store-lock.ts';
import { recoverRecords } from './store-recovery.ts';
import { asStartError } from './unusable-folder.ts';

type Parts = {
  readonly dir: string;
  readonly lock: StoreLock;
  readonly live: LiveRecords;
  readonly archive: Archive;
  readonly tail: JournalPosition;
};

/** The data folder of an embedded store that nobody runs, locked to read all that is in it. */
export class StoredFolder {
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws {StartError} when there is no store in it, when a process has it, or when it is not whole. */
  static async open(options: { dir: string; clock: Clock; log: Log }): Promise<StoredFolder> {
    const { dir, log } = options;
    try {
      await mustHaveStore(dir);
      // Whether it was lost meanwhile is asked before anything is made of what was read.
      const lock = await StoreLock.take({ ...options, onLost: () => {} });
      try {
        const snapshot = await openSnapshot(dir);
        const archive = await Archive.open(dir, flushData);
        const { live, tail } = await recoverRecords(dir, snapshot.data, log);
        if (tail.seq === 0) throw noStore(dir);
        return new StoredFolder({ dir, lock, live, archive, tail });
      } catch (error) {
        await lock.release();
        throw error;
      }
    } catch (error) {
      throw asStartError(dir, error);
    }
  }

  /** The last commit. */
  get tail(): JournalPosition {
    return this.#parts.tail;
  }

  /** Everything as it stands now; of a payment that is live again the archive has an older version. */
  async *records(): AsyncGenerator<Put> {
    const { live, archive } = this.#parts;
    yield* live.all();
    for await (const payment of archive.newestFirst({}))
      if (live.get('payment', payment.id) === undefined) yield asPut(payment);
  }

  /** The audit rows since the first commit ever. Every line of the journal is checked on the way. */
  async *audit(): AsyncGenerator<AuditRow> {
    for await (const piece of readJournal(this.#parts.dir))
      if (piece.kind === 'entry') yield* piece.entry.change.audit ?? [];
  }

  /** Throws when another process has taken the folder meanwhile. */
  mustBeHeld(): void {
    this.#parts.lock.assertHeld();
  }

  close(): Promise<void> {
    return this.#parts.lock.release();
  }
}

const asPut = (payment: Payment): Put => ({ kind: 'payment', record: payment });

const mustHaveStore = async (dir: string): Promise<void> => {
  const files = await journalFiles(dir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (files.length === 0) throw noStore(dir);
};

const noStore = (dir: string): StartError =>
  new StartError(`There is no embedded store in ${dir}. Set DATA_DIR to the folder that has one.`);
