import { randomBytes } from 'node:crypto';
import { isOfFile } from '../records/draft.ts';
import { isOpen } from '../records/payment.ts';
import type { Put } from '../records/records.ts';
import { pseudonymKey } from '../records/stored-values.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import { StartError } from '../runtime/errors.ts';
import type { CustomerErasure, DetailedRow, InErasure } from '../store/sql/customer-erasure.ts';
import type { Person } from '../values/conversation.ts';
import { formatMoney } from '../values/money.ts';
import { pseudonymOf } from '../values/pseudonym.ts';
import { CustomerRecords, type Found } from './customer-records.ts';
import { type Erasure, erasureOf } from './erasure.ts';
import { changeWithout, forgottenRow } from './forgotten-records.ts';

export type ForgetRequest = {
  /** E.164. */
  readonly number: string;
  readonly who: Person;
  /** `false`: only look what there is. */
  readonly isSure: boolean;
  /** What pseudonyms are made with. @default a key that is made once and kept in the store */
  readonly key?: string;
};

/** Something that still needs the number: what it is, for people, and until when, where that is known. */
type ReasonToWait = { readonly what: string; readonly untilMs?: number };

/** What came of it. Only `forgotten` has changed anything. */
export type ForgetAnswer =
  /** Nothing is stored about the number. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'wait'; readonly reasons: readonly ReasonToWait[] }
  | { readonly kind: 'found'; readonly found: Found }
  | { readonly kind: 'forgotten'; readonly found: Found; readonly pseudonym: string };

/**
 * Takes a customer out of a store, in one transaction: each record becomes a new version without them, so that one who
 * holds an older version cannot put the number back, and details of audit rows are deleted. The rows stay as they are.
 * @throws {StartError} when the store cannot be had.
 */
export const forget = (
  inErasure: InErasure,
  request: ForgetRequest,
  clock: Clock,
): Promise<ForgetAnswer> => inErasure((store) => forgetIn(store, request, clock.now()));

const forgetIn = async (
  store: CustomerErasure,
  { number, who, isSure, key: given }: ForgetRequest,
  nowMs: number,
): Promise<ForgetAnswer> => {
  const key = await pseudonymKeyIn(store, given);
  const customer = { number, pseudonym: pseudonymOf(number, key.key) };
  const own = new CustomerRecords(customer);
  for await (const put of store.records(customer)) own.take(put);
  for (const story of await store.stories(customer)) own.ids.add(story);
  const { found, ids } = own;
  const erasure = erasureOf(own);
  const touched: Put[] = [];
  for await (const put of store.records(customer)) if (erasure.put(put) !== put) touched.push(put);
  const reasons = reasonsIn(touched, nowMs);
  if (reasons.length > 0) return { kind: 'wait', reasons };
  // Reading the whole trail takes long, so it comes before anything is held.
  const details = await detailsNaming(store.detailsAbout(customer, ids), erasure);
  if (touched.length === 0 && details.length === 0) return { kind: 'unknown' };
  if (!isSure) return { kind: 'found', found };
  const held = await store.held(touched);
  // A press or a callback may have come meanwhile.
  const newReasons = reasonsIn(held, nowMs);
  if (newReasons.length > 0) return { kind: 'wait', reasons: newReasons };
  const late = await detailsNaming(store.detailsIn(ids), erasure);
  const all = [...new Set([...details, ...late])];
  const forgetting = { atMs: nowMs, who };
  const { put, remove, audit } = changeWithout(held, erasure, forgetting);
  const { payments, sms } = found;
  const { pseudonym } = customer;
  const told = forgottenRow(forgetting, { pseudonym, payments, sms, details: all.length });
  const change = { put: [...put, key.put ?? []].flat(), remove, audit: [...audit, told] };
  if (!(await store.commit(change, { details: all, customer })))
    throw new StartError('Others changed the same records at this moment. Run it again.');
  return { kind: 'forgotten', found, pseudonym };
};

/** Positions of the details that tell of a customer. */
export const detailsNaming = async (
  rows: AsyncIterable<DetailedRow>,
  erasure: Erasure,
): Promise<number[]> => {
  const positions: number[] = [];
  for await (const { position, row } of rows)
    if (erasure.row(row) !== row) positions.push(position);
  return positions;
};

const reasonsIn = (puts: readonly Put[], nowMs: number): ReasonToWait[] =>
  puts.flatMap((put) => reasonToWait(put, nowMs) ?? []);

/** Why a record that would lose the number cannot lose it yet; undefined: it can. */
const reasonToWait = ({ kind, record }: Put, nowMs: number): ReasonToWait | undefined => {
  if (kind === 'payment')
    // One that ended is asked about by its id alone.
    return isOpen(record)
      ? { what: `payment ${record.id} (${formatMoney(record.terms.amount)}) has no outcome yet` }
      : undefined;
  // Rows are confirmed as they are. Once their run is over, a page that loses a customer cannot be asked for again.
  if (kind === 'rows')
    return record.isOver
      ? undefined
      : { what: 'a file that was sent names it', ...defined({ untilMs: record.due?.atMs }) };
  if (kind === 'draft' && !isOfFile(record)) {
    const isAsked = record.status === 'awaiting approval';
    if ((record.status !== 'open' && !isAsked) || record.expiresAtMs <= nowMs) return undefined;
    const of = record.kind === 'given back' ? 'money given back of payment' : 'charge';
    const what = record.kind === 'sms' ? 'an SMS' : `${of} ${record.paymentId}`;
    const waits = isAsked ? 'waits for approval' : 'is shown for confirmation';
    return { what: `${what} ${waits}`, untilMs: record.expiresAtMs };
  }
  if (kind === 'sms' && record.due?.queue === 'sms')
    return { what: `SMS ${record.id} is being sent` };
  return undefined;
};

/** With `put` the key is new, and is to be stored with what it was used for. */
export const pseudonymKeyIn = async (
  store: CustomerErasure,
  given: string | undefined,
): Promise<{ readonly key: string; readonly put?: Put }> => {
  if (given !== undefined) return { key: given };
  const kept = await pseudonymKey.in(store);
  if (kept !== undefined) return { key: kept };
  const key = randomBytes(32).toString('base64url');
  return { key, put: pseudonymKey.put(key, undefined) };
};
