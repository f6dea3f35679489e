import type { AuditRow, Kind } from '../../records/records.ts';

/** Causes before their effects; decides between records whose rows have the same time. */
export const AUDIT_KINDS: readonly string[] = Object.keys({
  draft: 1,
  payment: 2,
  notice: 3,
  sms: 4,
  setting: 5,
  form: 6,
  watch: 7,
} satisfies Record<Kind, number>);

/**
 * Merges the rows of several records. Only the rows of one record are numbered, and the clocks of instances differ:
 * the rows of a record keep their order, and between records the earlier time comes first.
 */
export const inOrderOfTime = (records: readonly (readonly AuditRow[])[]): AuditRow[] => {
  const rest = records.map((rows) => [...rows]);
  const ordered: AuditRow[] = [];
  const atMs = (rows: readonly AuditRow[]): number => rows[0]?.atMs ?? Number.POSITIVE_INFINITY;
  for (;;) {
    const first = rest.reduce<AuditRow[]>(
      (best, rows) => (atMs(rows) < atMs(best) ? rows : best),
      [],
    );
    const row = first.shift();
    if (row === undefined) return ordered;
    ordered.push(row);
  }
};
