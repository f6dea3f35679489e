import type { Folder } from './disk.ts';

/** The snapshot, then the archives, then the journals from the oldest to the newest. */
const KINDS = [
  /^snapshot\.json$/,
  /^archive-\d{4}-\d{2}\.ndjson$/,
  /^journal-\d{4}-\d{2}\.ndjson$/,
];

/** Whether a file of this name belongs to an embedded store. */
export const isStoreFile = (name: string): boolean => KINDS.some((kind) => kind.test(name));

export const isJournal = (name: string): boolean => name.startsWith('journal-');

/**
 * What an embedded store consists of, in the order in which it is copied: what is behind the journal may
 * be older than it and never newer.
 */
export const storeFilesIn = async ({ disk, dir }: Folder): Promise<string[]> => {
  const names = await disk.readdir(dir);
  return KINDS.flatMap((kind) => names.filter((name) => kind.test(name)).sort());
};
