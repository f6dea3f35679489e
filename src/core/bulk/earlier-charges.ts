import {
  OPEN_STATES,
  type Payment,
  type PaymentFilter,
  SETTLED_STATES,
} from '../records/payment.ts';
import { everyPayment, type Store } from '../store/store.ts';
import { type Money, sameMoney } from '../values/money.ts';
import { UnsentRows } from './unsent-rows.ts';

/** What makes two charges alike. */
export type Asked = { readonly customerNumber: string; readonly amount: Money };

export const isLike = ({ terms }: Payment, { customerNumber, amount }: Asked): boolean =>
  terms.customerNumber === customerNumber && sameMoney(terms.amount, amount);

const CUSTOMERS_AT_ONCE = 200;
const PAGE = 500;

type Needs = Pick<Store, 'get' | 'listPayments'>;

/** Finds the charges that another one may repeat: the one rule of typed charges and of files. */
export class EarlierCharges {
  readonly #store: Needs;
  readonly #unsent: UnsentRows;

  constructor(store: Needs) {
    this.#store = store;
    this.#unsent = new UnsentRows(store);
  }

  /**
   * Charges of these customers (E.164) that are open, were completed since `sinceMs`, or are in conflict, newest
   * first. A row of a confirmed file that is still to be made is the payment that it will be.
   */
  async of(numbers: readonly string[], sinceMs: number): Promise<Payment[]> {
    // Before the payments: a row that becomes one meanwhile is found twice, and never not at all.
    const rows = await this.#unsent.of(numbers);
    return newestFirst([...rows, ...(await this.made(numbers, sinceMs))]);
  }

  /** The same without the rows that are still to be made. */
  async made(numbers: readonly string[], sinceMs: number): Promise<Payment[]> {
    const found: Payment[] = [];
    const asked = [...new Set(numbers)];
    for (let from = 0; from < asked.length; from += CUSTOMERS_AT_ONCE) {
      const customers = asked.slice(from, from + CUSTOMERS_AT_ONCE);
      for (const filter of filtersSince(sinceMs))
        for await (const payment of everyPayment(this.#store, { customers, ...filter }, PAGE))
          found.push(payment);
      // The embedded store answers at once, so nothing else would be served meanwhile.
      if (from + CUSTOMERS_AT_ONCE < asked.length)
        await new Promise((resolve) => setImmediate(resolve));
    }
    return newestFirst(found);
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
