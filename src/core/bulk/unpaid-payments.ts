import { endedAtMs, isSettled, type Payment, UNPAID_STATES } from '../records/payment.ts';
import { isPseudonym } from '../values/pseudonym.ts';
import { type EarlierCharges, isLike } from './earlier-charges.ts';

/** Whether a customer may be told that a charge is unpaid, as far as its record says: what is `unknown` may be paid. */
const looksUnpaid = ({ state, flag, terms }: Payment): boolean =>
  (state === 'pending' || UNPAID_STATES.includes(state)) &&
  flag !== 'conflict' &&
  !isPseudonym(terms.customerNumber);

/** Those of them whose customers were not asked for the same since, by a charge that is open, paid or in conflict. */
export const stillUnpaid = async (
  earlier: Pick<EarlierCharges, 'made'>,
  payments: readonly Payment[],
): Promise<readonly Payment[]> => {
  const unpaid = payments.filter(looksUnpaid);
  if (unpaid.length === 0) return [];
  const sinceMs = Math.min(...unpaid.map(({ confirmedAtMs }) => confirmedAtMs));
  const numbers = unpaid.map(({ terms }) => terms.customerNumber);
  const made = await earlier.made(numbers, sinceMs);
  const byCustomer = Map.groupBy(made, ({ terms }) => terms.customerNumber);
  return unpaid.filter((payment) => {
    const theirs = byCustomer.get(payment.terms.customerNumber) ?? [];
    return !theirs.some((other) => isSameSince(payment, other));
  });
};

const isSameSince = ({ id, terms, confirmedAtMs }: Payment, other: Payment): boolean =>
  other.id !== id &&
  isLike(other, terms) &&
  (!isSettled(other) || endedAtMs(other) >= confirmedAtMs);
