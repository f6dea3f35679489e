import type { Retire } from '../privacy/retention.ts';
import type { Due, Queue } from '../records/due.ts';
import type { PaymentFilter, PaymentPage } from '../records/payment-query.ts';
import type { AuditRow, Change, Kind, Put, Records } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import { StartError } from '../runtime/errors.ts';
import { failpoint } from '../runtime/failpoints.ts';
import type { Log } from '../runtime/log.ts';
import { Archive } from './archive.ts';
import { AT_HAND_MS } from './archive-choice.ts';
import { isEmpty, mustBeOrderly } from './change-check.ts';
import { Checkpoint } from './checkpoint.ts';
import { type Disk, type Folder, systemDisk } from './disk.ts';
import { DueWork } from './due-work.ts';
import { makeFolder } from './durable-folder.ts';
import { Fatal } from './fatal.ts';
import { settleAside } from './files-anew.ts';
import { frozenCopy } from './frozen-copy.ts';
import { Journal } from './journal.ts';
import { auditRowsIn } from './journal-search.ts';
import type { LiveRecords, Slot } from './live-records.ts';
import { mustNotBeMoved } from './moved-mark.ts';
import { pageOfPayments } from './payment-listing.ts';
import { type Processes, systemProcesses } from './process-mark.ts';
import { retireInFolder } from './retire-in-folder.ts';
import { openSnapshot } from './snapshot.ts';
import type { Store } from './store.ts';
import { StoreLock } from './store-lock.ts';
import { recoverRecords } from './store-recovery.ts';
import { giveOwedMark, mustBeCopied } from './unfinished-restore.ts';
import { asStartError } from './unusable-folder.ts';

const CHECKPOINT_EVERY_MS = 10 * 60_000;

export type EmbeddedStoreOptions = {
  /** Made if it is not there. It belongs to one process at a time. */
  readonly dir: string;
  readonly clock: Clock;
  readonly log: Log;
  /** Nothing can be stored any more; whoever opened the store has to end the process. Called once. */
  readonly onFatal: (error: Error) => void;
  /** Where the folder is; only tests have their own. @default systemDisk */
  readonly disk?: Disk;
  /** Who else may want the folder; only tests have their own. @default systemProcesses */
  readonly processes?: Processes;
};

/** A store that can take the customers of old payments out of itself while it is in use. */
export type Retiring = { readonly retire: Retire };

/**
 * Opens the store in a folder: what is live in memory, each commit a line of the journal, a snapshot
 * to start from, and an archive of payments that ended. Refuses with a StartError, changing nothing,
 * when the folder is in use, cannot be written, or is not whole.
 */
export const openEmbeddedStore = async ({
  disk = systemDisk,
  processes = systemProcesses,
  ...others
}: EmbeddedStoreOptions): Promise<Store & Retiring> => {
  const options = { ...others, disk, processes };
  const fatal = new Fatal(options.onFatal);
  try {
    await makeFolder(disk, options.dir);
    const lock = await StoreLock.take({ ...options, onLost: fatal.report });
    failpoint('lock-taken');
    const store = await openLocked(options, lock, fatal).catch(async (error: unknown) => {
      await lock.release();
      throw error;
    });
    return await markedIfRestored(store, options);
  } catch (error) {
    throw asStartError(options.dir, error);
  }
};

const openLocked = async (
  { disk, dir, clock, log }: Required<EmbeddedStoreOptions>,
  lock: StoreLock,
  fatal: Fatal,
): Promise<Store & Retiring> => {
  const folder = { disk, dir };
  await mustNotBeMoved(folder);
  await mustBeCopied(folder);
  await settleAside(folder);
  const snapshot = await openSnapshot(folder);
  failpoint('snapshot-read');
  const archive = await Archive.open(folder, snapshot.data.archive);
  const { live, tail, replayedBytes } = await recoverRecords(folder, snapshot.data, log);
  if (tail.seq === 0 && !archive.isEmpty)
    throw new StartError(
      `The data folder ${dir} has an archive of payments but neither snapshot nor journal. Put the whole folder back from one backup.`,
    );
  await archive.settle();
  const journal = await Journal.open({
    ...folder,
    tail,
    mayWrite: () => lock.assertHeld(),
    onFatal: fatal.report,
  });
  const checkpoint = new Checkpoint({ live, journal, archive, snapshot, clock, replayedBytes });
  log.info({ dir, commits: tail.seq, replayedBytes }, 'the store is open');
  return new EmbeddedStore({ folder, clock, log, lock, fatal, live, archive, journal, checkpoint });
};

/** Nobody works with a store that was restored before it knows that. */
const markedIfRestored = async <S extends Store>(
  store: S,
  { disk, dir, clock }: Required<EmbeddedStoreOptions>,
): Promise<S> => {
  try {
    await giveOwedMark({ disk, dir }, store, clock);
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
};

type Parts = {
  readonly folder: Folder;
  readonly clock: Clock;
  readonly log: Log;
  readonly lock: StoreLock;
  readonly fatal: Fatal;
  readonly live: LiveRecords;
  readonly archive: Archive;
  readonly journal: Journal;
  readonly checkpoint: Checkpoint;
};

/**
 * A commit is checked and applied to memory in the turn it is called in, so commits follow one another
 * without waiting. Nothing leaves before it is durable: `get`, `listPayments` and a refused `commit`
 * wait for the lines they saw, and work can be claimed only from then on.
 */
class EmbeddedStore implements Store, Retiring {
  readonly #parts: Parts;
  readonly #work: DueWork;
  readonly #stop = new AbortController();
  readonly #rounds: Promise<void>;
  #closing: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#work = new DueWork(parts.log);
    for (const slot of parts.live.slots()) this.#work.add(slot);
    this.#rounds = this.#checkpointNowAndThen();
  }

  async get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> {
    this.#mustBeOpen();
    const { live, journal, archive } = this.#parts;
    const slot = live.get(kind, id);
    if (slot !== undefined) await journal.whenDurable(slot.seq);
    const found =
      slot === undefined && kind === 'payment' ? await archive.find(id) : slot?.put?.record;
    // A slot is found under the kind of its record, which the compiler cannot know.
    return found as Records[K] | undefined;
  }

  async commit(change: Change): Promise<boolean> {
    this.#mustBeOpen();
    const { live, journal, clock } = this.#parts;
    if (isEmpty(change)) return true;
    mustBeOrderly(change);
    const { text, stored } = journalled(change);
    const archived = this.#mayBeArchived(stored);
    const versions = archived.length === 0 ? NONE : await this.#archivedVersions(archived);
    // From here to the journal nothing waits: check and change are one step.
    this.#mustBeOpen();
    if (!live.accepts(stored, versions)) {
      // The other commit must not be known by its effect before it is durable.
      await journal.whenDurable(journal.tail.seq);
      return false;
    }
    const seq = journal.append(text, clock.now());
    const { old, made } = live.apply(stored, seq);
    for (const slot of old) this.#work.remove(slot);
    await journal.whenDurable(seq);
    // What happens after a failure of the disk is not to be trusted.
    this.#mustNotHaveFailed();
    live.sweep(stored, seq);
    for (const slot of made) if (live.isCurrent(slot)) this.#offer(slot);
    if (this.#parts.checkpoint.isDue) void this.#runCheckpoint();
    return true;
  }

  async claim(
    queue: Queue,
    options: { nowMs: number; leaseMs: number; limit: number },
  ): Promise<Put[]> {
    this.#mustBeOpen();
    return this.#work.claim(queue, options);
  }

  async release(kind: Kind, id: string, atMs: number): Promise<void> {
    this.#mustBeOpen();
    const slot = this.#parts.live.get(kind, id);
    if (slot !== undefined) this.#work.release(slot, atMs);
  }

  async nextDueMs(queue: Queue): Promise<number | undefined> {
    this.#mustBeOpen();
    return this.#work.nextMs(queue);
  }

  async countDue(queue: Queue): Promise<number> {
    this.#mustBeOpen();
    return this.#work.count(queue);
  }

  onDue(listener: (due: Due) => void): () => void {
    return this.#work.onDue(listener);
  }

  async listPayments(
    filter: PaymentFilter,
    page: { limit: number; after?: string },
  ): Promise<PaymentPage> {
    this.#mustBeOpen();
    const { live, journal, archive, checkpoint, clock } = this.#parts;
    const payments = [...live.payments()];
    await journal.whenDurable(journal.tail.seq);
    return pageOfPayments(
      {
        live: payments,
        archived: (range) => archive.newestFirst(range),
        lastArchivedId: archive.lastId,
        longestLeadMs: checkpoint.longestLeadMs,
        archivedEndMs: clock.now() - AT_HAND_MS,
      },
      filter,
      page,
    );
  }

  async auditOf(id: string): Promise<AuditRow[]> {
    this.#mustBeOpen();
    const { folder, journal } = this.#parts;
    const { tail } = journal;
    await journal.whenDurable(tail.seq);
    return auditRowsIn(folder, id, tail);
  }

  readonly retire: Retire = (request) => {
    this.#mustBeOpen();
    const { folder, live, checkpoint, clock, lock } = this.#parts;
    const mayWrite = () => lock.assertHeld();
    return retireInFolder({ store: this, folder, live, checkpoint, clock, mayWrite }, request);
  };

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    const { checkpoint, journal, lock, fatal } = this.#parts;
    this.#stop.abort();
    try {
      await this.#rounds;
      if (fatal.error === undefined) await checkpoint.finish();
      failpoint('checkpoint-finished');
      await journal.close();
    } finally {
      await lock.release();
      failpoint('lock-released');
    }
  }

  #mustNotHaveFailed(): void {
    if (this.#parts.fatal.error !== undefined) throw this.#parts.fatal.error;
  }

  #mustBeOpen(): void {
    this.#mustNotHaveFailed();
    if (this.#closing !== undefined) throw new Error('The store is closed.');
  }

  #offer(slot: Slot): void {
    this.#work.add(slot);
    this.#work.tell(slot);
  }

  /** Payments of a change that are not in memory and may be on disk: rare, as most changes are to what is live. */
  #mayBeArchived({ put = [] }: Change): string[] {
    const { live, archive } = this.#parts;
    return put
      .filter(({ kind, record }) => kind === 'payment' && live.get(kind, record.id) === undefined)
      .map(({ record }) => record.id)
      .filter((id) => id <= archive.lastId);
  }

  async #archivedVersions(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
    const found = await Promise.all(ids.map((id) => this.#parts.archive.find(id)));
    return new Map(found.flatMap((one) => (one === undefined ? [] : [[one.id, one.version]])));
  }

  async #checkpointNowAndThen(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#parts.clock.sleep(CHECKPOINT_EVERY_MS, signal);
      if (!signal.aborted) await this.#runCheckpoint();
    }
  }

  /** A file that could not be flushed is not written again; the journal has everything, so ending is safe. */
  async #runCheckpoint(): Promise<void> {
    try {
      if (this.#closing === undefined) await this.#parts.checkpoint.run();
    } catch (error) {
      this.#parts.fatal.report(
        new Error('The snapshot could not be written, so Paythread has to stop.', { cause: error }),
      );
    }
  }
}

/** A change as the journal's text, and its records as they will be read back from there: those are kept. */
const journalled = ({
  put = [],
  remove = [],
  audit = [],
}: Change): { text: string; stored: Change } => ({
  text: JSON.stringify({ put, remove, audit }),
  stored: { put: put.map(frozenCopy), remove },
});

const NONE: ReadonlyMap<string, number> = new Map();
