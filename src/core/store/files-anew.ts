import { join } from 'node:path';
import type { Disk, Folder } from './disk.ts';
import { replaceFile, writeFully } from './durable-file.ts';
import { syncFolder } from './durable-folder.ts';

/** Beside the store's files from the moment at which they count as changed until each is in its place. */
const NOTE_FILE = 'anew.json';
const ASIDE = '.anew';
/** What a process that died was writing beside the store's files. */
const LEFT_OVER = /^(snapshot\.json|(archive|journal)-\d{4}-\d{2}\.ndjson)\.(anew|tmp)$/;

/** Where a file is made that shall take the place of another. */
export const asideName = (name: string): string => `${name}${ASIDE}`;

/**
 * Puts files that were made aside in the place of those they stand for: all of them or none, whatever happens.
 * They have to be flushed.
 */
export const putInPlace = async (folder: Folder, names: readonly string[]): Promise<void> => {
  const { disk, dir } = folder;
  // Their names as well, before anything counts on them.
  await syncFolder(disk, dir);
  await writeNote(folder, names);
  await finishPlacing(folder);
};

/** At each start, by whoever has the lock: what was begun is brought to its end, and what was not is cleared away. */
export const settleAside = async (folder: Folder): Promise<void> => {
  await finishPlacing(folder);
  await clearAside(folder);
};

/** Brings to its end what was begun, if anything was. */
export const finishPlacing = async (folder: Folder): Promise<void> => {
  const { disk, dir } = folder;
  const names = await notedNames(folder);
  if (names === undefined) return;
  for (const name of names)
    if (isAside(folder, name)) await disk.rename(join(dir, asideName(name)), join(dir, name));
  // Once more: if an earlier flush of these names failed, only a change of the folder makes the system flush them.
  await writeNote(folder, names);
  await disk.rm(join(dir, NOTE_FILE));
  await syncFolder(disk, dir);
};

/** The folder as it is once everything is in its place, for whoever only looks. */
export const asIfInPlace = async (folder: Folder): Promise<Folder> => {
  const names = await notedNames(folder);
  return names === undefined ? folder : withAside(folder, names);
};

/** The folder as it would be with these files in their place. */
export const withAside = ({ disk, dir }: Folder, names: readonly string[]): Folder => {
  const aside = new Set(names.map((name) => join(dir, name)));
  const at = (path: string): string =>
    aside.has(path) && disk.statSync(`${path}${ASIDE}`) !== undefined ? `${path}${ASIDE}` : path;
  const shown: Disk = {
    open: (path, flags) => disk.open(at(path), flags),
    readFile: (path) => disk.readFile(at(path)),
    stat: (path) => disk.stat(at(path)),
    statSync: (path) => disk.statSync(at(path)),
    readdir: async (path) => [
      ...new Set([...(await disk.readdir(path)), ...(path === dir ? names : [])]),
    ],
    mkdir: (path) => disk.mkdir(path),
    rmdir: (path) => disk.rmdir(path),
    rename: (from, to) => disk.rename(from, to),
    link: (path, name) => disk.link(path, name),
    rm: (path) => disk.rm(path),
  };
  return { disk: shown, dir };
};

const writeNote = async ({ disk, dir }: Folder, names: readonly string[]): Promise<void> => {
  const bytes = Buffer.from(`${JSON.stringify(names)}\n`);
  await replaceFile(disk, join(dir, NOTE_FILE), (file) => writeFully(file, bytes, 0));
};

/** Undefined: nothing is on its way. */
const notedNames = async ({ disk, dir }: Folder): Promise<string[] | undefined> => {
  const path = join(dir, NOTE_FILE);
  if (disk.statSync(path) === undefined) return undefined;
  // Written beside and renamed, so it is whole.
  return JSON.parse((await disk.readFile(path)).toString()) as string[];
};

const isAside = ({ disk, dir }: Folder, name: string): boolean =>
  disk.statSync(join(dir, asideName(name))) !== undefined;

const clearAside = async ({ disk, dir }: Folder): Promise<void> => {
  const left = (await disk.readdir(dir)).filter((name) => LEFT_OVER.test(name));
  for (const name of left) await disk.rm(join(dir, name));
  if (left.length > 0) await syncFolder(disk, dir);
};
