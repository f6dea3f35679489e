import { cardNotice, oweNotices } from '../notices/owed-notices.ts';
import { isOpen, type Payment } from '../records/payment.ts';
import type { AuditRow, Change } from '../records/records.ts';
import { defined } from '../runtime/defined.ts';
import type { Store } from '../store/store.ts';

/**
 * Why a payment must not be asked for again; undefined: it may be. `may be paid`: it has no outcome yet, or the payment
 * service contradicts it. `tried again`: there is a next try, which is the one to go on with.
 */
export const whyNoOtherTry = (
  payment: Payment,
): 'may be paid' | 'paid' | 'tried again' | undefined => {
  if (payment.retriedAs !== undefined) return 'tried again';
  if (isOpen(payment) || payment.flag === 'conflict') return 'may be paid';
  return payment.state === 'completed' ? 'paid' : undefined;
};

/** A chain of tries that is longer is a mistake. */
const MOST_TRIES = 50;

/** The tries of a payment that came after it, in order. */
export const laterTriesOf = async (
  store: Pick<Store, 'get'>,
  { retriedAs }: Payment,
): Promise<readonly Payment[]> => {
  const tries: Payment[] = [];
  for (let id = retriedAs; id !== undefined && tries.length < MOST_TRIES; ) {
    const next = await store.get('payment', id);
    if (next === undefined) break;
    tries.push(next);
    id = next.retriedAs;
  }
  return tries;
};

type Link = Required<Pick<Change, 'put' | 'audit'>>;

/**
 * What the commit that confirms a payment stores of the payment it is another try of: its next try. The commit is
 * refused if that payment has changed since it was read, so of two tries one is confirmed, and none of a payment
 * that may have been paid.
 */
export const linkToFirstTry = async (
  store: Pick<Store, 'get'>,
  { retryOf, id: nextId }: Pick<Payment, 'retryOf' | 'id'>,
  by: Pick<AuditRow, 'who' | 'where' | 'button' | 'atMs'>,
): Promise<Link | 'not again'> => {
  if (retryOf === undefined) return { put: [], audit: [] };
  const first = await store.get('payment', retryOf);
  if (first === undefined || whyNoOtherTry(first) !== undefined) return 'not again';
  const { id, state, flag } = first;
  const version = first.version + 1;
  const record = { ...first, version, retriedAs: nextId };
  // Its card names the next try.
  const notices = first.card === undefined ? [] : [cardNotice(record, by.atMs)];
  const what = { what: 'asked again', before: state, after: state, detail: { as: nextId } };
  return {
    put: [{ kind: 'payment', record }, ...(await oweNotices(store, notices))],
    audit: [{ ...by, kind: 'payment', id, ...what, version, ...defined({ flag }) }],
  };
};
