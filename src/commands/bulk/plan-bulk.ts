import type { Asked } from '../../core/bulk/earlier-charges.ts';
import type { LookupOutcome } from '../../core/gateway/gateway.ts';
import type { ChargeTerms } from '../../core/records/payment.ts';
import { defined } from '../../core/runtime/defined.ts';
import { addMoney, type Money } from '../../core/values/money.ts';
import { searchWords } from '../../core/values/search-words.ts';
import type { Grants } from '../access/grants.ts';
import { neededApproval } from '../charge/charge-limits.ts';
import type { ChargeFile, ChargeRow } from './read-charge-rows.ts';

/** A charge of a file as it will be asked for. `reference` is absent where the transaction id takes its place. */
export type PlannedCharge = Omit<ChargeTerms, 'reference'> & {
  readonly row: number;
  readonly reference?: string;
};

/** What a file of charges would do, before anything is charged. Rows are numbered as in the file. */
export type BulkPlan = {
  readonly charges: readonly PlannedCharge[];
  /** The wallet has another name than the file; the row stays in. */
  readonly otherNames: readonly {
    readonly row: number;
    readonly inFile: string;
    readonly ofWallet: string;
  }[];
  /** Wallets that the payment service does not know or calls inactive; the rows stay in. */
  readonly doubtful: readonly number[];
  /** Rows whose name could not be asked; they stay in. */
  readonly unasked: readonly number[];
  /** Rows above the limit of one charge; they stay in, and an approver has to press as well. */
  readonly aboveLimit: readonly number[];
};

/** @param lookups the answer to each row's lookup, by row; a row may be missing */
export const planBulk = (
  { good }: Pick<ChargeFile, 'good'>,
  lookups: ReadonlyMap<number, LookupOutcome>,
  grants: Grants,
): BulkPlan => ({
  charges: good.map((row) => plannedCharge(row, lookups.get(row.row))),
  otherNames: good.flatMap((row) => otherName(row, lookups.get(row.row))),
  doubtful: good.filter((row) => isDoubtful(row, lookups.get(row.row))).map(rowOf),
  unasked: good.filter(({ row }) => !isAnswer(lookups.get(row))).map(rowOf),
  aboveLimit: rowsAbove(good, grants),
});

/** Rows of customers who are asked for more in all than one charge may be: a limit of each row could be split. */
export const rowsAbove = (
  rows: readonly (Asked & { readonly row: number })[],
  grants: Grants,
): readonly number[] =>
  [...Map.groupBy(rows, ({ customerNumber }) => customerNumber).values()]
    .filter((theirs) => neededApproval(grants, totalOf(theirs)))
    .flatMap((theirs) => theirs.map(rowOf))
    .sort((one, other) => one - other);

/** @throws RangeError without rows, or on a sum that cannot be exact. */
export const totalOf = (rows: readonly { readonly amount: Money }[]): Money =>
  rows.map(({ amount }) => amount).reduce(addMoney);

const rowOf = ({ row }: { readonly row: number }): number => row;

const plannedCharge = (
  { row, amount, customerNumber, network, reference }: ChargeRow,
  lookup: LookupOutcome | undefined,
): PlannedCharge => {
  const customerName = lookup?.kind === 'found' ? lookup.name : undefined;
  const more = defined({ reference, customerName });
  return { row, amount, customerNumber, network, option: 'MOM', ...more };
};

const otherName = ({ row, name }: ChargeRow, lookup: LookupOutcome | undefined) =>
  name === undefined || lookup?.kind !== 'found' || namesFit(name, lookup.name)
    ? []
    : [{ row, inFile: name, ofWallet: lookup.name }];

const isAnswer = (lookup: LookupOutcome | undefined): boolean =>
  lookup?.kind === 'found' || lookup?.kind === 'notFound';

const isDoubtful = ({ doubtful }: ChargeRow, lookup: LookupOutcome | undefined): boolean =>
  doubtful ||
  lookup?.kind === 'notFound' ||
  (lookup?.kind === 'found' && lookup.status !== 'active');

/** Whether each word of the shorter name is in the longer one, in any order. An initial fits what it begins. */
export const namesFit = (one: string, other: string): boolean => {
  const [shorter = [], longer = []] = [searchWords(one), searchWords(other)].sort(
    (a, b) => a.length - b.length,
  );
  return shorter.every((word) => longer.some((candidate) => wordsFit(word, candidate)));
};

const wordsFit = (one: string, other: string): boolean =>
  one === other ||
  (one.length === 1 && other.startsWith(one)) ||
  (other.length === 1 && one.startsWith(other));
