import { join } from 'node:path';
import type { Clock } from '../runtime/clock.ts';
import { StartError } from '../runtime/errors.ts';
import type { Log } from '../runtime/log.ts';
import { describeFile, writeBook } from './backup-book.ts';
import { newBackupFolder, unusable } from './backup-folder.ts';
import { copyFlushed, copyJournal } from './copy-file.ts';
import { type Folder, systemDisk } from './disk.ts';
import { syncFolder } from './durable-folder.ts';
import { asIfInPlace } from './files-anew.ts';
import type { JournalPosition } from './journal.ts';
import { readJournal } from './journal-replay.ts';
import { mustNotBeMoved } from './moved-mark.ts';
import { isJournal, storeFilesIn } from './store-files.ts';
import { StoreTally } from './store-tally.ts';
import { mustHaveStore, StoredFolder } from './stored-folder.ts';
import { mustNotBeUnfinished } from './unfinished-restore.ts';
import { asStartError } from './unusable-folder.ts';

export type BackupOptions = {
  /** The store, in use or not. */
  readonly dir: string;
  /** A new folder, or an empty one. */
  readonly to: string;
  readonly clock: Clock;
  readonly log: Log;
};

export type Backup = {
  /** Its whole path. */
  readonly folder: string;
  readonly takenAtMs: number;
  readonly position: JournalPosition;
  readonly tally: StoreTally;
};

/** A checkpoint between snapshot and archive is rare. */
const MOST_TRIES = 3;

/**
 * Copies the embedded store of a folder while a process works with it, which notices nothing: no lock is
 * taken and nothing is written there. The copy is checked, and is a backup once its book is written.
 * @throws {StartError} and nothing is left of the copy.
 */
export const takeBackup = async ({ dir, to, clock, log }: BackupOptions): Promise<Backup> => {
  const disk = systemDisk;
  const source = await asIfInPlace({ disk, dir });
  try {
    await mustHaveStore(source);
    await mustNotBeMoved(source);
    mustNotBeUnfinished(source);
  } catch (error) {
    throw asStartError(dir, error);
  }
  const { folder, remove } = await newBackupFolder(to, dir);
  try {
    const takenAtMs = clock.now();
    const names = await copyStore(source, folder);
    const copiedByMs = clock.now();
    const { position, tally } = await examined(folder, { clock, log });
    const files = [];
    for (const name of names) files.push(await describeFile(folder, name));
    await syncFolder(disk, folder.dir);
    await writeBook(folder, { takenAtMs, copiedByMs, position, files });
    return { folder: folder.dir, takenAtMs, position, tally };
  } catch (error) {
    await remove();
    throw asFailure(error, folder.dir);
  }
};

/**
 * The order makes it consistent: the journal comes last and has everything that any of the others can know
 * of. It is never cut, so what the snapshot stands for is in it, however many snapshots come after.
 */
const copyStore = async (source: Folder, target: Folder): Promise<string[]> => {
  const { disk } = source;
  const pathsOf = (name: string) => ({ from: join(source.dir, name), to: join(target.dir, name) });
  const names: string[] = [];
  const behind = await copyBehind(source, target);
  names.push(...behind);
  for (let journal = await nextJournal(source, ''); journal !== undefined; ) {
    const name = journal;
    let next: string | undefined;
    await copyJournal(disk, pathsOf(name), async () => {
      next = await nextJournal(source, name);
      return next !== undefined;
    });
    names.push(name);
    journal = next;
  }
  return names;
};

/** Snapshot and archives, of one checkpoint if possible: the snapshot knows how far it relies on the archives. */
const copyBehind = async (source: Folder, target: Folder): Promise<string[]> => {
  const { disk } = source;
  const snapshot = join(source.dir, 'snapshot.json');
  for (let tries = 1; ; tries++) {
    const before = disk.statSync(snapshot);
    const names = (await storeFilesIn(source)).filter((name) => !isJournal(name));
    for (const name of names)
      await copyFlushed(disk, { from: join(source.dir, name), to: join(target.dir, name) });
    const after = disk.statSync(snapshot);
    const isOneCheckpoint = before?.ino === after?.ino && before?.mtimeMs === after?.mtimeMs;
    // An archive that is newer than the snapshot is what a crash leaves as well, and it is checked in any case.
    if (isOneCheckpoint || tries === MOST_TRIES) return names;
    for (const name of names) await disk.rm(join(target.dir, name));
  }
};

const nextJournal = async (source: Folder, after: string): Promise<string | undefined> =>
  (await storeFilesIn(source)).filter(isJournal).find((name) => name > after);

/** Opens the copy as a start would, and compares what it makes of it with the journal from the first line on. */
const examined = async (
  folder: Folder,
  options: { clock: Clock; log: Log },
): Promise<{ position: JournalPosition; tally: StoreTally }> => {
  const wanted = await paymentsInJournal(folder);
  const copy = await StoredFolder.open({ dir: folder.dir, ...options });
  try {
    const tally = new StoreTally();
    const found = { payments: 0, versions: 0 };
    for await (const put of copy.records()) {
      tally.addRecord(put);
      if (put.kind !== 'payment') continue;
      found.payments += 1;
      found.versions += put.record.version;
    }
    if (found.payments !== wanted.payments || found.versions !== wanted.versions)
      throw new StartError(
        `its journal has ${wanted.payments} payments and ${wanted.versions} changes of them, its snapshot and archive make ${found.payments} and ${found.versions} of it.`,
      );
    return { position: copy.tail, tally };
  } finally {
    await copy.close();
  }
};

/** Every change of a payment raises its version by one, so the last versions add up to the number of changes. */
const paymentsInJournal = async (
  folder: Folder,
): Promise<{ payments: number; versions: number }> => {
  const counted = { payments: 0, versions: 0 };
  for await (const piece of readJournal(folder)) {
    const { put = [] } = piece.kind === 'entry' ? piece.entry.change : {};
    for (const { kind, record } of put) {
      if (kind !== 'payment') continue;
      counted.versions += 1;
      if (record.version === 1) counted.payments += 1;
    }
  }
  return counted;
};

const asFailure = (error: unknown, to: string): unknown => {
  if (error instanceof StartError)
    return new StartError(
      `The copy did not pass its check: ${error.message} It was removed, so there is no backup.`,
      1,
      { cause: error },
    );
  return (error as NodeJS.ErrnoException).code === undefined ? error : unusable(to, error);
};
