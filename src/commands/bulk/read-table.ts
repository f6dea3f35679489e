import { CsvError, parse } from 'csv-parse/sync';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { plainText, quoted } from '../../core/values/normalise-input.ts';
import { decodeFile } from './decode-file.ts';

/** As the contract has it, the header apart. */
const MOST_ROWS = 10_000;

/** One row of a file. `row` counts from 1 as a spreadsheet does: the header and empty rows too. */
export type TableRow<C extends string> = {
  readonly row: number;
  /** By column, on one line; empty where the row or the file has none. */
  readonly cells: Readonly<Record<C, string>>;
  /** As they are in the file. */
  readonly whole: readonly string[];
  /** What makes the row unusable as a whole. */
  readonly problem?: string;
};

export type Table<C extends string> = {
  readonly header: readonly string[];
  readonly rows: readonly TableRow<C>[];
};

/** The columns that a file needs, and those that it may have besides; others are not looked at. */
type Columns<C extends string> = { readonly needed: readonly C[]; readonly other: readonly C[] };

/** Reads a CSV file: a header, then rows, separated by comma, semicolon or tab. */
export const readTable = <C extends string>(
  bytes: Uint8Array,
  columns: Columns<C>,
): Parsed<Table<C>> => {
  const text = decodeFile(bytes);
  if (!text.ok) return text;
  const { body, delimiter } = separated(text.value);
  const records = recordsIn(body, delimiter);
  if (!records.ok) return records;
  const [head, ...rest] = records.value;
  if (head === undefined) return wrong('This file is empty.');
  const places = placesOf(head.cells, columns);
  if (!places.ok) return places;
  if (rest.length === 0) return wrong('This file has no rows below its header.');
  const width = head.cells.length;
  return parsed({
    header: head.cells,
    rows: rest.map(({ row, cells }) => {
      const problem = shapeProblem(cells, { delimiter, width });
      return {
        row,
        cells: cellsAt(places.value, cells),
        whole: cells,
        ...(problem === undefined ? {} : { problem }),
      };
    }),
  });
};

/** Excel writes and takes a first line such as `sep=;`, which is no row. */
const SEPARATOR_LINE = /^sep=([,;\t])\r?\n/i;

const separated = (text: string): { body: string; delimiter: string } => {
  const named = SEPARATOR_LINE.exec(text);
  if (named !== null) return { body: text.slice(named[0].length), delimiter: named[1] ?? ',' };
  const header = (/^\s*([^\r\n]*)/.exec(text)?.[1] ?? '').replace(/"[^"]*"/g, '');
  const count = (sign: string): number => header.split(sign).length;
  const [delimiter = ','] = [',', ';', '\t'].sort((one, other) => count(other) - count(one));
  return { body: text, delimiter };
};

type CsvRow = { readonly row: number; readonly cells: readonly string[] };

const recordsIn = (body: string, delimiter: string): Parsed<readonly CsvRow[]> => {
  const records: CsvRow[] = [];
  let count = 0;
  const take = (cells: string[], { empty_lines: emptyLines }: { empty_lines: number }) => {
    count++;
    if (cells.some((cell) => cell.trim() !== '')) records.push({ row: count + emptyLines, cells });
    if (records.length > MOST_ROWS + 1) throw new TooManyRows();
    // Kept above, with its number.
    return null;
  };
  try {
    parse(body, {
      delimiter,
      on_record: take,
      relax_column_count: true,
      // `Ama "Mimi" Osei` without quotes around it, as spreadsheets read it.
      relax_quotes: true,
      skip_empty_lines: true,
    });
    return parsed(records);
  } catch (error) {
    if (error instanceof TooManyRows)
      return wrong('This file has more than 10,000 rows. Please split it into smaller files.');
    if (!(error instanceof CsvError)) throw error;
    const last = records.at(-1)?.row ?? 0;
    return wrong(`Row ${last + 1}: a quotation mark (") is opened there and never closed.`);
  }
};

class TooManyRows extends Error {}

const placesOf = <C extends string>(
  header: readonly string[],
  { needed, other }: Columns<C>,
): Parsed<ReadonlyMap<C, number>> => {
  const names = header.map((cell) => plainText(cell).toLowerCase());
  const places = new Map<C, number>();
  for (const column of [...needed, ...other]) {
    const at = names.indexOf(column.toLowerCase());
    if (at !== names.lastIndexOf(column.toLowerCase()))
      return wrong(`Row 1: two columns are called "${column}". Please keep one.`);
    if (at >= 0) places.set(column, at);
  }
  const missing = needed.filter((column) => !places.has(column));
  if (missing.length === 0) return parsed(places);
  const found = header.slice(0, MOST_NAMED).map(quoted).join(', ');
  return wrong(`Row 1 has to name the columns. I miss ${listed(missing)}; I see ${found}.`);
};

const MOST_NAMED = 10;

const listed = (names: readonly string[]): string =>
  new Intl.ListFormat('en', { style: 'long' })
    .format(names.map((name) => `"${name}"`))
    .replace(', and ', ' and ');

const cellsAt = <C extends string>(places: ReadonlyMap<C, number>, cells: readonly string[]) =>
  Object.fromEntries(
    [...places].map(([column, at]) => [column, plainText(cells[at] ?? '')]),
  ) as Record<C, string>;

/** A row that is not what its writer meant, though each cell may look right. */
const shapeProblem = (
  cells: readonly string[],
  { delimiter, width }: { delimiter: string; width: number },
): string | undefined => {
  const swallowed = cells.some((cell) =>
    cell
      .split(/\r?\n/)
      .some((line, at) => at > 0 && width > 1 && line.split(delimiter).length >= width),
  );
  if (swallowed) return 'A quotation mark (") is opened here and takes in the rows below.';
  if (!cells.slice(width).some((cell) => cell.trim() !== '')) return undefined;
  return delimiter === ','
    ? 'This row has more cells than the header. An amount with a comma needs quotes: "1,200.50".'
    : 'This row has more cells than the header.';
};
