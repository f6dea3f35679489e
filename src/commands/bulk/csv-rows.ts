import type { TurnBudget } from '../../core/runtime/turn-budget.ts';

/** As the contract has it. A row is read up to one cell more, a cell up to one character more. */
export const MOST_COLUMNS = 100;
export const MOST_CHARACTERS = 1_000;

export type CsvRow = {
  /** Its lines, counted from 1: several where quotes take in line ends. */
  readonly row: number;
  readonly lastRow: number;
  readonly cells: readonly string[];
  /** A quotation mark is opened in it and never closed. */
  readonly isOpen: boolean;
};

/**
 * Hands rows on until `take` returns something. CRLF, LF and CR end a line. Hostile text takes time by its length, in
 * slices, and no memory beyond the limits; `csv-parse` promises neither, and does not tell which lines a row is.
 */
export const eachRow = async <T>(
  text: string,
  delimiter: string,
  turns: TurnBudget,
  take: (row: CsvRow) => T | undefined,
): Promise<T | undefined> => {
  const cellEnd = new RegExp(`[${delimiter}\r\n]`, 'g');
  const quoteOrLineEnd = /"|(?:\r\n|\r(?!\n)|\n)(?!$)/g;
  let [at, line] = [0, 0];
  const closingQuote = async (from: number): Promise<number> => {
    quoteOrLineEnd.lastIndex = from;
    for (let found = quoteOrLineEnd.exec(text); found; found = quoteOrLineEnd.exec(text)) {
      if (turns.spend(CELL_WORK)) await turns.next();
      if (found[0] !== '"') line++;
      else if (text[found.index + 1] === '"') quoteOrLineEnd.lastIndex++;
      else return found.index;
    }
    return text.length;
  };
  while (at < text.length) {
    const row = ++line;
    const cells: string[] = [];
    let closing: number | undefined;
    for (let isMore = true; isMore; at += isMore ? 1 : 0) {
      const begin = at;
      closing = text[begin] === '"' ? await closingQuote(begin + 1) : undefined;
      cellEnd.lastIndex = closing ?? begin;
      at = cellEnd.test(text) ? cellEnd.lastIndex - 1 : text.length;
      if (cells.length <= MOST_COLUMNS)
        cells.push(cellText(text.slice(begin, at), closing === undefined ? 0 : closing - begin));
      if (turns.spend(CELL_WORK + at - begin)) await turns.next();
      isMore = text[at] === delimiter;
    }
    at += text.startsWith('\r\n', at) ? 2 : 1;
    const taken = take({ row, lastRow: line, cells, isOpen: closing === text.length });
    if (taken !== undefined) return taken;
  }
  return undefined;
};

/** Besides its characters, what a cell costs. */
const CELL_WORK = 4;

/** What is in its quotes; all of it where something else is behind them, as spreadsheets read it. */
const cellText = (cell: string, closing: number): string =>
  closing === 0 || cell.slice(closing + 1).trim() !== ''
    ? cell.slice(0, MOST_CHARACTERS + 1)
    : cell
        .slice(1, Math.min(closing, 2 * MOST_CHARACTERS + 2))
        .replaceAll('""', '"')
        .slice(0, MOST_CHARACTERS + 1);
