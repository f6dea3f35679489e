import { randomUUID } from 'node:crypto';
import type { ClientBase, QueryConfig } from 'pg';
import type { Due } from '../../records/due.ts';
import type { Change } from '../../records/records.ts';
import {
  type AuditWrite,
  keyOf,
  type Named,
  type PreparedChange,
  preparedChange,
} from '../sql/prepared-change.ts';

/** Takes changes as long as they name different records: together they mean what they mean one by one. */
export const joiningApart = (): ((change: PreparedChange) => boolean) => {
  const taken = new Set<string>();
  return ({ payments, records, removals }) => {
    const names = [...payments, ...records, ...removals].map(keyOf);
    if (names.some((name) => taken.has(name))) return false;
    for (const name of names) taken.add(name);
    return true;
  };
};

/** Where a commit leaves its mark. */
export type Mark = { readonly connection: string; readonly serial: number };

/**
 * The one statement of a commit, of one change or of several: a transaction of its own, and one trip to the server.
 * Everything is sorted, because all instances have to lock in the same order.
 */
export const commitStatement = (
  changes: readonly PreparedChange[],
  mark: Mark,
  { nowMs, givenMs }: { nowMs: number; givenMs: number | null },
): QueryConfig => {
  const audit = changes.flatMap((change) => change.audit.map(auditRow)).toSorted(inOrder);
  const stories = changes.flatMap((change) => change.stories);
  return {
    name: 'commit',
    text: 'SELECT commit_change($1, $2, $3, $4, $5, $6) AS stored',
    values: [
      mark.connection,
      mark.serial,
      givenMs,
      JSON.stringify(recordRows(changes, nowMs)),
      JSON.stringify(audit),
      stories.length === 0 ? null : JSON.stringify(stories),
    ],
  };
};

/** Stores a change within a transaction of the caller's. `false`: a record had another version than expected. */
export const commitOn = async (
  client: ClientBase,
  change: Change,
  nowMs: number,
): Promise<boolean> => {
  const mark = { connection: randomUUID(), serial: 1 };
  const query = commitStatement([preparedChange(change)], mark, { nowMs, givenMs: null });
  const { rows } = await client.query<{ stored: boolean }>(query);
  return rows[0]?.stored === true;
};

/** What `commit_change` is told of each record. Bodies are texts within the JSON: the server would refuse a \u0000 in them otherwise. */
export const recordRows = (
  changes: readonly Pick<PreparedChange, 'payments' | 'records' | 'removals'>[],
  nowMs: number,
) =>
  changes
    .flatMap(({ payments, records, removals }) => [
      ...payments.map(({ salt, columns, due, ...record }) => ({
        ...record,
        salt: hexOf(salt),
        ...columns,
        ...dueColumns(due, nowMs),
      })),
      ...records.map(({ due, ...record }) => ({ ...record, ...dueColumns(due, nowMs) })),
      ...removals.map((removal) => ({ ...removal, remove: true as const })),
    ])
    .toSorted(inOrder);

/** Bytes as the server reads them from a text. */
export const hexOf = (bytes: Uint8Array): string =>
  `\\x${Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex')}`;

const auditRow = ({ kind, id, entry, detail }: AuditWrite) =>
  detail === undefined
    ? { kind, id, entry }
    : { kind, id, entry, salt: hexOf(detail.salt), detail: detail.text };

/** The time travels as a distance, so that the clocks of instances and server need not agree. */
const dueColumns = (due: Due | undefined, nowMs: number) =>
  due === undefined ? {} : { queue: due.queue, delay_ms: Math.round(due.atMs - nowMs) };

const inOrder = (a: Named, b: Named): number => compare(a.kind, b.kind) || compare(a.id, b.id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
