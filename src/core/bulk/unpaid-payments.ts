import { type BulkRun, isChargeRun } from '../records/bulk.ts';
import { endedAtMs, isSettled, type Payment, UNPAID_STATES } from '../records/payment.ts';
import type { Store } from '../store/store.ts';
import { isPseudonym } from '../values/pseudonym.ts';
import { type EarlierCharges, isLike } from './earlier-charges.ts';

/** Whether a customer may be told that a charge is unpaid, as far as its record says: what is `unknown` may be paid. */
const looksUnpaid = ({ state, flag, terms }: Payment): boolean =>
  (state === 'pending' || UNPAID_STATES.includes(state)) &&
  flag !== 'conflict' &&
  !isPseudonym(terms.customerNumber);

type Needs = {
  readonly store: Pick<Store, 'get'>;
  readonly earlier: Pick<EarlierCharges, 'made'>;
};

/** Those of them whose customers were not asked for the same since, by a charge that is open, paid or in conflict. */
export const stillUnpaid = async (
  { store, earlier }: Needs,
  payments: readonly Payment[],
): Promise<readonly Payment[]> => {
  const unpaid = payments.filter(looksUnpaid);
  if (unpaid.length === 0) return [];
  const sinceMs = Math.min(...unpaid.map(({ confirmedAtMs }) => confirmedAtMs));
  const numbers = unpaid.map(({ terms }) => terms.customerNumber);
  const made = await earlier.made(numbers, sinceMs);
  const byCustomer = Map.groupBy(made, ({ terms }) => terms.customerNumber);
  const rounds = new Map<string, BulkRun | undefined>();
  for (const { bulk } of [...unpaid, ...made])
    if (bulk !== undefined && !rounds.has(bulk.run))
      rounds.set(bulk.run, await roundOf(store, bulk.run));
  return unpaid.filter((payment) => {
    const { id, terms, confirmedAtMs } = payment;
    const theirs = byCustomer.get(terms.customerNumber) ?? [];
    return !theirs.some(
      (each) =>
        each.id !== id &&
        isLike(each, terms) &&
        !areTwoDebts(each, payment, rounds) &&
        (!isSettled(each) || endedAtMs(each) >= confirmedAtMs),
    );
  });
};

/** The run that first asked for the rows of a run; undefined: its record is gone. */
const roundOf = async (store: Needs['store'], id: string): Promise<BulkRun | undefined> => {
  const run = await store.get('bulk', id);
  const again = run && isChargeRun(run) ? run.terms.again : undefined;
  return again === undefined ? run : roundOf(store, again);
};

/** Two rows of a file, or those of two of its months. A row that was tried again is one debt. */
const areTwoDebts = (
  { bulk: one }: Payment,
  { bulk: other }: Payment,
  rounds: ReadonlyMap<string, BulkRun | undefined>,
): boolean => {
  const [first, second] = [one, other].map((bulk) => rounds.get(bulk?.run ?? ''));
  const isOfOneFile = first !== undefined && first.terms.sha256 === second?.terms.sha256;
  return isOfOneFile && (first.id !== second?.id || one?.row !== other?.row);
};
