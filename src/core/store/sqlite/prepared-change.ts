import type { Change, Kind, Put, Removal } from '../../records/records.ts';
import type { Random } from '../../runtime/random.ts';
import { type AuditDetail, type SaltedBody, storedEntry } from '../sql/audit-entry.ts';
import { type CustomerStory, customerStoriesOf } from '../sql/customer-stories.ts';
import { type PaymentColumns, paymentColumns } from '../sql/payment-columns.ts';
import { newSalt } from '../sql/salted-digest.ts';
import { mustBeStorableId } from '../sql/storable-text.ts';

type Named = { readonly kind: Kind; readonly id: string };

export type PaymentWrite = SaltedBody & {
  readonly id: string;
  readonly version: number;
  readonly columns: PaymentColumns;
  readonly isDue: boolean;
};

export type RecordWrite = Named & { readonly version: number; readonly body: string };

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
  isDue: record.due !== undefined,
});

const recordWrite = ({ kind, record }: Put): RecordWrite => ({
  kind,
  id: record.id,
  version: record.version,
  body: JSON.stringify(record),
});
