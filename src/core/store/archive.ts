import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { StartError } from '../errors.ts';
import type { Payment } from '../payments/payment.ts';
import { transactionTimeMs } from '../transaction-id.ts';
import {
  addToArchive,
  archivedBackwards,
  createArchive,
  findArchived,
  lastArchivedId,
} from './archive-file.ts';
import { type Flush, monthOf } from './journal.ts';

/**
 * Payments that ended, on disk: a file a month, by the time in the payment's id, so the id alone says
 * where to look. What is live in memory wins over what is found here.
 */
export class Archive {
  readonly #dir: string;
  readonly #flush: Flush;
  /** Newest first. */
  #months: readonly string[];
  #lastId: string;

  private constructor(dir: string, flush: Flush, months: readonly string[], lastId: string) {
    this.#dir = dir;
    this.#flush = flush;
    this.#months = months;
    this.#lastId = lastId;
  }

  static async open(dir: string, flush: Flush): Promise<Archive> {
    const months = (await readdir(dir))
      .flatMap((name) => /^archive-(\d{4}-\d{2})\.ndjson$/.exec(name)?.[1] ?? [])
      .sort()
      .reverse();
    const newest = months[0];
    const lastId = newest === undefined ? '' : await lastIdOf(join(dir, fileOf(newest)));
    return new Archive(dir, flush, months, lastId);
  }

  /** The newest id in the archive; empty when there is none. */
  get lastId(): string {
    return this.#lastId;
  }

  get isEmpty(): boolean {
    return this.#months.length === 0;
  }

  async find(id: string): Promise<Payment | undefined> {
    // Most questions are about payments too young to be here.
    const month = id > this.#lastId ? undefined : monthOfId(id);
    if (month === undefined || !this.#months.includes(month)) return undefined;
    return findArchived(this.#path(month), id);
  }

  /** Newest id first, from before `below` on, as long as ids are not older than `sinceMs`. */
  async *newestFirst(range: { below?: string; sinceMs?: number }): AsyncGenerator<Payment> {
    const { below, sinceMs = 0 } = range;
    const newest = below === undefined ? undefined : monthOfId(below);
    for (const month of this.#months) {
      if (newest !== undefined && month > newest) continue;
      for await (const payment of archivedBackwards(this.#path(month), below)) {
        if (idMadeAtMs(payment) < sinceMs) return;
        yield payment;
      }
    }
  }

  /** Resolves once they are safe from a power cut. `payments` must be in the order of ids. */
  async add(payments: readonly Payment[]): Promise<void> {
    const byMonth = Map.groupBy(payments, (payment) => monthOf(idMadeAtMs(payment)));
    for (const [month, some] of byMonth) {
      const known = this.#months.includes(month);
      if (known) await addToArchive(this.#path(month), some, this.#flush);
      else await createArchive(this.#path(month), some);
      if (!known) this.#months = [...this.#months, month].sort().reverse();
      const last = some.at(-1);
      if (last !== undefined && last.id > this.#lastId) this.#lastId = last.id;
    }
  }

  #path(month: string): string {
    return join(this.#dir, fileOf(month));
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

const lastIdOf = async (path: string): Promise<string> => {
  const id: unknown = await lastArchivedId(path).catch((cause: unknown) => {
    throw notOurs(path, { cause });
  });
  if (typeof id !== 'string' || monthOfId(id) === undefined) throw notOurs(path);
  return id;
};

const notOurs = (path: string, options?: ErrorOptions): StartError =>
  new StartError(
    `The archive ${path} does not end with a payment of Paythread. Nothing was changed. Put the whole data folder back from one backup.`,
    1,
    options,
  );
