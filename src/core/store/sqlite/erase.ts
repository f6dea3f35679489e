import type { DatabaseSync } from 'node:sqlite';
import type { Erasure } from '../../privacy/erasure.ts';
import { auditRowOf } from '../sql/audit-entry.ts';

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
