import { join } from 'node:path';
import type { AuditRow } from '../records/records.ts';
import { transactionTimeMs } from '../values/transaction-id.ts';
import type { DiskFile, Folder } from './disk.ts';
import { readFully, withFile } from './durable-file.ts';
import { type JournalEntry, type JournalPosition, monthOf, onOneLine } from './journal.ts';
import { journalFiles } from './journal-replay.ts';
import { type Line, lineAround } from './line-reader.ts';
import { unseal } from './sealed-json.ts';

const PIECE_BYTES = 1024 * 1024;

/**
 * The audit rows under an id, as `Store.auditOf` has them, out of the journal's files. Bytes are compared
 * before anything is parsed, so it costs what reading the files costs; a transaction id says from which month on.
 * @param upTo what lies behind it is passed over. @default all whole lines
 */
export const auditRowsIn = async (
  folder: Folder,
  id: string,
  upTo?: JournalPosition,
): Promise<AuditRow[]> => {
  const rows: AuditRow[] = [];
  for (const name of await filesSince(folder, id)) {
    if (upTo !== undefined && name > upTo.file) break;
    const path = join(folder.dir, name);
    await withFile(folder.disk, path, 'r', async (file) => {
      const end = name === upTo?.file ? upTo.offset : (await file.stat()).size;
      for await (const line of linesWith(file, end, needleOf(id)))
        rows.push(...rowsUnder(id, entryOf(line, path)));
    });
  }
  return rows;
};

/** A commit goes into its month's file or a later one, and the id was made before the first of them. */
const filesSince = async (folder: Folder, id: string): Promise<string[]> => {
  const madeAtMs = transactionTimeMs(id);
  const first = madeAtMs === undefined ? '' : `journal-${monthOf(madeAtMs)}.ndjson`;
  return (await journalFiles(folder)).filter((name) => name >= first);
};

/** As it stands in a line wherever a record's id begins with it. */
const needleOf = (id: string): Buffer =>
  Buffer.from(`"id":${onOneLine(JSON.stringify(id)).slice(0, -1)}`);

async function* linesWith(file: DiskFile, end: number, needle: Buffer): AsyncGenerator<Line> {
  for (let at = 0; at < end; ) {
    const piece = await readFully(file, at, Math.min(PIECE_BYTES, end - at));
    const found = piece.indexOf(needle);
    if (found < 0) {
      // It may begin in this piece and end in the next one.
      at += Math.max(1, piece.length - needle.length + 1);
      continue;
    }
    const line = await lineAround(file, at + found, end);
    // The last one, which is being written or was cut short.
    if (line === undefined) return;
    yield line;
    at = line.end;
  }
}

const entryOf = (line: Line, path: string): JournalEntry => {
  const unsealed = unseal(line.bytes);
  if (!unsealed.ok)
    throw new Error(`The journal ${path} was changed or damaged at byte ${line.start}.`);
  // Only Paythread seals lines, so behind an intact seal everything is as it was written.
  return unsealed.value as JournalEntry;
};

const rowsUnder = (id: string, { change }: JournalEntry): AuditRow[] =>
  (change.audit ?? []).filter((row) => row.id === id || row.id.startsWith(`${id}.`));
