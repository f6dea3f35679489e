import { createHash } from 'node:crypto';
import type { StoredAuditRow } from './sql-trail.ts';

/**
 * A summary of all rows up to a place. Places only grow: in one process's own database the row's number, in a shared
 * one its time, which is why a head is only made of rows that are older than any clock is wrong.
 */
export type AuditHead = { readonly place: number; readonly hash: string };

export const headText = ({ place, hash }: AuditHead): string => `${place}.${hash}`;

/** Undefined: it is not a head. */
export const readHead = (text: string): AuditHead | undefined => {
  const [, place, hash] = /^(\d{1,15})\.([0-9a-f]{64})$/.exec(text) ?? [];
  return place === undefined || hash === undefined ? undefined : { place: Number(place), hash };
};

type ChainedRow = Pick<StoredAuditRow, 'kind' | 'id' | 'seq' | 'hash'>;

/** Hashes the last row of each record up to a place; the rows before it are hashed into that one. */
export class HeadMaker {
  readonly #place: number;
  readonly #hash = createHash('sha256');
  #last: ChainedRow | undefined;

  constructor(place: number) {
    this.#place = place;
  }

  /** Takes the rows record by record. */
  take(row: ChainedRow, place: number): void {
    if (this.#last?.kind !== row.kind || this.#last.id !== row.id) this.#add();
    if (place <= this.#place) this.#last = row;
  }

  head(): AuditHead {
    this.#add();
    return { place: this.#place, hash: this.#hash.digest('hex') };
  }

  #add(): void {
    const last = this.#last;
    this.#last = undefined;
    if (last === undefined) return;
    const { kind, id, seq, hash } = last;
    this.#hash.update(`${kind} ${id} ${seq} ${Buffer.from(hash).toString('hex')}\n`);
  }
}
