import { type Parsed, wrong } from '../../core/runtime/errors.ts';
import type { TurnBudget } from '../../core/runtime/turn-budget.ts';
import { withoutCards } from '../../core/values/card-number.ts';
import {
  bareNumber,
  type CustomerNumber,
  numberParts,
  parseCustomerNumber,
} from '../../core/values/customer-number.ts';
import { plainText, quoted } from '../../core/values/normalise-input.ts';
import type { Table, TableLines, TableRow } from './read-table.ts';

export type BadRow = Pick<TableRow<never>, 'row' | 'lastRow' | 'whole'> & { readonly why: string };

export type FileRows<R> = {
  readonly header: readonly string[];
  readonly good: readonly R[];
  readonly bad: readonly BadRow[];
  /** Rows that repeat an earlier one in every cell; that one counts. */
  readonly twice: readonly { readonly row: number; readonly first: number }[];
  /** The good rows of each customer who has several. */
  readonly sameCustomer: readonly (readonly [customerNumber: string, rows: readonly number[]])[];
  /** Rows whose number has no leading 0, as a spreadsheet leaves it: to be asked about once, before any is sent. */
  readonly withoutZero: readonly number[];
  readonly lines: TableLines;
};

/** A row that was understood, with the number in E.164. */
export type CustomerRow = { readonly row: number; readonly customerNumber: string };

/** Besides its characters, what a row costs: its number is compared with those of all countries. */
const ROW_WORK = 1_000;

export const readRows = async <C extends string, R extends CustomerRow>(
  { header, rows, lines }: Table<C | 'number'>,
  read: (row: TableRow<C | 'number'>) => Parsed<R>,
  turns: TurnBudget,
): Promise<FileRows<R>> => {
  const good: R[] = [];
  const bad: BadRow[] = [];
  const twice: { row: number; first: number }[] = [];
  const withoutZero: number[] = [];
  const firstOf = new Map<string, number>();
  for (const tableRow of rows) {
    const { row, lastRow, cells, whole, problem } = tableRow;
    const text = whole.map(plainText).join('\n').trimEnd();
    if (turns.spend(ROW_WORK + text.length)) await turns.next();
    const understood = problem === undefined ? read(tableRow) : wrong(problem);
    const first = firstOf.get(text);
    if (!understood.ok)
      // What is left out is sent back, and named in questions that are stored.
      bad.push({
        row,
        lastRow,
        whole: whole.map(withoutCards),
        why: withoutCards(understood.problem.message),
      });
    else if (first !== undefined) twice.push({ row, first });
    else {
      const { customerNumber } = understood.value;
      good.push(understood.value);
      firstOf.set(text, row);
      if (lacksZero(cells.number, customerNumber)) withoutZero.push(row);
    }
  }
  return { header, good, bad, twice, sameCustomer: sameCustomerIn(good), withoutZero, lines };
};

export const sameCustomerIn = (rows: readonly CustomerRow[]): FileRows<unknown>['sameCustomer'] =>
  [...Map.groupBy(rows, ({ customerNumber }) => customerNumber)]
    .filter(([, theirs]) => theirs.length > 1)
    .map(([number, theirs]) => [number, theirs.map(({ row }) => row)]);

/** How spreadsheets write a number with too many digits for a column: 2.44E+11. Its last digits are lost. */
const SCIENTIFIC = /^\d([.,]\d+)?e\+?\d+$/i;

export const readNumber = (cell: string, country: string): Parsed<CustomerNumber> => {
  if (SCIENTIFIC.test(cell))
    return wrong(
      `The spreadsheet shortened the number to ${quoted(cell)}. Format the column as text.`,
    );
  // In front of a + it keeps a spreadsheet from reading a formula.
  const number = parseCustomerNumber(cell.replace(/^'(?=[+\d])/, ''), country);
  if (number.ok && number.value.doubtful && lacksZero(cell, number.value.e164))
    return wrong(`${quoted(cell)} is not in use with a 0 in front. Please check it.`);
  return number;
};

/** Whether digits were typed without the 0 that the number has inside its country. */
const lacksZero = (cell: string, e164: string): boolean => {
  const digits = bareNumber(cell).replace(/\D/g, '');
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
