import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { StartError } from '../../runtime/errors.ts';
import { jsonOf } from '../../values/json-of.ts';
import { fileDigest, renameDurably } from './file-sync.ts';
import { DATABASE_FILE } from './store-folder.ts';

const BOOK_FILE = 'backup.json';
const FORMAT = 2;

const book = z.object({
  format: z.literal(FORMAT),
  /** Everything acknowledged before is in it. */
  takenAtMs: z.number(),
  /** Nothing that came later is. */
  copiedByMs: z.number(),
  sha256: z.string(),
});

/** What a backup is. Written last, so a folder without it is not a backup. */
export type BackupBook = z.infer<typeof book>;

/** Durable once it returns. */
export const writeBook = (dir: string, times: Omit<BackupBook, 'format' | 'sha256'>): void => {
  const sha256 = fileDigest(join(dir, DATABASE_FILE));
  const text = JSON.stringify({ format: FORMAT, ...times, sha256 } satisfies BackupBook);
  const path = join(dir, BOOK_FILE);
  writeFileSync(`${path}.tmp`, `${text}\n`, { mode: 0o600 });
  renameDurably(`${path}.tmp`, path);
};

/** @throws {StartError} when there is no backup in the folder, or when its files are not as they were written. */
export const readBook = (dir: string): BackupBook => {
  const found = book.safeParse(jsonOf(textOf(dir))).data;
  if (found === undefined)
    throw new StartError(
      `The backup in ${dir} cannot be trusted: its ${BOOK_FILE} was changed or cut short, or it was made by another version of Paythread. Use another backup.`,
    );
  const digest = digestOf(dir);
  if (digest === found.sha256) return found;
  const why =
    digest === undefined ? 'is missing' : 'has another content than when the backup was made';
  throw new StartError(
    `The backup in ${dir} is not whole: ${DATABASE_FILE} ${why}. Nothing was restored. Use another backup.`,
  );
};

const textOf = (dir: string): string => {
  try {
    return readFileSync(join(dir, BOOK_FILE), 'utf8');
  } catch (cause) {
    const { code = '' } = cause as NodeJS.ErrnoException;
    const why =
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `it has no ${BOOK_FILE}, which is written when a backup is complete`
        : `its ${BOOK_FILE} cannot be read (${code})`;
    throw new StartError(`There is no backup in ${dir}: ${why}.`, 1, { cause });
  }
};

const digestOf = (dir: string): string | undefined => {
  try {
    return fileDigest(join(dir, DATABASE_FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
};
