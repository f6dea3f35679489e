import { join } from 'node:path';
import { ChargeFreeze } from '../guards/charge-freeze.ts';
import type { RestoreMark } from '../records/settings.ts';
import type { Clock } from '../runtime/clock.ts';
import { StartError } from '../runtime/errors.ts';
import type { Folder } from './disk.ts';
import { replaceFile, writeFully } from './durable-file.ts';
import { syncFolder } from './durable-folder.ts';
import type { Store } from './store.ts';

/** Beside the store's files from before the first of them is copied until the store itself knows that it was restored. */
const NOTE_FILE = 'restore.json';

/** `isCopied`: all files are there, and the store only has to be told. */
type Note = { readonly isCopied: boolean; readonly mark: RestoreMark };

/** Durable once it resolves. */
export const noteRestore = async ({ disk, dir }: Folder, note: Note): Promise<void> => {
  const bytes = Buffer.from(`${JSON.stringify(note)}\n`);
  await replaceFile(disk, join(dir, NOTE_FILE), (file) => writeFully(file, bytes, 0));
};

/** Whether a restore into the folder was begun and not ended. */
export const isRestoreNoted = ({ disk, dir }: Folder): boolean =>
  disk.statSync(join(dir, NOTE_FILE)) !== undefined;

/** @throws {StartError} when a restore was begun and not ended. */
export const mustNotBeUnfinished = (folder: Folder): void => {
  if (isRestoreNoted(folder)) throw cutOff(folder);
};

/** @throws {StartError} when a restore was begun and not all of its files are there. */
export const mustBeCopied = async (folder: Folder): Promise<void> => {
  await owedMark(folder);
};

/** The last step of a restore: from here on the store itself knows that charges have to wait. */
export const giveOwedMark = async (folder: Folder, store: Store, clock: Clock): Promise<void> => {
  const mark = await owedMark(folder);
  if (mark === undefined) return;
  const { disk, dir } = folder;
  await new ChargeFreeze(store).set(mark, clock.now());
  await disk.rm(join(dir, NOTE_FILE));
  await syncFolder(disk, dir);
};

/** Undefined: nothing was restored, or the store knows it. */
const owedMark = async (folder: Folder): Promise<RestoreMark | undefined> => {
  if (!isRestoreNoted(folder)) return undefined;
  const note = readNote(await folder.disk.readFile(join(folder.dir, NOTE_FILE)));
  if (note?.isCopied !== true) throw cutOff(folder);
  return note.mark;
};

/** Undefined: nothing that was written whole. */
const readNote = (bytes: Buffer): Note | undefined => {
  try {
    return JSON.parse(bytes.toString()) as Note;
  } catch {
    // Whatever it is, nobody can say that all files are there.
    return undefined;
  }
};

const cutOff = ({ dir }: Folder): StartError =>
  new StartError(
    `A restore into ${dir} was cut off, so the store there is not whole. Run "npm run restore" once more, with the same backup.`,
  );
