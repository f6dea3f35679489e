import type { AuditRow, Kind } from '../../records/records.ts';
import { auditRowOf } from './audit-entry.ts';
import { keyOf } from './prepared-change.ts';

/** Causes before their effects; decides between records whose rows have the same time. */
const AUDIT_KINDS: readonly string[] = Object.keys({
  draft: 1,
  payment: 2,
  notice: 3,
  sms: 4,
  setting: 5,
  form: 6,
  watch: 7,
  bulk: 8,
  rows: 9,
} satisfies Record<Kind, number>);

/** A row of the table `audit`, with its detail unless that was deleted. */
export type StoryRow = {
  readonly kind: string;
  readonly id: string;
  readonly entry: string;
  readonly detail: string | null;
};

/** The values of `STORY` for an id. Right behind the dot comes the slash: what begins with the id and a dot is a stretch of the index. */
export const storyBounds = (id: string): [string, string, string] => [id, `${id}.`, `${id}/`];

/** Selects the rows under an id, record by record, for `storyOf`; its values are `storyBounds`. */
export const STORY = `SELECT kind, id, entry, detail FROM audit LEFT JOIN audit_details USING (position)
  WHERE id = ? OR (id > ? AND id < ?) ORDER BY id, kind, seq`;

/** As `Store.auditOf`, of rows that are in the order of `STORY`. */
export const storyOf = (rows: readonly StoryRow[]): AuditRow[] => {
  const records = [...Map.groupBy(rows, keyOf).values()];
  const placeOf = ([first]: readonly StoryRow[]) => AUDIT_KINDS.indexOf(first?.kind ?? '');
  return inOrderOfTime(
    records
      .toSorted((one, other) => placeOf(one) - placeOf(other))
      .map((some) => some.map(({ entry, detail }) => auditRowOf(entry, detail))),
  );
};

/**
 * Merges the rows of several records. Only the rows of one record are numbered, and the clocks of instances differ:
 * the rows of a record keep their order, and between records the earlier time comes first.
 */
const inOrderOfTime = (records: readonly (readonly AuditRow[])[]): AuditRow[] =>
  records
    .flatMap((rows) => {
      let latestMs = Number.NEGATIVE_INFINITY;
      return rows.map((row) => {
        latestMs = Math.max(latestMs, row.atMs);
        return { row, latestMs };
      });
    })
    .sort((one, other) => one.latestMs - other.latestMs)
    .map(({ row }) => row);
