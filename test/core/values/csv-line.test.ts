import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BYTE_ORDER_MARK, csvLine } from '../../../src/core/values/csv-line.ts';

it('a line is read back by another reader as it was written, and no cell of it is a formula', {
  tags: ['T17'],
}, () => {
  const cell = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.string({ unit: fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n', '"', ',', "'", 'a') }),
  );
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 5 }), { minLength: 1 }),
      (rows) => {
        const text = BYTE_ORDER_MARK + rows.map(csvLine).join('');
        const read: string[][] = parse(text, {
          bom: true,
          record_delimiter: '\r\n',
          relax_column_count: true,
          skip_empty_lines: false,
        });
        const plain = (each: string) => each.replaceAll("'", '');
        expect(read.map((row) => row.map(plain))).toEqual(rows.map((row) => row.map(plain)));
        for (const each of read.flat()) expect(each).not.toMatch(/^[=+\-@\t\r]/);
      },
    ),
    { numRuns: 300 },
  );
});

it('no spreadsheet finds a formula in it, whatever separates the cells for it', {
  tags: ['T76'],
}, () => {
  const sign = fc.constantFrom(...'=+-@＝＋－＠﹦;|\t\n\r\v\u2028 "\u00a0\u200ba1,');
  const cell = fc.string({ unit: sign, maxLength: 12 });
  fc.assert(
    fc.property(fc.array(cell, { minLength: 2, maxLength: 4 }), (cells) => {
      const line = csvLine(cells);
      for (const separator of [/;/, /\t/, /\|/, /[\n\r\v\u2028]/])
        for (const part of line.split(separator))
          expect(part.replace(/^[\s"\u200b]+/, '')).not.toMatch(/^[=+\-@＝＋－＠﹦]/);
    }),
    { numRuns: 2_000 },
  );
  expect(csvLine(['Ama;=HYPERLINK("x")', '＝cmd', ' \n=1', 'a;"=1'])).toBe(
    `"Ama;'=HYPERLINK(""x"")",'＝cmd," \n'=1","a;""'=1"\r\n`,
  );
});

it('a cell is quoted where RFC 4180 wants it, and else left as it is', () => {
  expect(csvLine(['a b', 'a,b', 'a"b', 'a\nb', '=1+1', '+233', '-5', '@x', '\t1', '1=1'])).toBe(
    `a b,"a,b","a""b","a\nb",'=1+1,'+233,'-5,'@x,'\t1,1=1\r\n`,
  );
});
