import { confirmedPayment, type RowOfFile } from '../payments/confirmed-payment.ts';
import { type BulkCharge, type ChargeRun, isCharge, isChargeRun } from '../records/bulk.ts';
import { mayBeOneMerchant } from '../records/merchants.ts';
import {
  type ChargeTerms,
  OPEN_STATES,
  type Payment,
  type PaymentFilter,
  SETTLED_STATES,
} from '../records/payment.ts';
import { defined } from '../runtime/defined.ts';
import { nextTurn } from '../runtime/turn-budget.ts';
import { everyPayment, type Store } from '../store/store.ts';
import { sameMoney } from '../values/money.ts';
import { type PlacedRow, readRows } from './bulk-pages.ts';
import { readUnsentRuns } from './unsent-runs.ts';

/** What makes two charges alike, if they are for one merchant. */
export type Asked = Pick<ChargeTerms, 'customerNumber' | 'amount' | 'merchant'>;

export const isLike = ({ terms }: Payment, { customerNumber, amount }: Asked): boolean =>
  terms.customerNumber === customerNumber && sameMoney(terms.amount, amount);

const CUSTOMERS_AT_ONCE = 200;

/** Two merchants are owed two debts, and the charges of one are not for the other to know. */
type Whose = ChargeTerms['merchant'];

type EarlierChargesNeeds = Pick<Store, 'get' | 'listPayments'>;

/** The rows of a run by their customers, each with its place in the file. */
type RowsByCustomer = ReadonlyMap<string, readonly PlacedRow<BulkCharge>[]>;

/** Finds the charges that another one may repeat: the one rule of typed charges and of files. */
export class EarlierCharges {
  readonly #store: EarlierChargesNeeds;
  /** By draft, of runs that are not over: their rows never change. */
  readonly #known = new Map<string, RowsByCustomer>();

  constructor(store: EarlierChargesNeeds) {
    this.#store = store;
  }

  /**
   * Charges of these customers (E.164) for a merchant that are open, were completed since `sinceMs`, or are in conflict,
   * newest first. A row of a confirmed file that is still to be made is the payment that it will be.
   */
  async of(numbers: readonly string[], sinceMs: number, merchant: Whose): Promise<Payment[]> {
    // Before the payments: a row that becomes one meanwhile is found twice, and never not at all.
    const rows = await this.#unsent(numbers, merchant);
    return newestFirst([...rows, ...(await this.made(numbers, sinceMs, merchant))]);
  }

  /** The same without the rows that are still to be made. */
  async made(numbers: readonly string[], sinceMs: number, merchant: Whose): Promise<Payment[]> {
    const found: Payment[] = [];
    const asked = [...new Set(numbers)];
    for (let from = 0; from < asked.length; from += CUSTOMERS_AT_ONCE) {
      const customers = asked.slice(from, from + CUSTOMERS_AT_ONCE);
      for (const filter of filtersSince(sinceMs))
        for await (const payment of everyPayment(this.#store, { customers, ...filter }))
          if (mayBeOneMerchant(payment.terms.merchant, merchant)) found.push(payment);
      await nextTurn();
    }
    return newestFirst(found);
  }

  /** The rows of these customers that are still to be made, each as the payment that it will be. */
  async #unsent(numbers: readonly string[], merchant: Whose): Promise<Payment[]> {
    const runs = await readUnsentRuns(this.#store, isChargeRun);
    const current = new Set(runs.map(({ draftId }) => draftId));
    for (const draftId of this.#known.keys())
      if (!current.has(draftId)) this.#known.delete(draftId);
    const found: Payment[] = [];
    for (const run of runs) {
      if (!mayBeOneMerchant(run.terms.merchant, merchant)) continue;
      const rows = this.#known.get(run.draftId) ?? (await this.#read(run));
      for (const number of numbers)
        for (const { at, row } of rows.get(number) ?? [])
          if (at >= run.next) found.push(confirmedPayment(rowOfFile(run, row), run.confirmedAtMs));
    }
    return found;
  }

  async #read(run: ChargeRun): Promise<RowsByCustomer> {
    const charges = await readRows(this.#store, run, isCharge);
    const rows = Map.groupBy(charges, ({ row }) => row.terms.customerNumber);
    this.#known.set(run.draftId, rows);
    return rows;
  }
}

const filtersSince = (sinceMs: number): readonly PaymentFilter[] => [
  { states: OPEN_STATES },
  { states: ['completed'], endedSinceMs: sinceMs },
  { states: SETTLED_STATES, flag: 'conflict' },
];

/** By id, which begins with the time. */
const newestFirst = (payments: readonly Payment[]): Payment[] =>
  [...new Map(payments.map((payment) => [payment.id, payment])).values()].sort((one, other) =>
    one.id < other.id ? 1 : -1,
  );

/** What the payment of a row is made of. */
export const rowOfFile = (
  { id: run, requester, approver, conversation, countedFor }: Omit<ChargeRun, 'terms'>,
  { id, row, terms, retryOf, maskedFrom }: BulkCharge,
): RowOfFile => {
  const more = defined({ approver, countedFor, retryOf, maskedFrom });
  return { id, terms, requester, conversation, bulk: { run, row }, ...more };
};
