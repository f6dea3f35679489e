import type { DatabaseSync } from 'node:sqlite';
import type { Erasure } from '../../privacy/erasure.ts';
import { type Forgetting, forgottenPayment } from '../../privacy/forgotten-records.ts';
import type { AuditRow, Put, Removal } from '../../records/records.ts';
import { auditRowOf } from '../sql/audit-entry.ts';

/** The records of a customer as new versions without them. A guard that goes by the number goes. */
export const changeWithout = (
  puts: readonly Put[],
  erasure: Pick<Erasure, 'put'>,
  forgetting: Forgetting,
): { put: Put[]; remove: Removal[]; audit: AuditRow[] } => {
  const put: Put[] = [];
  const remove: Removal[] = [];
  const audit: AuditRow[] = [];
  for (const before of puts) {
    const erased = erasure.put(before);
    const { id, version } = before.record;
    if (erased.record.id !== id) remove.push({ kind: before.kind, id, version });
    else if (erased.kind === 'payment') {
      const { payment, row } = forgottenPayment(erased.record, forgetting);
      put.push({ kind: 'payment', record: payment });
      audit.push(row);
    } else {
      // Kind and record still belong together, which the compiler cannot follow.
      put.push({ ...erased, record: { ...erased.record, version: version + 1 } } as Put);
    }
  }
  return { put, remove, audit };
};

const DETAILS = `SELECT position, entry, detail FROM audit_details JOIN audit USING (position)`;

/** Positions of the details in the whole trail that tell of a customer. */
export const detailsAbout = (database: DatabaseSync, erasure: Erasure): number[] =>
  tellingOf(database.prepare(DETAILS).iterate(), erasure);

/** The same among the rows of one story. */
export const detailsInStory = (database: DatabaseSync, story: string, erasure: Erasure): number[] =>
  tellingOf(
    database
      .prepare(`${DETAILS} WHERE id = ? OR (id > ? AND id < ?)`)
      .all(story, `${story}.`, `${story}/`),
    erasure,
  );

const tellingOf = (rows: Iterable<Record<string, unknown>>, { row: erased }: Erasure): number[] => {
  const positions: number[] = [];
  for (const { position, entry, detail } of rows) {
    const row = auditRowOf(String(entry), String(detail));
    if (erased(row) !== row) positions.push(Number(position));
  }
  return positions;
};

export const deleteDetails = (database: DatabaseSync, positions: readonly number[]): void => {
  const statement = database.prepare('DELETE FROM audit_details WHERE position = ?');
  for (const position of positions) statement.run(position);
};
