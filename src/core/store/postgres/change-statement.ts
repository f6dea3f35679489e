import type { QueryConfig } from 'pg';
import type { Due } from '../../records/due.ts';
import type { Payment } from '../../records/payment.ts';
import type { Change, Kind, Put } from '../../records/records.ts';

/** What `commit_change` is told of one record, beside its body. */
type Row = {
  readonly kind: Kind;
  readonly id: string;
  readonly version: number;
  readonly remove?: true;
  readonly queue?: string;
  readonly delay_ms?: number;
  readonly state?: string;
  readonly customer_number?: string;
  readonly requester?: string;
  readonly confirmed_ms?: number;
  readonly currency?: string;
  readonly amount_minor?: number;
};

/** Bodies are turned into text at once, so that nothing the caller does to its records later is stored. */
export type Draught = {
  readonly records: readonly { readonly row: Row; readonly body: string | null }[];
  readonly audit: readonly { readonly kind: Kind; readonly id: string; readonly entry: string }[];
};

export const draughtOf = (change: Change, nowMs: number): Draught => {
  const records = [
    ...(change.put ?? []).map((one) => ({
      row: putRow(one, nowMs),
      body: JSON.stringify(one.record),
    })),
    ...(change.remove ?? []).map(({ kind, id, version }) => ({
      row: { kind, id, version, remove: true } as const,
      body: null,
    })),
  ];
  const audit = (change.audit ?? []).map((row) => ({
    kind: row.kind,
    id: row.id,
    entry: JSON.stringify(row),
  }));
  for (const { id } of [...records.map(({ row }) => row), ...audit]) mustBeStorable(id);
  return { records, audit };
};

/** Whether two changes leave each other's records alone, so that together they mean what they mean apart. */
export const areApart = (one: Draught, other: Draught): boolean =>
  one.records.every(({ row }) =>
    other.records.every((each) => each.row.id !== row.id || each.row.kind !== row.kind),
  );

/** The one statement of a commit, of one change or of several: a transaction of its own, and one trip to the server. */
export const commitStatement = (
  draughts: readonly Draught[],
  { connection, serial, givenMs }: { connection: string; serial: number; givenMs: number | null },
): QueryConfig => ({
  name: 'commit',
  text: 'SELECT commit_change($1, $2, $3, $4, $5, $6, $7) AS stored',
  values: [
    connection,
    serial,
    givenMs,
    ...recordValues(draughts.flatMap(({ records }) => records)),
    ...auditValues(draughts.flatMap(({ audit }) => audit)),
  ],
});

/** Rows and bodies, which go together; sorted, because all instances have to lock in the same order. */
export const recordValues = (records: Draught['records']): [string, (string | null)[]] => {
  const sorted = records.toSorted((a, b) => inOrder(a.row, b.row));
  return [JSON.stringify(sorted.map(({ row }) => row)), sorted.map(({ body }) => body)];
};

/** Names and entries, which go together, in the same order. */
export const auditValues = (audit: Draught['audit']): [string, string[]] => {
  const sorted = audit.toSorted(inOrder);
  return [
    JSON.stringify(sorted.map(({ kind, id }) => ({ kind, id }))),
    sorted.map(({ entry }) => entry),
  ];
};

/** Text that PostgreSQL gives back as it was: it knows neither NUL nor half a character. */
export const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

/** An id is a key and not what people type, so it has no business with such characters. */
const mustBeStorable = (id: string): void => {
  if (!isStorable(id)) throw new Error(`An id cannot be stored: ${JSON.stringify(id)}`);
};

const putRow = (put: Put, nowMs: number): Row => ({
  kind: put.kind,
  id: put.record.id,
  version: put.record.version,
  ...dueColumns(put.record.due, nowMs),
  ...(put.kind === 'payment' ? paymentColumns(put.record) : {}),
});

/** The time travels as a distance, so that the clocks of instances and server need not agree. */
const dueColumns = (due: Due | undefined, nowMs: number) =>
  due === undefined ? {} : { queue: due.queue, delay_ms: Math.round(due.atMs - nowMs) };

const paymentColumns = ({ state, terms, requester, confirmedAtMs }: Payment) => ({
  state,
  customer_number: terms.customerNumber,
  requester: `${requester.platform}:${requester.id}`,
  confirmed_ms: confirmedAtMs,
  currency: terms.amount.currency,
  amount_minor: terms.amount.amountMinor,
});

type Named = { readonly kind: Kind; readonly id: string };

const inOrder = (a: Named, b: Named): number => compare(a.kind, b.kind) || compare(a.id, b.id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
