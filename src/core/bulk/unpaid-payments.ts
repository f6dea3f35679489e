import { laterTriesOf } from '../payments/next-try.ts';
import { endedAtMs, isSettled, type Payment, UNPAID_STATES } from '../records/payment.ts';
import type { Store } from '../store/store.ts';
import { isPseudonym } from '../values/pseudonym.ts';
import { type EarlierCharges, isLike } from './earlier-charges.ts';

/** Whether it is certain that nothing was paid by it, as far as its record says. */
const isUnpaid = ({ state, flag }: Payment): boolean =>
  UNPAID_STATES.includes(state) && flag !== 'conflict';

/** Whether a customer may be told that a charge is unpaid, as far as its record says: what is `unknown` may be paid. */
const looksUnpaid = (payment: Payment): boolean =>
  (isUnpaid(payment) || (payment.state === 'pending' && payment.flag !== 'conflict')) &&
  !isPseudonym(payment.terms.customerNumber);

type Needs = {
  readonly store: Pick<Store, 'get'>;
  readonly earlier: Pick<EarlierCharges, 'made'>;
};

/** Those of some payments of a file that no later try, and no other charge of the same since, has paid or may pay. */
export const stillUnpaid = async (
  { store, earlier }: Needs,
  payments: readonly Payment[],
): Promise<readonly Payment[]> => {
  const unpaid: Payment[] = [];
  for (const payment of payments)
    if (looksUnpaid(payment) && (await laterTriesOf(store, payment)).every(isUnpaid))
      unpaid.push(payment);
  if (unpaid.length === 0) return [];
  const sinceMs = Math.min(...unpaid.map(({ confirmedAtMs }) => confirmedAtMs));
  const numbers = unpaid.map(({ terms }) => terms.customerNumber);
  const made = await earlier.made(numbers, sinceMs, unpaid[0]?.terms.merchant);
  const byCustomer = Map.groupBy(made, ({ terms }) => terms.customerNumber);
  const files = new Map<string, string>();
  for (const { bulk } of [...unpaid, ...made])
    if (bulk !== undefined && !files.has(bulk.run))
      files.set(bulk.run, (await store.get('bulk', bulk.run))?.terms.sha256 ?? bulk.run);
  const fileOf = ({ bulk }: Payment): string | undefined => bulk && files.get(bulk.run);
  return unpaid.filter((payment) => {
    const { id, terms, confirmedAtMs } = payment;
    const theirs = byCustomer.get(terms.customerNumber) ?? [];
    return !theirs.some(
      (each) =>
        each.id !== id &&
        isLike(each, terms) &&
        // Two rows of a file, or of two of its months, are two debts: a row that was tried again names its next try.
        (each.bulk === undefined || fileOf(each) !== fileOf(payment)) &&
        (!isSettled(each) || endedAtMs(each) >= confirmedAtMs),
    );
  });
};
