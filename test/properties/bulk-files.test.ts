import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CsvRow, eachRow } from '../../src/commands/bulk/csv-rows.ts';
import { readChargeFile } from '../../src/commands/bulk/read-charge-rows.ts';
import { badRowsFile } from '../../src/commands/bulk/result-files.ts';
import { TurnBudget } from '../../src/core/runtime/turn-budget.ts';
import { check } from '../support/check.ts';

const GHANA = { country: 'GH', currency: 'GHS' };

const fileOf = async (text: string, turns = new TurnBudget()) => {
  const read = await readChargeFile(Buffer.from(text), GHANA, turns);
  return read.ok ? read.value : undefined;
};

/** In characters, or as much work: some milliseconds. */
const MOST_PER_TURN = 20_000;

/** Adds up what a reading spends, and counts how often it went on in a turn whose share was used up. */
class CountedTurns extends TurnBudget {
  spent = 0;
  overdrawn = 0;
  #inTurn = 0;

  override spend(work: number): boolean {
    if (this.#inTurn >= MOST_PER_TURN) this.overdrawn++;
    this.spent += work;
    this.#inTurn += work;
    return super.spend(work);
  }

  override async next(): Promise<void> {
    this.#inTurn = 0;
    await super.next();
  }
}

const lineEnd = fc.constantFrom('\n', '\r\n', '\r');

/** A cell as somebody may write it, with `text` in it; some open quotes or close them. */
const cellWith = (text: string) =>
  fc.constantFrom(text, text, text, `"${text}"`, `"${text}`, `${text}"`, `"${text}""`, `""${text}`);

/** Each line has a customer and an amount of its own, in an order of columns that is the same for all. */
const charges = fc
  .array(fc.tuple(fc.nat(), lineEnd, fc.nat({ max: 9 })), { minLength: 1, maxLength: 12 })
  .chain((lines) =>
    fc.tuple(
      ...lines.map(([, end, kind], at) =>
        fc
          .tuple(cellWith(`02441234${10 + at}`), cellWith(`${at + 1}.50`), cellWith(`Ref ${at}`))
          .map(([number, amount, reference]) => {
            if (kind === 0) return { text: '', end };
            const cells = kind === 1 ? [number, amount] : [number, reference, amount];
            return { text: kind === 2 ? `${number},` : cells.join(','), end };
          }),
      ),
    ),
  );

describe('a file of charges', { tags: ['F70', 'F71'] }, () => {
  it('accounts for each of its lines, and no customer gets the amount of another line', () =>
    check(
      fc.asyncProperty(lineEnd, charges, async (end, lines) => {
        const text = `number,reference,amount${end}${lines.map((each) => each.text + each.end).join('')}`;
        const file = await fileOf(text);
        // A CR and the LF of an empty line behind it are one line end.
        const written = text.split(/\r\n|\r|\n/).slice(0, -1);
        if (file === undefined) {
          expect(written.slice(1).join('')).toMatch(/^[",]*$/);
          return;
        }
        const named = [
          ...file.good.map(({ row }) => [row, row] as const),
          ...file.twice.map(({ row }) => [row, row] as const),
          ...file.bad.map(({ row, lastRow }) => [row, lastRow] as const),
        ].flatMap(([row, lastRow]) =>
          Array.from({ length: lastRow - row + 1 }, (_, at) => row + at),
        );
        expect(file.lines.all).toBe(written.length);
        expect(new Set(named).size).toBe(named.length);
        expect(named.length + file.lines.empty + 1).toBe(written.length);
        for (const { row, customerNumber, amount } of file.good) {
          const at = Number(customerNumber.slice(-2)) - 10;
          expect(amount.amountMinor).toBe((at + 1) * 100 + 50);
          expect(written[row - 1]).toContain(`0${customerNumber.slice(4)}`);
        }
      }),
      3_000,
    ));

  it('is read as csv-parse reads it where no quotation mark takes in a line', () => {
    const cell = fc
      .string({ unit: fc.constantFrom(...'a ;,"é'), maxLength: 5 })
      .map((text) => (/[",]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text));
    const row = fc.array(cell, { minLength: 1, maxLength: 5 }).map((cells) => cells.join(','));
    const rows = fc.array(
      row.filter((text) => text !== ''),
      { minLength: 1, maxLength: 8 },
    );
    return check(
      fc.asyncProperty(rows, fc.constantFrom('\n', '\r\n'), async (lines, end) => {
        const text = lines.join(end);
        const read: CsvRow[] = [];
        await eachRow(text, ',', new TurnBudget(), (each) => void read.push(each));
        expect(read.map(({ cells }) => cells)).toEqual(parse(text, { relax_column_count: true }));
        expect(read.map(({ row: line }) => line)).toEqual(lines.map((_, at) => at + 1));
      }),
      3_000,
    );
  });

  it('never makes a customer of a number with a digit too few or too many, however a spreadsheet writes it', () => {
    const digits = fc.stringMatching(/^(24|20|55|27)\d{4,9}$/);
    const marks = fc.constantFrom('', '.0', '.00', ',0', ' ');
    const written = fc.tuple(fc.constantFrom('', '0', '233', '+233'), digits, marks);
    return check(
      fc.asyncProperty(written, async ([before, number, mark]) => {
        const file = await fileOf(`number;amount\n${before}${number}${mark};50`);
        const isWhole = number.length === 9;
        expect(file?.good.map(({ customerNumber }) => customerNumber) ?? []).toEqual(
          isWhole ? [`+233${number}`] : [],
        );
        expect(file?.withoutZero).toEqual(isWhole && before === '' ? [2] : []);
      }),
      3_000,
    );
  });
});

describe('a hostile file', { tags: ['T60'] }, () => {
  const pieces = ['"', '""', ',', '\n', '\r', '\r\n', 'x', ' ', '4 ', '"a', 'a"', '",', ',"', ';'];
  const repeated = fc
    .tuple(
      fc.array(fc.constantFrom(...pieces, '0244123456,50', '<tel:1|', 'é'), {
        minLength: 1,
        maxLength: 6,
      }),
      fc.integer({ min: 1, max: 30_000 }),
    )
    .map(([parts, times]) => parts.join('').repeat(times));
  const hostile = fc.array(repeated, { minLength: 1, maxLength: 3 }).map((parts) => parts.join(''));
  const header = fc.constantFrom('number,amount\n', 'number,amount,name\r', 'number;amount\n', '');

  it('is read in turns by what is in it, within the limits, and comes back bounded', () =>
    check(
      fc.asyncProperty(header, hostile, async (head, body) => {
        const turns = new CountedTurns();
        const text = (head + body).slice(0, 300_000);
        const file = await fileOf(text, turns);
        if (file === undefined) return;
        // Without quotation marks, whatever ends a cell or a line costs more than a character.
        const ends = head.includes(',') && !text.includes('"') ? /,|\r\n?|\n/g : /$^/g;
        expect(turns.spent).toBeGreaterThanOrEqual(
          text.length + 2 * (text.match(ends)?.length ?? 0),
        );
        expect(turns.overdrawn).toBe(0);
        expect(file.good.length + file.bad.length + file.twice.length).toBeLessThanOrEqual(10_000);
        for (const { whole } of file.bad) {
          expect(whole.length).toBeLessThanOrEqual(101);
          expect(Math.max(...whole.map(({ length }) => length))).toBeLessThanOrEqual(1_001);
        }
        const back = badRowsFile(file, 'x.csv').content.size;
        expect(back).toBeLessThanOrEqual(
          Math.min(3_000_000, 2 * text.length + 1_000 + 200 * file.bad.length),
        );
      }),
      120,
    ));
});
