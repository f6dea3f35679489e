import type { Kind, Records } from '../../records/records.ts';
import { BoundedMap } from '../../runtime/bounded-map.ts';

/** About 8 MB: the payments of a busy hour with what belongs to them. */
const MOST_KEPT = 4_000;

/** A record as its body's text until it is asked for, and from then on as an object; null: there is none. */
type Recent = string | Records[Kind] | null;

/**
 * The newest versions of the records that were read or written last, so that the callbacks of a payment read it
 * without SQL. The object is the one that the stored text gives, frozen because all callers share it.
 */
export class RecentRecords {
  readonly #recent = new BoundedMap<string, Recent>(MOST_KEPT);

  /** Undefined: it is not among them, and may be stored; null: it is known that none is stored. */
  get(kind: Kind, id: string): Records[Kind] | null | undefined {
    const key = keyOf(kind, id);
    const recent = this.#recent.get(key);
    if (typeof recent !== 'string') return recent;
    const record = frozen(JSON.parse(recent) as Records[Kind]);
    this.#recent.set(key, record);
    return record;
  }

  /** Takes the body that the database has, or will have with the COMMIT of the running transaction. */
  remember(kind: Kind, id: string, body: string): void {
    this.#recent.set(keyOf(kind, id), body);
  }

  /** The database has none, or will have none with the COMMIT of the running transaction. */
  rememberNone(kind: Kind, id: string): void {
    this.#recent.set(keyOf(kind, id), null);
  }

  /** To be called after a rollback: what was remembered may never have been stored. */
  clear(): void {
    this.#recent.clear();
  }
}

const keyOf = (kind: Kind, id: string): string => `${kind}/${id}`;

const frozen = <T>(value: T): T => {
  if (typeof value !== 'object' || value === null) return value;
  for (const part of Object.values(value)) frozen(part);
  return Object.freeze(value);
};
