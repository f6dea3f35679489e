import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { BoundedMap } from '../../runtime/bounded-map.ts';
import { chainHash } from '../sql/audit-entry.ts';
import { type AuditWrite, keyOf } from '../sql/prepared-change.ts';

/** Records of which the last row's hash is kept in memory: those that were written to most recently. */
const MOST_KNOWN = 10_000;

type Last = { readonly seq: number; readonly hash: Uint8Array };

export class AuditTable {
  readonly #last = new BoundedMap<string, Last>(MOST_KNOWN);
  readonly #selectLast: StatementSync;
  readonly #insert: StatementSync;
  readonly #insertDetail: StatementSync;

  constructor(database: DatabaseSync) {
    this.#selectLast = database.prepare(
      'SELECT seq, hash FROM audit WHERE id = ? AND kind = ? ORDER BY seq DESC LIMIT 1',
    );
    this.#insert = database.prepare(
      'INSERT INTO audit (kind, id, seq, entry, hash) VALUES (?, ?, ?, ?, ?)',
    );
    this.#insertDetail = database.prepare(
      'INSERT INTO audit_details (position, salt, detail) VALUES (?, ?, ?)',
    );
  }

  append(rows: readonly AuditWrite[]): void {
    for (const { kind, id, entry, detail } of rows) {
      const key = keyOf({ kind, id });
      const before = this.#last.get(key) ?? this.#stored(kind, id);
      const seq = (before?.seq ?? 0) + 1;
      const hash = chainHash(before?.hash, seq, entry);
      const { lastInsertRowid } = this.#insert.run(kind, id, seq, entry, hash);
      if (detail !== undefined) this.#insertDetail.run(lastInsertRowid, detail.salt, detail.text);
      this.#last.set(key, { seq, hash });
    }
  }

  /** To be called after a rollback: what was remembered may never have been stored. */
  forgetLast(): void {
    this.#last.clear();
  }

  #stored(kind: string, id: string): Last | undefined {
    const row = this.#selectLast.get(id, kind);
    return row && { seq: Number(row['seq']), hash: row['hash'] as Uint8Array };
  }
}
