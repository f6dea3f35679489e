import type { Due } from '../../records/due.ts';
import type { Change, Kind, Put, Removal } from '../../records/records.ts';
import type { Random } from '../../runtime/random.ts';
import { type AuditDetail, type SaltedBody, storedEntry } from './audit-entry.ts';
import { type CustomerStory, customerStoriesOf } from './customer-stories.ts';
import { type PaymentColumns, paymentColumns } from './payment-columns.ts';
import { newSalt } from './salted-digest.ts';
import { mustBeStorableId } from './storable-text.ts';

type Named = { readonly kind: Kind; readonly id: string };

export type PaymentWrite = SaltedBody & {
  readonly id: string;
  readonly version: number;
  readonly columns: PaymentColumns;
  readonly due?: Due;
};

export type RecordWrite = Named & {
  readonly version: number;
  readonly body: string;
  readonly due?: Due;
};

export type AuditWrite = Named & { readonly entry: string; readonly detail?: AuditDetail };

/** A change as text: what the caller does to its objects afterwards is not stored. */
export type PreparedChange = {
  readonly payments: readonly PaymentWrite[];
  readonly records: readonly RecordWrite[];
  readonly removals: readonly Removal[];
  readonly audit: readonly AuditWrite[];
  readonly stories: readonly CustomerStory[];
};

/** @param random makes the salts. */
export const preparedChange = (
  { put = [], remove = [], audit = [] }: Change,
  random: Random,
): PreparedChange => {
  const payments: PaymentWrite[] = [];
  const records: RecordWrite[] = [];
  for (const one of put) {
    if (one.kind === 'payment') payments.push(paymentWrite(one, random));
    else records.push(recordWrite(one));
  }
  const writes = audit.map((row): AuditWrite => {
    const payment = row.kind === 'payment' ? payments.find(({ id }) => id === row.id) : undefined;
    return { kind: row.kind, id: row.id, ...storedEntry(row, random, payment) };
  });
  for (const { id } of [...payments, ...records, ...remove, ...writes]) mustBeStorableId(id);
  return {
    payments,
    records,
    removals: remove.map(({ kind, id, version }) => ({ kind, id, version })),
    audit: writes,
    stories: put.flatMap(customerStoriesOf),
  };
};

const paymentWrite = (
  { record }: Extract<Put, { kind: 'payment' }>,
  random: Random,
): PaymentWrite => ({
  id: record.id,
  version: record.version,
  body: JSON.stringify(record),
  salt: newSalt(random),
  columns: paymentColumns(record),
  ...(record.due === undefined ? {} : { due: { ...record.due } }),
});

const recordWrite = ({ kind, record }: Put): RecordWrite => ({
  kind,
  id: record.id,
  version: record.version,
  body: JSON.stringify(record),
  ...(record.due === undefined ? {} : { due: { ...record.due } }),
});
