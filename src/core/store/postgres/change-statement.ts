import type { QueryConfig } from 'pg';
import type { Payment } from '../../payments/payment.ts';
import type { AuditRow, Change, Due, Kind, Put } from '../store.ts';

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

/** Turned into text at once, so that nothing the caller does to its records later is stored. */
export type ChangeTexts = {
  readonly rows: string;
  readonly bodies: readonly (string | null)[];
  readonly audited: string;
  readonly entries: readonly string[];
};

/** A change as `commit_change` takes it: rows and bodies go together, and all instances lock in the same order. */
export const changeTexts = (change: Change, nowMs: number): ChangeTexts => {
  const put = (change.put ?? []).map((one) => ({ row: putRow(one, nowMs), body: one.record }));
  const removed = (change.remove ?? []).map(({ kind, id, version }) => ({
    row: { kind, id, version, remove: true } as const,
    body: null,
  }));
  const all = [...put, ...removed].sort((a, b) => inOrder(a.row, b.row));
  const audit = (change.audit ?? []).toSorted(inOrder);
  for (const { id } of [...all.map(({ row }) => row), ...audit]) mustBeStorable(id);
  return {
    rows: JSON.stringify(all.map(({ row }) => row)),
    bodies: all.map(({ body }) => (body === null ? null : JSON.stringify(body))),
    audited: JSON.stringify(audit.map(({ kind, id }) => ({ kind, id }))),
    entries: audit.map((entry) => JSON.stringify(entry)),
  };
};

/** The one statement of a commit: a transaction of its own, and one trip to the server. */
export const commitStatement = (
  { rows, bodies, audited, entries }: ChangeTexts,
  { connection, serial, givenMs }: { connection: string; serial: number; givenMs: number | null },
): QueryConfig => ({
  name: 'commit',
  text: 'SELECT commit_change($1, $2, $3, $4, $5, $6, $7) AS stored',
  values: [connection, serial, givenMs, rows, bodies, audited, entries],
});

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

const inOrder = (a: Row | AuditRow, b: Row | AuditRow): number =>
  compare(a.kind, b.kind) || compare(a.id, b.id);

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
