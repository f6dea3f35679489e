import { type Branch, branchOf } from '../../core/records/branches.ts';
import { givenBackOf } from '../../core/records/given-back.ts';
import type { Merchant } from '../../core/records/merchants.ts';
import { placeKey } from '../../core/records/notify-rules.ts';
import type { Payment, PaymentFilter } from '../../core/records/payment.ts';
import { paymentPages, type Store } from '../../core/store/store.ts';
import { dayAt, isoDate } from '../../core/values/calendar-day.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../core/values/csv-line.ts';
import { maskNumber, showNumber } from '../../core/values/customer-number.ts';
import { showSecond } from '../../core/values/format-time.ts';
import { decimalText } from '../../core/values/money.ts';
import { reasonOf, stateWord } from '../cards/payment-words.ts';
import { nameFor } from '../cards/visibility.ts';

export type ExportView = {
  /** Whole numbers and names, instead of shortened ones. */
  readonly isWhole: boolean;
  readonly branches: readonly Branch[];
  readonly merchants: readonly Pick<Merchant, 'name' | 'nickname'>[];
  /** What payers see where a payment belongs to none of them. */
  readonly shop: string;
  /** Of the local date and time. */
  readonly timeZone: string;
};

const timeOf = (ms: number | undefined): string =>
  ms === undefined ? '' : new Date(ms).toISOString();

/** The columns in their order, which others rely on: new ones go to the end. */
const COLUMNS: Readonly<Record<string, (payment: Payment, reading: ExportView) => string>> = {
  confirmed_at: ({ confirmedAtMs }) => timeOf(confirmedAtMs),
  settled_at: ({ settledAtMs }) => timeOf(settledAtMs),
  transaction_id: ({ id }) => id,
  state: ({ state }) => stateWord(state),
  amount: ({ terms }) => decimalText(terms.amount),
  currency: ({ terms }) => terms.amount.currency,
  payment_option: ({ terms }) => terms.option,
  network: ({ terms }) => terms.network,
  customer_number: ({ terms: { customerNumber } }, { isWhole }) =>
    isWhole ? showNumber(customerNumber).replaceAll(' ', '') : maskNumber(customerNumber),
  customer_name: ({ terms: { customerName = '' } }, { isWhole }) =>
    nameFor(isWhole ? 'one person' : 'others too', customerName),
  reference: ({ terms }) => terms.reference,
  requested_by: ({ requester }) => requester.name,
  approved_by: ({ approver }) => approver?.name ?? '',
  conversation: ({ conversation }) => placeKey(conversation),
  branch: (payment, { branches }) => branchOf(branches, payment) ?? '',
  // One that is gone from the file has the name that it had there.
  merchant: ({ terms: { merchant } }, { merchants, shop }) =>
    merchants.find(({ name }) => name === merchant)?.nickname ?? merchant ?? shop,
  reason: (payment, { isWhole }) => (isWhole ? payment.reason : reasonOf(payment)) ?? '',
  given_back: (payment) => {
    const given = givenBackOf(payment);
    return given.amountMinor === 0 ? '' : decimalText(given);
  },
  // Of `confirmed_at`. Spreadsheets take these for a date and a time, and the `T` and `Z` of ISO 8601 for a text.
  local_date: ({ confirmedAtMs }, { timeZone }) => isoDate(dayAt(confirmedAtMs, timeZone)),
  local_time: ({ confirmedAtMs }, { timeZone }) => showSecond(confirmedAtMs, timeZone),
};

export type ExportLines = {
  readonly text: string;
  /** Payments in it; none in the header. */
  readonly rows: number;
};

/** The file in pieces: a header, and a line for each payment that the filter lets through, newest first. */
export async function* exportLines(
  store: Pick<Store, 'listPayments'>,
  filter: PaymentFilter,
  reading: ExportView,
): AsyncGenerator<ExportLines> {
  const cells = Object.values(COLUMNS);
  yield { text: `${BYTE_ORDER_MARK}${csvLine(Object.keys(COLUMNS))}`, rows: 0 };
  for await (const payments of paymentPages(store, filter)) {
    const lines = payments.map((payment) => csvLine(cells.map((cell) => cell(payment, reading))));
    if (lines.length > 0) yield { text: lines.join(''), rows: lines.length };
  }
}
