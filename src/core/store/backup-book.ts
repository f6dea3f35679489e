import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { StartError } from '../runtime/errors.ts';
import type { Folder } from './disk.ts';
import { replaceFile, withFile, writeFully } from './durable-file.ts';
import type { JournalPosition } from './journal.ts';
import { seal, unseal } from './sealed-json.ts';
import { isStoreFile } from './store-files.ts';

const BACKUP_FORMAT = 1;
const BOOK_FILE = 'backup.json';
const PIECE_BYTES = 1024 * 1024;

/** A file that was copied, and how to tell later that it is still the same. */
export type BackedUpFile = {
  readonly name: string;
  readonly bytes: number;
  readonly sha256: string;
};

/** What a backup is. Written last, so a folder without it is none. */
export type BackupBook = {
  readonly format: typeof BACKUP_FORMAT;
  /** Everything acknowledged before is in it. */
  readonly takenAtMs: number;
  /** Nothing that came later is. */
  readonly copiedByMs: number;
  /** The last commit in it. */
  readonly position: JournalPosition;
  /** In the order in which they were copied, and have to be put back. */
  readonly files: readonly BackedUpFile[];
};

/** Durable once it resolves. */
export const writeBook = async (
  { disk, dir }: Folder,
  book: Omit<BackupBook, 'format'>,
): Promise<void> => {
  const { text } = seal(JSON.stringify({ format: BACKUP_FORMAT, ...book }).slice(0, -1));
  const bytes = Buffer.from(`${text}\n`);
  await replaceFile(disk, join(dir, BOOK_FILE), (file) => writeFully(file, bytes, 0));
};

/** @throws {StartError} when there is no backup in the folder, or its book is not as it was written. */
export const readBook = async ({ disk, dir }: Folder): Promise<BackupBook> => {
  const bytes = await disk.readFile(join(dir, BOOK_FILE)).catch((cause: NodeJS.ErrnoException) => {
    const isThere = cause.code !== 'ENOENT' && cause.code !== 'ENOTDIR';
    const why = isThere
      ? `its ${BOOK_FILE} cannot be read (${cause.code ?? cause.message})`
      : `it has no ${BOOK_FILE}, which is written when a backup is complete`;
    throw new StartError(`There is no backup in ${dir}: ${why}.`, 1, { cause });
  });
  const unsealed = unseal(bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes);
  if (!unsealed.ok)
    throw new StartError(
      `The backup in ${dir} cannot be trusted: its ${BOOK_FILE} was changed or cut short. Use another backup.`,
    );
  // Only Paythread seals files, so behind an intact seal everything is as it was written.
  const book = unsealed.value as BackupBook;
  if (book.format !== BACKUP_FORMAT || !book.files.every(({ name }) => isStoreFile(name)))
    throw new StartError(
      `The backup in ${dir} was made by another version of Paythread (format ${String(book.format)}). Restore it with that one.`,
    );
  return book;
};

/** A file as it stands now. */
export const describeFile = ({ disk, dir }: Folder, name: string): Promise<BackedUpFile> =>
  withFile(disk, join(dir, name), 'r', async (file) => {
    const hash = createHash('sha256');
    const piece = Buffer.allocUnsafe(PIECE_BYTES);
    for (let bytes = 0; ; ) {
      const { bytesRead } = await file.read(piece, 0, piece.length, bytes);
      if (bytesRead === 0) return { name, bytes, sha256: hash.digest('hex') };
      hash.update(piece.subarray(0, bytesRead));
      bytes += bytesRead;
    }
  });

/** How a file differs from what it was when it was described; undefined: it is the same. */
export const differenceFrom = async (
  wanted: BackedUpFile,
  folder: Folder,
): Promise<string | undefined> => {
  if (folder.disk.statSync(join(folder.dir, wanted.name)) === undefined) return 'is missing';
  const found = await describeFile(folder, wanted.name);
  if (found.bytes !== wanted.bytes) return `has ${found.bytes} bytes instead of ${wanted.bytes}`;
  return found.sha256 === wanted.sha256 ? undefined : 'has another content than when it was made';
};

/** @throws {StartError} naming the first file that is not what the book says. */
export const mustBeWhole = async (folder: Folder, { files }: BackupBook): Promise<void> => {
  for (const file of files) {
    const why = await differenceFrom(file, folder);
    if (why !== undefined)
      throw new StartError(
        `The backup in ${folder.dir} is not whole: ${file.name} ${why}. Nothing was restored. Use another backup.`,
      );
  }
};
