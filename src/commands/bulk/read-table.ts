import { defined } from '../../core/runtime/defined.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import type { TurnBudget } from '../../core/runtime/turn-budget.ts';
import { plainText, quoted } from '../../core/values/normalise-input.ts';
import { type CsvRow, eachRow, MOST_CHARACTERS, MOST_COLUMNS } from './csv-rows.ts';
import { decodeFile } from './decode-file.ts';

/** As the contract has it, the header apart. */
const MOST_ROWS = 10_000;

export type TableRow<C extends string> = {
  /** Its line; a spreadsheet counts the same, the header and empty rows too. */
  readonly row: number;
  readonly lastRow: number;
  /** By column, on one line; empty where the row or the file has none. */
  readonly cells: Readonly<Record<C, string>>;
  /** As they are in the file, up to the limits. */
  readonly whole: readonly string[];
  /** What makes the row unusable as a whole. */
  readonly problem?: string;
};

/** Header, rows and empty lines are together all lines of the file. */
export type TableLines = { readonly all: number; readonly empty: number };

export type Table<C extends string> = {
  readonly header: readonly string[];
  readonly rows: readonly TableRow<C>[];
  readonly lines: TableLines;
};

/** The columns that a file needs, and those that it may have besides; others are not looked at. */
export type Columns<C extends string> = {
  readonly needed: readonly C[];
  readonly other: readonly C[];
  /** What is said of a file that is a result of ours. */
  readonly ofResult: string;
};

/** Reads a CSV file: a header, then rows, separated by comma, semicolon or tab. */
export const readTable = async <C extends string>(
  bytes: Uint8Array,
  columns: Columns<C>,
  turns: TurnBudget,
): Promise<Parsed<Table<C>>> => {
  const text = await decodeFile(bytes, turns);
  if (!text.ok) return text;
  const { body, delimiter } = separated(text.value);
  const rows: TableRow<C>[] = [];
  let lines: TableLines = { all: 0, empty: 0 };
  let head: Head<C> | undefined;
  const take = (row: CsvRow) => {
    const isEmpty = isBlank(row);
    lines = { all: row.lastRow, empty: lines.empty + (isEmpty ? 1 : 0) };
    if (isEmpty) return undefined;
    if (rows.length === MOST_ROWS)
      return wrong('This file has more than 10,000 rows. Please split it into smaller files.');
    if (head !== undefined) return void rows.push(rowOf(row, head, delimiter));
    const places = placesOf(row, columns);
    if (!places.ok) return places;
    head = { cells: row.cells, places: places.value };
    return undefined;
  };
  const problem = await eachRow(body, delimiter, turns, take);
  if (problem !== undefined) return problem;
  if (head === undefined) return wrong('This file is empty.');
  if (rows.length === 0) return wrong('This file has no rows below its header.');
  return parsed({ header: (head as Head<C>).cells, rows, lines });
};

type Head<C> = { readonly cells: readonly string[]; readonly places: ReadonlyMap<C, number> };

/** Excel writes and takes a first line such as `sep=;`, which is no row. */
const SEPARATOR_LINE = /^sep=([,;\t])(?:\r\n?|\n)/i;

/** No header within the limits is longer. */
const LONGEST_HEADER = MOST_COLUMNS * (MOST_CHARACTERS + 3);

const separated = (text: string): { body: string; delimiter: string } => {
  const named = SEPARATOR_LINE.exec(text);
  if (named !== null) return { body: text.slice(named[0].length), delimiter: named[1] ?? ',' };
  const beginning = text.trimStart().slice(0, LONGEST_HEADER);
  const header = (/^[^\r\n]*/.exec(beginning)?.[0] ?? '').replace(/"[^"]*"/g, '');
  const cellsBy = (sign: string): number => header.split(sign).length;
  const [delimiter = ','] = [',', ';', '\t'].sort((one, other) => cellsBy(other) - cellsBy(one));
  return { body: text, delimiter };
};

const isBlank = (row: CsvRow): boolean =>
  limitProblem(row) === undefined && row.cells.every((cell) => cell.trim() === '');

/** Columns of the files that tell what became of each row. */
const OF_RESULTS = ['transaction_id', 'state'];

/** What people call these columns as well; the own name goes before. */
const ALSO_CALLED: Readonly<Record<string, readonly string[]>> = {
  number: ['phone', 'mobile'],
  amount: ['money', 'amt'],
};

const placesOf = <C extends string>(
  head: CsvRow,
  { needed, other, ofResult }: Columns<C>,
): Parsed<ReadonlyMap<C, number>> => {
  const problem = limitProblem(head);
  if (problem !== undefined) return wrong(`Row 1 has to name the columns. ${problem}`);
  const names = head.cells.map((cell) => plainText(cell).toLowerCase());
  if (names.some((name) => OF_RESULTS.includes(name))) return wrong(ofResult);
  const places = new Map<C, number>();
  for (const column of [...needed, ...other]) {
    const own = column.toLowerCase();
    const called = names.includes(own) ? [own] : (ALSO_CALLED[own] ?? []);
    const found = [...names.keys()].filter((at) => called.includes(names[at] ?? ''));
    if (found.length > 1) return wrong(`Row 1: two columns can be "${column}". Please keep one.`);
    for (const at of found) places.set(column, at);
  }
  const missing = needed.filter((column) => !places.has(column));
  if (missing.length === 0) return parsed(places);
  const columns = missing.length === 1 ? 'column' : 'columns';
  const found = listed(head.cells.slice(0, MOST_NAMED));
  return wrong(`I need the ${columns} ${listed(missing)} in row 1. I found ${found}.`);
};

const MOST_NAMED = 10;

const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { style: 'long' }).format(names.map(quoted)).replace(', and ', ' and ');

const rowOf = <C extends string>(row: CsvRow, head: Head<C>, delimiter: string): TableRow<C> => {
  const problem = limitProblem(row) ?? widthProblem(row.cells, head.cells.length, delimiter);
  const cellAt = (at: number) => (problem === undefined ? plainText(row.cells[at] ?? '') : '');
  const cells = [...head.places].map(([column, at]) => [column, cellAt(at)]);
  return {
    row: row.row,
    lastRow: row.lastRow,
    whole: row.cells,
    cells: Object.fromEntries(cells) as Record<C, string>,
    ...defined({ problem }),
  };
};

/** A row that is not what its writer meant, though each cell may look right; or beyond the limits. */
const limitProblem = ({ row, lastRow, cells, isOpen }: CsvRow): string | undefined => {
  if (isOpen) return 'A quotation mark (") is opened here and never closed.';
  if (lastRow > row) return 'A quotation mark (") is opened here and takes in the rows below.';
  if (cells.length > MOST_COLUMNS) return 'It has more than 100 cells.';
  return cells.some((cell) => cell.length > MOST_CHARACTERS)
    ? 'A cell of it has more than 1,000 characters.'
    : undefined;
};

/** Spreadsheets write empty cells behind the last column: those alone are harmless. */
const widthProblem = (
  cells: readonly string[],
  width: number,
  delimiter: string,
): string | undefined => {
  if (!cells.slice(width).some((cell) => cell.trim() !== '')) return undefined;
  return delimiter === ','
    ? 'This row has more cells than the header. An amount with a comma needs quotes: "1,200.50".'
    : 'This row has more cells than the header.';
};
