import type { TurnBudget } from '../../core/runtime/turn-budget.ts';

/** As the contract has it; a row is read up to one cell more, a cell up to one character more. */
export const MOST_COLUMNS = 100;
export const MOST_CHARACTERS = 1_000;

/** A row as the file has it, cut behind the limits. */
export type CsvRow = {
  /** Its lines, counted from 1: more than one where quotes take in line ends. */
  readonly row: number;
  readonly lastRow: number;
  readonly cells: readonly string[];
  /** A quotation mark is opened in it and never closed. */
  readonly isOpen: boolean;
};

/** Besides its characters, what a cell costs. */
const CELL_WORK = 4;

/**
 * Reads CSV row by row, of any shape and with CRLF, LF or CR at the end of each line. Hostile text takes time in
 * proportion to its length, in slices, and no memory beyond the limits. `csv-parse` promises neither, and does not
 * tell which lines a row comes from.
 */
export class CsvReader {
  readonly #text: string;
  readonly #delimiter: string;
  readonly #turns: TurnBudget;
  readonly #cellEnd: RegExp;
  readonly #quoteOrLineEnd = /"|\r\n?|\n/g;
  #at = 0;
  /** Lines that were read to their end. */
  #lines = 0;

  constructor(text: string, delimiter: string, turns: TurnBudget) {
    this.#text = text;
    this.#delimiter = delimiter;
    this.#turns = turns;
    this.#cellEnd = new RegExp(`[${delimiter}\r\n]`, 'g');
  }

  /** Undefined at the end of the file. */
  async next(): Promise<CsvRow | undefined> {
    const text = this.#text;
    if (this.#at >= text.length) return undefined;
    const row = this.#lines + 1;
    const cells: string[] = [];
    let isOpen = false;
    do {
      const begin = this.#at;
      const closing = text[begin] === '"' ? await this.#closingQuote(begin + 1) : undefined;
      isOpen = closing === text.length;
      this.#at = this.#endOfCell(closing ?? begin);
      if (cells.length <= MOST_COLUMNS) cells.push(this.#cell(begin, closing));
      if (this.#turns.spend(CELL_WORK + this.#at - begin)) await this.#turns.next();
    } while (this.#passes(this.#delimiter));
    const isLineEnd = this.#passes('\r');
    if (this.#passes('\n') || isLineEnd || !(isOpen && /[\r\n]/.test(text.at(-1) ?? '')))
      this.#lines++;
    return { row, lastRow: this.#lines, cells, isOpen };
  }

  #passes(sign: string): boolean {
    if (this.#text[this.#at] !== sign) return false;
    this.#at++;
    return true;
  }

  /** Counts the lines on its way. The end of the file when there is none. */
  async #closingQuote(from: number): Promise<number> {
    const signs = this.#quoteOrLineEnd;
    signs.lastIndex = from;
    for (let found = signs.exec(this.#text); found !== null; found = signs.exec(this.#text)) {
      if (this.#turns.spend(CELL_WORK)) await this.#turns.next();
      if (found[0] !== '"') this.#lines++;
      else if (this.#text[signs.lastIndex] === '"') signs.lastIndex++;
      else return found.index;
    }
    return this.#text.length;
  }

  #endOfCell(from: number): number {
    this.#cellEnd.lastIndex = from;
    return this.#cellEnd.test(this.#text) ? this.#cellEnd.lastIndex - 1 : this.#text.length;
  }

  /** What is in its quotes; all of it where something else stands behind them, as spreadsheets read it. */
  #cell(begin: number, closing: number | undefined): string {
    const isQuoted = closing !== undefined && this.#text.slice(closing + 1, this.#at).trim() === '';
    if (!isQuoted) return this.#text.slice(begin, Math.min(this.#at, begin + MOST_CHARACTERS + 1));
    const first = begin + 1;
    return this.#text
      .slice(first, Math.min(closing, first + 2 * (MOST_CHARACTERS + 1)))
      .replaceAll('""', '"')
      .slice(0, MOST_CHARACTERS + 1);
  }
}
