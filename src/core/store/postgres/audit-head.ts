import { createHash } from 'node:crypto';

/**
 * Rows younger than this are in no head: another instance may still write one with an earlier time, and a head
 * has to come out the same whenever it is made.
 */
export const HEAD_AGE_MS = 3_600_000;

/** All rows up to a time, over all records. */
export type DatabaseHead = { readonly atMs: number; readonly hash: string };

export const headText = ({ atMs, hash }: DatabaseHead): string => `${atMs}.${hash}`;

/** Undefined: it is no head of a database. */
export const readHead = (text: string): DatabaseHead | undefined => {
  const [, atMs, hash] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(text) ?? [];
  return atMs === undefined || hash === undefined ? undefined : { atMs: Number(atMs), hash };
};

type SealedRow = {
  readonly kind: string;
  readonly id: string;
  readonly seq: number;
  readonly hash: Buffer;
};

/** The hash over the last row of each record up to a time: the rows before it are sealed in that one. */
export class HeadMaker {
  readonly #atMs: number;
  readonly #hash = createHash('sha256');
  #last: SealedRow | undefined;

  constructor(atMs: number) {
    this.#atMs = atMs;
  }

  take(row: SealedRow, atMs: number): void {
    if (this.#last?.kind !== row.kind || this.#last.id !== row.id) this.#add();
    if (atMs <= this.#atMs) this.#last = row;
  }

  head(): DatabaseHead {
    this.#add();
    return { atMs: this.#atMs, hash: this.#hash.digest('hex') };
  }

  #add(): void {
    const last = this.#last;
    this.#last = undefined;
    if (last === undefined) return;
    this.#hash.update(`${last.kind} ${last.id} ${last.seq} ${last.hash.toString('hex')}\n`);
  }
}
