import { type Parsed, wrong } from '../../core/runtime/errors.ts';
import { type Money, parseCurrency, parseMoney } from '../../core/values/money.ts';
import { quoted } from '../../core/values/normalise-input.ts';

/** The cells of a row that say how much; `currency` is absent where the file has no such column. */
type AmountCells = { readonly amount: string; readonly currency?: string };

/** A comma with one or two digits behind it: `12,50`, `1.200,5`. */
const DECIMAL_COMMA = /\d,\d{1,2}(?![\d,])/;
/** In a file with decimal commas it is an amount with three decimals, or in thousands. */
const TWO_READINGS = /^\D*(\d{1,3})[.,](\d{3})\D*$/;

/** Reads the amounts of a file. All its rows are looked at first: one of them may show that its comma is decimal. */
export const amountReader = (
  rows: readonly { readonly cells: AmountCells }[],
  defaultCurrency: string,
): ((cells: AmountCells) => Parsed<Money>) => {
  const isCommaDecimal = rows.some(({ cells: { amount = '' } }) => DECIMAL_COMMA.test(amount));
  return ({ amount, currency: cell = '' }) => {
    const [, whole, end] = (isCommaDecimal && TWO_READINGS.exec(amount)) || [];
    if (whole !== undefined)
      return wrong(
        `${quoted(amount)} can mean ${whole}${end} or ${whole}.${end} here. Write it without a comma or point.`,
      );
    if (cell === '' || cell === '-') return parseMoney(amount, defaultCurrency);
    const currency = parseCurrency(cell);
    if (currency === undefined)
      return wrong(
        `I do not know the currency ${quoted(cell)}. Write its three letters, such as GHS.`,
      );
    const read = parseMoney(amount, currency);
    if (!read.ok || read.value.currency === currency) return read;
    return wrong(
      `The amount is in ${read.value.currency}, and the column "currency" says ${currency}. Please give one.`,
    );
  };
};
