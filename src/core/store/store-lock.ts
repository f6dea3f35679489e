import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
import { StartError } from '../runtime/errors.ts';
import type { Disk, DiskFile, Folder } from './disk.ts';
import { writeFully } from './durable-file.ts';
import type { Processes, ProcessMark } from './process-mark.ts';

const LOCK_FILE = 'paythread.lock';
/** The holder touches the lock this often. */
const HEARTBEAT_MS = 5_000;
/** Where process ids mean nothing (another host, another container), silence this long means death. */
const SILENT_HERE_MS = 6_000;
const SILENT_ELSEWHERE_MS = 30_000;
const MOST_TRIES = 5;

/** What is written in the lock file. */
type Holder = ProcessMark & { readonly host: string };

/** One process per data folder: two that append to one journal would overwrite each other. */
export class StoreLock {
  readonly #disk: Disk;
  readonly #path: string;
  /** Kept open, so that its inode is not given to another file while this process lives. */
  readonly #file: DiskFile;
  readonly #inode: number;
  readonly #clock: Clock;
  readonly #onLost: (error: Error) => void;
  readonly #stop = new AbortController();
  readonly #heartbeat: Promise<void>;

  private constructor(options: LockOptions, path: string, file: DiskFile, inode: number) {
    this.#disk = options.disk;
    this.#path = path;
    this.#file = file;
    this.#inode = inode;
    this.#clock = options.clock;
    this.#onLost = options.onLost;
    this.#heartbeat = this.#beat();
  }

  /** Refuses with a StartError that names the holder while another process lives. */
  static async take(options: LockOptions): Promise<StoreLock> {
    const path = join(options.dir, LOCK_FILE);
    const file = await taken(path, options);
    return new StoreLock(options, path, file, (await file.stat()).ino);
  }

  /**
   * Throws when the lock is another's by now. Asked before each write: a process that was stopped for
   * long (a sleeping laptop, a paused machine) may have been declared dead meanwhile.
   */
  assertHeld(): void {
    if (!this.#isOurs())
      throw new Error(
        `The lock ${this.#path} is gone or another's, so this process must not write any more.`,
      );
  }

  async release(): Promise<void> {
    this.#stop.abort();
    await this.#heartbeat;
    if (this.#isOurs()) await this.#disk.rm(this.#path);
    await this.#file.close();
  }

  #isOurs(): boolean {
    return this.#disk.statSync(this.#path)?.ino === this.#inode;
  }

  async #beat(): Promise<void> {
    try {
      while (!this.#stop.signal.aborted) {
        this.assertHeld();
        const now = new Date(this.#clock.now());
        await this.#file.utimes(now, now);
        await this.#clock.sleep(HEARTBEAT_MS, this.#stop.signal);
      }
    } catch (cause) {
      this.#onLost(
        new Error('The lock of the data folder could not be kept, so Paythread has to stop.', {
          cause,
        }),
      );
    }
  }
}

type LockOptions = Folder & {
  readonly processes: Processes;
  readonly clock: Clock;
  /** The lock is another's: this process has to end. */
  readonly onLost: (error: Error) => void;
};

const ownHolder = async (processes: Processes): Promise<Holder> => ({
  host: processes.host(),
  ...(await processes.own()),
});

const taken = async (path: string, options: LockOptions): Promise<DiskFile> => {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const file = (await create(path, options)) ?? (await inherited(path, options));
    if (file !== undefined) return file;
  }
  throw new StartError(
    `Several processes are starting on the data folder ${options.dir} at once. Start only one.`,
  );
};

/** Undefined when somebody has the lock. */
const create = async (
  path: string,
  { disk, processes }: LockOptions,
): Promise<DiskFile | undefined> => {
  const holder = Buffer.from(`${JSON.stringify(await ownHolder(processes))}\n`);
  const file = await unless('EEXIST', disk.open(path, 'wx+'));
  if (file === undefined) return undefined;
  try {
    await writeFully(file, holder, 0);
    return file;
  } catch (error) {
    // A full disk: a lock that names nobody would only be in the way of the next start.
    await file.close();
    await disk.rm(path);
    throw error;
  }
};

/**
 * Takes the place of a dead holder, or nothing when somebody was quicker. Of several who found the same dead
 * lock only the one who has the claim to it may replace it, so that the new lock of one is never taken
 * for the old one by another. A claim is a lock as well: its holder may die, too.
 */
const inherited = async (path: string, options: LockOptions): Promise<DiskFile | undefined> => {
  const { disk } = options;
  const text = await textOf(disk, path);
  if (text === undefined) return undefined;
  const holder = readHolder(text);
  if (await isAlive(path, holder, options)) throw inUse(options, holder);
  const claim = `${path}.after-${createHash('sha256').update(text).digest('hex').slice(0, 16)}`;
  const file = await taken(claim, options);
  if ((await textOf(disk, path)) === text) {
    await disk.rename(claim, path);
    return file;
  }
  await file.close();
  await disk.rm(claim);
  return undefined;
};

/** Undefined: it is gone. */
const textOf = async (disk: Disk, path: string): Promise<string | undefined> =>
  (await unless('ENOENT', disk.readFile(path)))?.toString();

const isAlive = async (
  path: string,
  holder: Holder | undefined,
  { disk, processes, clock }: LockOptions,
): Promise<boolean> => {
  const here = await ownHolder(processes);
  if (holder !== undefined && holder.host !== here.host)
    return (
      Math.abs(clock.now() - ((await touchedAtMs(disk, path)) ?? 0)) <= SILENT_ELSEWHERE_MS ||
      // Another host's clock may be far from ours, and then only a look tells silence from life.
      seesTouch(disk, path, clock, SILENT_HERE_MS)
    );
  if (holder !== undefined && holder.space === here.space) return processes.isRunning(holder);
  // Another container of this host, or a lock whose writing was cut short.
  return isTouched(disk, path, clock);
};

/** Watches for a heartbeat, not longer than needed. */
const isTouched = async (disk: Disk, path: string, clock: Clock): Promise<boolean> => {
  const before = await touchedAtMs(disk, path);
  if (before === undefined) return false;
  const leftMs = SILENT_HERE_MS - (clock.now() - before);
  if (leftMs <= 0) return false;
  // A time in the future says nothing but that a clock was set.
  return seesTouch(disk, path, clock, Math.min(leftMs, SILENT_HERE_MS));
};

const seesTouch = async (
  disk: Disk,
  path: string,
  clock: Clock,
  lookMs: number,
): Promise<boolean> => {
  const before = await touchedAtMs(disk, path);
  await clock.sleep(lookMs);
  const after = await touchedAtMs(disk, path);
  return after !== undefined && after !== before;
};

/** Undefined: it is gone. */
const touchedAtMs = async (disk: Disk, path: string): Promise<number | undefined> =>
  (await unless('ENOENT', disk.stat(path)))?.mtimeMs;

const unless = async <T>(code: string, action: Promise<T>): Promise<T | undefined> => {
  try {
    return await action;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined;
    throw error;
  }
};

const readHolder = (text: string): Holder | undefined => {
  try {
    const holder = JSON.parse(text) as Partial<Holder> | null;
    return typeof holder?.pid === 'number' && typeof holder.host === 'string'
      ? { ...holder, pid: holder.pid, host: holder.host }
      : undefined;
  } catch {
    // Cut short while it was written; who wrote it is not known.
    return undefined;
  }
};

const inUse = ({ dir, processes }: LockOptions, holder: Holder | undefined): StartError => {
  const who = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}`;
  const elsewhere =
    holder === undefined || holder.host === processes.host()
      ? ''
      : ` If that host is gone, start again ${SILENT_ELSEWHERE_MS / 1000} seconds later.`;
  return new StartError(
    `The data folder ${dir} is in use by ${who}. Stop it first, or set DATA_DIR to another folder.${elsewhere}`,
  );
};
