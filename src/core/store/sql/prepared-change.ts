import { isOfFile } from '../../records/draft.ts';
import type { Due } from '../../records/due.ts';
import { givenBackOf } from '../../records/given-back.ts';
import { placeKey } from '../../records/notify-rules.ts';
import type { Payment } from '../../records/payment.ts';
import type { Change, Kind, Put, Removal } from '../../records/records.ts';
import { type Random, systemRandom } from '../../runtime/random.ts';
import { type AuditDetail, newSalt, type SaltedBody, storedEntry } from './audit-entry.ts';
import { searchText } from './search-text.ts';
import { mustBeStorableId } from './storable-text.ts';

export type Named = { readonly kind: Kind; readonly id: string };

export const keyOf = ({ kind, id }: { readonly kind: string; readonly id: string }): string =>
  `${kind}/${id}`;

export type RecordWrite = Named & {
  readonly version: number;
  readonly body: string;
  readonly due?: Due;
};

export type PaymentWrite = RecordWrite & SaltedBody & { readonly columns: PaymentColumns };

export type AuditWrite = Named & { readonly entry: string; readonly detail?: AuditDetail };

/** A change as text: what the caller does to its objects afterwards is not stored. */
export type PreparedChange = {
  readonly payments: readonly PaymentWrite[];
  readonly records: readonly RecordWrite[];
  readonly removals: readonly Removal[];
  readonly audit: readonly AuditWrite[];
  readonly stories: readonly CustomerStory[];
};

/**
 * @param random makes the salts.
 * @throws on a mistake in the program. A conflict between two callers is answered with `false` instead.
 */
export const preparedChange = (
  { put = [], remove = [], audit = [] }: Change,
  random: Random = systemRandom,
): PreparedChange => {
  mustBeValid(put, remove);
  const payments: PaymentWrite[] = [];
  const records: RecordWrite[] = [];
  for (const one of put) {
    const write = recordWrite(one);
    if (one.kind !== 'payment') records.push(write);
    else payments.push({ ...write, salt: newSalt(random), columns: paymentColumns(one.record) });
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

const recordWrite = ({ kind, record }: Put): RecordWrite => ({
  kind,
  id: record.id,
  version: record.version,
  body: JSON.stringify(record),
  ...(record.due === undefined ? {} : { due: { ...record.due } }),
});

export const isEmpty = ({ put, remove, audit }: Change): boolean =>
  !put?.length && !remove?.length && !audit?.length;

const mustBeValid = (put: readonly Put[], remove: readonly Removal[]): void => {
  const puts = put.map(({ kind, record: { id } }) => ({ kind, id }));
  const names = [...puts, ...remove].map(keyOf);
  if (new Set(names).size < names.length)
    throw new Error(`A change names a record twice: ${names.join(', ')}`);
  if (remove.some(({ kind }) => kind === 'payment')) throw new Error('A payment is never removed.');
};

/** That the audit rows under a story's id are about a customer, from a moment on. */
export type CustomerStory = {
  readonly customer: string;
  readonly story: string;
  readonly sinceMs: number;
};

/** Of drafts and SMS, which are removed while their audit rows stay. A payment names its customer itself. */
const customerStoriesOf = ({ kind, record }: Put): CustomerStory[] => {
  if (kind === 'sms') return forAll(record.terms.recipients, record.id, record.confirmedAtMs);
  if (kind !== 'draft') return [];
  const { createdAtMs: sinceMs } = record;
  // Its rows name the customers: they are removed, and no audit row is about them.
  if (isOfFile(record)) return [];
  return record.kind === 'sms'
    ? forAll(record.terms.recipients, record.id, sinceMs)
    : [{ customer: record.terms.customerNumber, story: record.paymentId, sinceMs }];
};

const forAll = (customers: readonly string[], story: string, sinceMs: number): CustomerStory[] =>
  customers.map((customer) => ({ customer, story, sinceMs }));

export type PaymentColumns = ReturnType<typeof paymentColumns>;

/** What a payment's row is searched and summed by, beside its body. */
export const paymentColumns = (payment: Payment) => {
  const { state, terms, requester, conversation, flag, confirmedAtMs, settledAtMs } = payment;
  return {
    state,
    customer_number: terms.customerNumber,
    requester: `${requester.platform}:${requester.id}`,
    currency: terms.amount.currency,
    amount_minor: terms.amount.amountMinor,
    given_minor: payment.givenBack === undefined ? null : givenBackOf(payment).amountMinor,
    flag: flag ?? null,
    confirmed_ms: confirmedAtMs,
    /** When it was confirmed or settled, whichever is later. */
    ended_ms: Math.max(confirmedAtMs, settledAtMs ?? 0),
    settled_ms: settledAtMs ?? null,
    network: terms.network,
    payment_option: terms.option,
    place: placeKey(conversation),
    merchant: terms.merchant ?? null,
    searched: searchText(payment),
    /** The run of its file. */
    run: payment.bulk?.run ?? null,
  };
};
