import { type Parsed, wrong } from '../../core/runtime/errors.ts';
import { withoutCards } from '../../core/values/card-number.ts';
import {
  type CustomerNumber,
  numberParts,
  parseCustomerNumber,
} from '../../core/values/customer-number.ts';
import { quoted } from '../../core/values/normalise-input.ts';
import type { Table, TableRow } from './read-table.ts';

/** A row that is left out, and why. */
export type BadRow = {
  readonly row: number;
  readonly why: string;
  readonly whole: readonly string[];
};

/** The rows of a file as they were understood. */
export type FileRows<R> = {
  readonly header: readonly string[];
  readonly good: readonly R[];
  readonly bad: readonly BadRow[];
  /** Rows that repeat an earlier one, which counts. */
  readonly twice: readonly { readonly row: number; readonly first: number }[];
  /** Rows whose number has no leading 0, as a spreadsheet leaves it: to be asked about once, before any is sent. */
  readonly withoutZero: readonly number[];
};

type Understood = { readonly row: number; readonly customerNumber: string };

/** @param sameAs what two rows have in common that would do the same */
export const readRows = <C extends string, R extends Understood>(
  { header, rows }: Table<C | 'number'>,
  read: (row: TableRow<C | 'number'>) => Parsed<R>,
  sameAs: (understood: R) => string,
): FileRows<R> => {
  const good = new Map<string, R>();
  const bad: BadRow[] = [];
  const twice: { row: number; first: number }[] = [];
  const withoutZero: number[] = [];
  for (const row of rows) {
    const understood = row.problem === undefined ? read(row) : wrong(row.problem);
    if (!understood.ok) {
      // What is left out is sent back, and named in questions that are stored.
      const [why, ...whole] = [understood.problem.message, ...row.whole].map(withoutCards);
      bad.push({ row: row.row, why: why ?? '', whole });
      continue;
    }
    const key = sameAs(understood.value);
    const first = good.get(key);
    if (first !== undefined) {
      twice.push({ row: row.row, first: first.row });
      continue;
    }
    good.set(key, understood.value);
    if (lacksZero(row.cells.number, understood.value.customerNumber)) withoutZero.push(row.row);
  }
  return { header, good: [...good.values()], bad, twice, withoutZero };
};

/** How spreadsheets write a number with too many digits for a column: 2.44E+11. Its last digits are lost. */
const SCIENTIFIC = /^\d([.,]\d+)?e\+?\d+$/i;

export const readNumber = (cell: string, country: string): Parsed<CustomerNumber> => {
  if (SCIENTIFIC.test(cell))
    return wrong(
      `The spreadsheet shortened the number to ${quoted(cell)}. Format the column as text.`,
    );
  // In front of a + it keeps a spreadsheet from reading a formula.
  return parseCustomerNumber(cell.replace(/^'(?=[+\d])/, ''), country);
};

/** Whether digits were typed without the 0 that the number has inside its country. */
const lacksZero = (cell: string, e164: string): boolean => {
  const digits = cell.replace(/\D/g, '');
  if (cell.includes('+') || digits.startsWith('0')) return false;
  const { nationalNumber, trunk } = numberParts(e164);
  return trunk !== '' && digits === nationalNumber;
};

/** What a spreadsheet would calculate. A lone dash stands for nothing, and is taken so. */
const FORMULA = /^[=@]|^[+-].*[(!]/;

export const formulaIn = (cell: string) =>
  FORMULA.test(cell)
    ? wrong(`${quoted(cell)} is a formula. Save the sheet with its values.`)
    : undefined;
