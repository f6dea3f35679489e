import { randomUUID } from 'node:crypto';
import type { ClientBase, QueryConfig } from 'pg';
import type { Due } from '../../records/due.ts';
import type { Change, Kind } from '../../records/records.ts';
import { systemRandom } from '../../runtime/random.ts';
import type { AuditDetail } from '../sql/audit-entry.ts';
import {
  type PaymentColumns,
  type PreparedChange,
  preparedChange,
} from '../sql/prepared-change.ts';

type Named = { readonly kind: Kind; readonly id: string };

/** What `commit_change` is told of one record, beside its body. */
type Row = Named &
  Partial<PaymentColumns> & {
    readonly version: number;
    readonly remove?: true;
    readonly salt?: string;
    readonly queue?: string;
    readonly delay_ms?: number;
  };

/** Whether two changes leave each other's records alone, so that together they mean what they mean apart. */
export const areApart = (one: PreparedChange, other: PreparedChange): boolean => {
  const names = new Set(namesIn(one));
  return namesIn(other).every((name) => !names.has(name));
};

const namesIn = ({ payments, records, removals }: PreparedChange): string[] => [
  ...payments.map(({ id }) => `payment/${id}`),
  ...[...records, ...removals].map(({ kind, id }) => `${kind}/${id}`),
];

/**
 * The one statement of a commit, of one change or of several: a transaction of its own, and one trip to the server.
 * Everything is sorted, because all instances have to lock in the same order.
 */
export const commitStatement = (
  changes: readonly PreparedChange[],
  mark: { connection: string; serial: number },
  { nowMs, givenMs }: { nowMs: number; givenMs: number | null },
): QueryConfig => {
  const audit = changes.flatMap((change) => change.audit).toSorted(inOrder);
  const stories = changes.flatMap((change) => change.stories);
  const records = recordRows(changes, nowMs);
  return {
    name: 'commit',
    text: 'SELECT commit_change($1, $2, $3, $4, $5, $6, $7, $8, $9) AS stored',
    values: [
      mark.connection,
      mark.serial,
      givenMs,
      JSON.stringify(records.map(({ body: _, ...row }) => row)),
      records.map(({ body }) => body),
      JSON.stringify(audit.map(({ kind, id, detail }) => ({ kind, id, salt: saltOf(detail) }))),
      audit.map(({ entry }) => entry),
      audit.map(({ detail }) => detail?.text ?? null),
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
  const { rows } = await client.query<{ stored: boolean }>(
    commitStatement(
      [preparedChange(change, systemRandom)],
      { connection: randomUUID(), serial: 1 },
      { nowMs, givenMs: null },
    ),
  );
  return rows[0]?.stored === true;
};

/** What `commit_change` is told of each record, with its body. */
export const recordRows = (
  changes: readonly Pick<PreparedChange, 'payments' | 'records' | 'removals'>[],
  nowMs: number,
): (Row & { readonly body: string | null })[] =>
  changes
    .flatMap(({ payments, records, removals }) => [
      ...payments.map(({ id, version, body, salt, columns, due }) => ({
        ...{ kind: 'payment' as const, id, version, body, salt: hexOf(salt) },
        ...columns,
        ...dueColumns(due, nowMs),
      })),
      ...records.map(({ due, ...record }) => ({ ...record, ...dueColumns(due, nowMs) })),
      ...removals.map((removal) => ({ ...removal, remove: true as const, body: null })),
    ])
    .toSorted(inOrder);

/** Bytes as the server reads them from a text. */
export const hexOf = (bytes: Uint8Array): string => `\\x${Buffer.from(bytes).toString('hex')}`;

const saltOf = (detail: AuditDetail | undefined): string | undefined =>
  detail && hexOf(detail.salt);

/** The time travels as a distance, so that the clocks of instances and server need not agree. */
const dueColumns = (due: Due | undefined, nowMs: number): Pick<Row, 'queue' | 'delay_ms'> =>
  due === undefined ? {} : { queue: due.queue, delay_ms: Math.round(due.atMs - nowMs) };

const inOrder = (a: Named, b: Named): number => compare(a.kind, b.kind) || compare(a.id, b.id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
