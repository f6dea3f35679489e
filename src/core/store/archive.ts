import { join } from 'node:path';
import type { Payment } from '../records/payment.ts';
import { StartError } from '../runtime/errors.ts';
import { transactionTimeMs } from '../values/transaction-id.ts';
import { ArchiveFile, type Extent } from './archive-file.ts';
import type { Disk, Folder } from './disk.ts';
import { monthOf } from './journal.ts';

/** One month's file as far as it is relied on. */
export type ArchivedMonth = Extent & { readonly month: string };

type Known = Extent & {
  /** `false`: a snapshot has not confirmed it, so a flush of it may have failed: nothing is put behind that. */
  readonly sure: boolean;
};

/**
 * Payments that ended, on disk: a file a month, by the time in the payment's id, so the id alone says
 * where to look. What is live in memory wins over what is found here.
 */
export class Archive {
  readonly #disk: Disk;
  readonly #dir: string;
  readonly #months: Map<string, Known>;
  /** Months with something behind what is relied on, which is live still. */
  readonly #toCut: readonly string[];

  private constructor(folder: Folder, months: Map<string, Known>, toCut: readonly string[]) {
    this.#disk = folder.disk;
    this.#dir = folder.dir;
    this.#months = months;
    this.#toCut = toCut;
  }

  /**
   * Looks whether all is there that the snapshot relies on. Changes nothing.
   * @throws {StartError} when it is not.
   */
  static async open(folder: Folder, reliedOn: readonly ArchivedMonth[] = []): Promise<Archive> {
    const months = new Map<string, Known>();
    const toCut: string[] = [];
    for (const month of await monthsIn(folder, reliedOn)) {
      const file = new ArchiveFile(folder.disk, join(folder.dir, fileOf(month)));
      const { bytesBeyond, ...known } = await looked(
        file,
        reliedOn.find((one) => one.month === month),
      );
      months.set(month, known);
      if (bytesBeyond > 0) toCut.push(month);
    }
    return new Archive(folder, months, toCut);
  }

  /** Cuts off what a process was adding when it died: some of it may never have reached the disk. */
  async settle(): Promise<void> {
    for (const month of this.#toCut)
      await this.#file(month).cutTo(this.#months.get(month)?.bytes ?? 0);
  }

  /** The newest id in the archive; empty when there is none. */
  get lastId(): string {
    const newest = this.#newestFirst[0];
    return (newest && this.#months.get(newest)?.lastId) ?? '';
  }

  get isEmpty(): boolean {
    return this.#months.size === 0;
  }

  /** What a snapshot written now relies on. */
  get extents(): ArchivedMonth[] {
    return [...this.#months].map(([month, { bytes, lastId }]) => ({ month, bytes, lastId }));
  }

  /** The snapshot with these extents is written. */
  confirm(extents: readonly ArchivedMonth[]): void {
    for (const { month, ...extent } of extents) this.#months.set(month, { ...extent, sure: true });
  }

  async find(id: string): Promise<Payment | undefined> {
    // Most questions are about payments too young to be here.
    const month = id > this.lastId ? undefined : monthOfId(id);
    if (month === undefined || !this.#months.has(month)) return undefined;
    return this.#file(month).find(id);
  }

  /** Newest id first, from before `below` on, as long as ids are not older than `sinceMs`. */
  async *newestFirst(range: { below?: string; sinceMs?: number }): AsyncGenerator<Payment> {
    const { below, sinceMs = 0 } = range;
    const newest = below === undefined ? undefined : monthOfId(below);
    for (const month of this.#newestFirst) {
      if (newest !== undefined && month > newest) continue;
      for await (const payment of this.#file(month).backwards(below)) {
        if (idMadeAtMs(payment) < sinceMs) return;
        yield payment;
      }
    }
  }

  /** Resolves once they are safe from a power cut. `payments` must be in the order of ids. */
  async add(payments: readonly Payment[]): Promise<void> {
    const byMonth = Map.groupBy(payments, (payment) => monthOf(idMadeAtMs(payment)));
    for (const [month, some] of byMonth) {
      const lastId = some.at(-1)?.id ?? '';
      const known = this.#months.get(month);
      const bytes = await this.#write(month, some, known);
      this.#months.set(month, {
        bytes,
        lastId: known !== undefined && known.lastId > lastId ? known.lastId : lastId,
        sure: false,
      });
    }
  }

  #write(month: string, payments: readonly Payment[], known: Known | undefined): Promise<number> {
    const file = this.#file(month);
    if (known === undefined) return file.create(payments);
    const isBehind = payments.every(({ id }) => id > known.lastId);
    return known.sure && isBehind ? file.append(payments, known.bytes) : file.merge(payments);
  }

  /**
   * Writes each file beside itself, as it shall be, where a payment is changed: the names of those files, and
   * what a snapshot relies on once they are in place.
   */
  async writtenAnew(
    nameAside: (file: string) => string,
    change: (payment: Payment) => Payment,
  ): Promise<{ files: string[]; extents: ArchivedMonth[] }> {
    const files: string[] = [];
    const extents: ArchivedMonth[] = [];
    for (const extent of this.extents) {
      const name = fileOf(extent.month);
      const to = join(this.#dir, nameAside(name));
      const bytes = await this.#file(extent.month).writtenAnew(to, change);
      if (bytes !== undefined) files.push(name);
      extents.push(bytes === undefined ? extent : { ...extent, bytes });
    }
    return { files, extents };
  }

  get #newestFirst(): string[] {
    return [...this.#months.keys()].sort().reverse();
  }

  #file(month: string): ArchiveFile {
    return new ArchiveFile(this.#disk, join(this.#dir, fileOf(month)));
  }
}

/** Every archived payment has a proper id; the moment it was confirmed would do as well. */
export const idMadeAtMs = ({ id, confirmedAtMs }: Payment): number =>
  transactionTimeMs(id) ?? confirmedAtMs;

const monthOfId = (id: string): string | undefined => {
  const madeAtMs = transactionTimeMs(id);
  return madeAtMs === undefined ? undefined : monthOf(madeAtMs);
};

const fileOf = (month: string): string => `archive-${month}.ndjson`;

/** Those of the folder; each that is relied on must be there. */
const monthsIn = async (
  { disk, dir }: Folder,
  reliedOn: readonly ArchivedMonth[],
): Promise<string[]> => {
  const names = await disk.readdir(dir);
  const months = names.flatMap((name) => /^archive-(\d{4}-\d{2})\.ndjson$/.exec(name)?.[1] ?? []);
  const missing = reliedOn.find(({ month }) => !months.includes(month));
  if (missing !== undefined) throw unusable(join(dir, fileOf(missing.month)), 'is missing');
  return months;
};

/**
 * A file is longer than the snapshot says when the process died before the next snapshot, and begins
 * otherwise when it was made anew just then, which happens in one step.
 */
const looked = async (
  file: ArchiveFile,
  reliedOn: Extent | undefined,
): Promise<Known & { bytesBeyond: number }> => {
  try {
    const bytesBeyond = reliedOn && (await file.bytesBeyond(reliedOn));
    if (reliedOn !== undefined && bytesBeyond !== undefined)
      return { bytes: reliedOn.bytes, lastId: reliedOn.lastId, sure: true, bytesBeyond };
    const extent = await file.extent();
    if (extent === undefined || monthOfId(extent.lastId) === undefined) throw notOurs(file);
    if (reliedOn !== undefined && (await file.find(reliedOn.lastId)) === undefined)
      throw unusable(file.path, `is cut short: payment ${reliedOn.lastId} is missing`);
    return { ...extent, sure: false, bytesBeyond: 0 };
  } catch (error) {
    // The system's own errors are no matter of what the file says.
    const isSystems = (error as NodeJS.ErrnoException).code !== undefined;
    throw isSystems || error instanceof StartError ? error : notOurs(file, error);
  }
};

const notOurs = ({ path }: ArchiveFile, cause?: unknown): StartError =>
  unusable(path, 'does not end with a payment of Paythread', { cause });

const unusable = (path: string, why: string, options?: ErrorOptions): StartError =>
  new StartError(
    `The archive ${path} ${why}. Nothing was changed. Put the whole data folder back from one backup.`,
    1,
    options,
  );
