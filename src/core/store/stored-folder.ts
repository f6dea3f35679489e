import type { Payment } from '../records/payment.ts';
import type { AuditRow, Put } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import { StartError } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { Archive } from './archive.ts';
import { type Disk, type Folder, systemDisk } from './disk.ts';
import { settleAside } from './files-anew.ts';
import type { JournalPosition } from './journal.ts';
import { journalFiles, readJournal } from './journal-replay.ts';
import type { LiveRecords } from './live-records.ts';
import { type Processes, systemProcesses } from './process-mark.ts';
import { openSnapshot } from './snapshot.ts';
import { StoreLock } from './store-lock.ts';
import { recoverRecords } from './store-recovery.ts';
import { mustNotBeUnfinished } from './unfinished-restore.ts';
import { asStartError } from './unusable-folder.ts';

type Parts = {
  readonly folder: Folder;
  readonly lock: StoreLock;
  readonly live: LiveRecords;
  readonly archive: Archive;
  readonly tail: JournalPosition;
  /** As the snapshot has it. */
  readonly longestLeadMs: number;
};

type OpenOptions = {
  readonly dir: string;
  /** @default systemDisk */
  readonly disk?: Disk;
  /** @default systemProcesses */
  readonly processes?: Processes;
  readonly clock: Clock;
  readonly log: Log;
};

/** The data folder of an embedded store that nobody runs, locked to read all that is in it. */
export class StoredFolder {
  readonly #parts: Parts;

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** @throws {StartError} when there is no store in it, when a process has it, or when it is not whole. */
  static async open(options: OpenOptions): Promise<StoredFolder> {
    const { dir, disk = systemDisk, processes = systemProcesses, clock, log } = options;
    const folder = { disk, dir };
    try {
      await mustHaveStore(folder);
      mustNotBeUnfinished(folder);
      // Whether it was lost meanwhile is asked before anything is made of what was read.
      const lock = await StoreLock.take({
        ...folder,
        processes,
        clock,
        onLost: () => {},
      });
      try {
        await settleAside(folder);
        const snapshot = await openSnapshot(folder);
        const archive = await Archive.open(folder, snapshot.data.archive);
        const { live, tail } = await recoverRecords(folder, snapshot.data, log);
        if (tail.seq === 0) throw noStore(dir);
        await archive.settle();
        const { longestLeadMs } = snapshot.data;
        return new StoredFolder({ folder, lock, live, archive, tail, longestLeadMs });
      } catch (error) {
        await lock.release();
        throw error;
      }
    } catch (error) {
      throw asStartError(dir, error);
    }
  }

  /** What it was opened as, for whoever makes its files anew. */
  get contents(): Omit<Parts, 'lock'> {
    return this.#parts;
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
    for await (const piece of readJournal(this.#parts.folder))
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

/** @throws {StartError} */
export const mustHaveStore = async (folder: Folder): Promise<void> => {
  const files = await journalFiles(folder).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  if (files.length === 0) throw noStore(folder.dir);
};

const noStore = (dir: string): StartError =>
  new StartError(`There is no embedded store in ${dir}. Set DATA_DIR to the folder that has one.`);
