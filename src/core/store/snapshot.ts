import { join } from 'node:path';
import { type Adapter, Low } from 'lowdb';
import type { Put } from '../records/records.ts';
import { StartError } from '../runtime/errors.ts';
import type { ArchivedMonth } from './archive.ts';
import type { Disk, DiskFile, Folder } from './disk.ts';
import { replaceFile, writeAside, writeFully } from './durable-file.ts';
import { asideName } from './files-anew.ts';
import { JOURNAL_START, type JournalPosition } from './journal.ts';
import { Sealer, unseal } from './sealed-json.ts';

const SNAPSHOT_FORMAT = 1;
/** Records turned into text in one go; between two goes other work gets its turn. */
const SLICE_RECORDS = 200;

/** What is live, and up to which line of the journal. */
export type Snapshot = {
  readonly position: JournalPosition;
  /** The longest time from making an archived payment's id to confirming it; a bound for searches by time. */
  readonly longestLeadMs: number;
  /** The archive as far as this snapshot relies on it; absent in one of version 0.2.0. */
  readonly archive?: readonly ArchivedMonth[];
  readonly records: readonly Put[];
};

const NOTHING: Snapshot = { position: JOURNAL_START, longestLeadMs: 0, records: [] };

const SNAPSHOT_FILE = 'snapshot.json';

/**
 * The snapshot in a folder, read. Without the file its data stands for the journal's very start, so
 * that everything is read from there; a file that is not whole and ours is a StartError.
 */
export const openSnapshot = async ({ disk, dir }: Folder): Promise<Low<Snapshot>> => {
  const low = new Low<Snapshot>(new SnapshotAdapter(disk, join(dir, SNAPSHOT_FILE)), NOTHING);
  await low.read();
  return low;
};

/** lowdb's own file adapter does not flush and makes files readable to all, so this one stands in. */
class SnapshotAdapter implements Adapter<Snapshot> {
  readonly #disk: Disk;
  readonly #path: string;

  constructor(disk: Disk, path: string) {
    this.#disk = disk;
    this.#path = path;
  }

  async read(): Promise<Snapshot | null> {
    const bytes = await this.#disk.readFile(this.#path).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
    return bytes === undefined ? null : readSnapshot(bytes, this.#path);
  }

  async write(snapshot: Snapshot): Promise<void> {
    await replaceFile(this.#disk, this.#path, (file) => writePieces(file, snapshot));
  }
}

/** Makes a snapshot beside the one that stands, and returns which file it is for. */
export const snapshotAside = async ({ disk, dir }: Folder, snapshot: Snapshot): Promise<string> => {
  await writeAside(disk, join(dir, asideName(SNAPSHOT_FILE)), (file) =>
    writePieces(file, snapshot),
  );
  return SNAPSHOT_FILE;
};

const writePieces = async (file: DiskFile, snapshot: Snapshot): Promise<void> => {
  let end = 0;
  for (const piece of piecesOf(snapshot)) end = await writeFully(file, Buffer.from(piece), end);
};

/** One sealed JSON object, a record a line. Writing a piece gives other work its turn. */
function* piecesOf({ position, longestLeadMs, archive, records }: Snapshot): Generator<string> {
  const sealer = new Sealer();
  const about = { format: SNAPSHOT_FORMAT, position, longestLeadMs, archive };
  const head = JSON.stringify(about).slice(0, -1);
  const sealed = (piece: string) => {
    sealer.add(piece);
    return piece;
  };
  yield sealed(`${head},"records":[`);
  for (let at = 0; at < records.length; at += SLICE_RECORDS) {
    const slice = records.slice(at, at + SLICE_RECORDS).map((put) => JSON.stringify(put));
    yield sealed(`${at === 0 ? '' : ','}\n${slice.join(',\n')}`);
  }
  yield `${sealed('\n]')}${sealer.end()}\n`;
}

const readSnapshot = (bytes: Buffer, path: string): Snapshot => {
  const unsealed = unseal(bytes.at(-1) === 0x0a ? bytes.subarray(0, -1) : bytes);
  if (!unsealed.ok && unsealed.why === 'unreadable') throw unusable(path, 'is empty or cut short');
  const format = 'format' in unsealed.value ? unsealed.value.format : undefined;
  if (format === undefined) throw unusable(path, 'is not a snapshot of Paythread');
  if (format !== SNAPSHOT_FORMAT)
    throw unusable(path, `has format ${format}, and this Paythread knows ${SNAPSHOT_FORMAT}`);
  if (!unsealed.ok) throw unusable(path, 'was changed after it was written');
  // Only Paythread seals files, so behind an intact seal everything is as it was written.
  return unsealed.value as Snapshot & { format: number };
};

/** Never a start with empty hands: what was in it may be money on its way. */
const unusable = (path: string, why: string): StartError =>
  new StartError(
    `The snapshot ${path} ${why}. Nothing was changed. Put the whole data folder back from one backup; ` +
      'or, if every journal since the first is still there, move the snapshot away and start again: it is made again from them.',
  );
