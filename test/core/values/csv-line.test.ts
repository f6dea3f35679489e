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
        const read = parse(text, {
          bom: true,
          record_delimiter: '\r\n',
          relax_column_count: true,
          skip_empty_lines: false,
        });
        const guarded = (each: string) => (/^[=+\-@\t\r]/.test(each) ? `'${each}` : each);
        expect(read).toEqual(rows.map((row) => row.map(guarded)));
      },
    ),
    { numRuns: 300 },
  );
});

it('a cell is quoted where RFC 4180 wants it, and else left as it is', () => {
  expect(csvLine(['a b', 'a,b', 'a"b', 'a\nb', '=1+1', '+233', '-5', '@x', '\t1', '1=1'])).toBe(
    `a b,"a,b","a""b","a\nb",'=1+1,'+233,'-5,'@x,'\t1,1=1\r\n`,
  );
});
