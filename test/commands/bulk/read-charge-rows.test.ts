import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChargeFile } from '../../../src/commands/bulk/read-charge-rows.ts';

const defaults = { country: 'GH', currency: 'GHS' };
const read = (file: string | Uint8Array) =>
  readChargeFile(typeof file === 'string' ? Buffer.from(file) : file, defaults);

const fileOf = (file: string | Uint8Array) => {
  const result = read(file);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};
const problemOf = (file: string | Uint8Array): string | undefined => {
  const result = read(file);
  return result.ok ? undefined : result.problem.message;
};
/** What is wrong with a second row, which stands in row 2. */
const whyBad = (row: string, header = 'number,amount,reference,network,name') =>
  fileOf(`${header}\n${row}`).bad;

const AMA = {
  row: 2,
  customerNumber: '+233244123456',
  doubtful: false,
  amount: { amountMinor: 5_000, currency: 'GHS' },
  network: 'MTN',
};

describe('a file of charges', { tags: ['T51'] }, () => {
  it.each([
    ['comma', 'number,amount\n0244123456,50\n'],
    ['semicolon', 'number;amount\r\n0244123456;50'],
    ['tab', 'number\tamount\r\n0244123456\t50\r\n'],
    ['a first line that names the separator', 'sep=;\r\nnumber;amount\r\n0244123456;50'],
    ['headers in another order and case', 'AMOUNT, Number \n50,0244123456'],
    ['columns that are not asked for', 'note,number,class,amount\nlate,0244123456,3B,50'],
    ['quotes around each cell', '"number","amount"\n"0244123456","50"'],
    ['empty columns to the right', 'number,amount,\n0244123456,50,,,'],
  ])('is read with %s', (_what, text) => {
    expect(fileOf(text)).toMatchObject({ good: [AMA], bad: [], twice: [], withoutZero: [] });
  });

  it.each([
    ['UTF-8', Buffer.from('number;amount;name\n0244123456;50;Esi Ɔkɔ', 'utf8'), 'Esi Ɔkɔ'],
    ['UTF-8 with a mark', Buffer.from('\ufeffnumber;amount;name\n0244123456;50;É', 'utf8'), 'É'],
    ['UTF-16', Buffer.from('\ufeffnumber;amount;name\n0244123456;50;Ɔkɔ', 'utf16le'), 'Ɔkɔ'],
    [
      'big-endian UTF-16',
      Buffer.from('\ufeffnumber;amount;name\n0244123456;50;Ɔkɔ', 'utf16le').swap16(),
      'Ɔkɔ',
    ],
    ['UTF-16 without a mark', Buffer.from('number;amount;name\n0244123456;50;É', 'utf16le'), 'É'],
    [
      'big-endian UTF-16 without a mark',
      Buffer.from('number;amount;name\n0244123456;50;É', 'utf16le').swap16(),
      'É',
    ],
    [
      'Windows-1252',
      Buffer.from('number;amount;name\n0244123456;50;Caf\xe9 \x80', 'latin1'),
      'Café €',
    ],
  ])('is read in %s', (_encoding, bytes, name) => {
    expect(fileOf(bytes).good).toEqual([{ ...AMA, name }]);
  });

  it('keeps reference, network and name of a row, and takes a lone dash for nothing', () => {
    const text =
      'number,amount,reference,network,name\n0244123456,"1,200.50",Fees 3B,Telecel,Ama\n0244123457,5,-,,-';
    expect(fileOf(text).good).toEqual([
      {
        ...AMA,
        amount: { amountMinor: 120_050, currency: 'GHS' },
        network: 'VOD',
        reference: 'Fees 3B',
        name: 'Ama',
      },
      {
        ...AMA,
        row: 3,
        customerNumber: '+233244123457',
        amount: { amountMinor: 500, currency: 'GHS' },
      },
    ]);
  });

  it('numbers rows as a spreadsheet does, over quotes across lines and empty rows', () => {
    const text = 'number,amount,reference\n0244123456,50,"Fees\nof May"\n\n,,\n0244123457,x,\n';
    const { good, bad } = fileOf(text);
    expect(good).toEqual([{ ...AMA, reference: 'Fees of May' }]);
    expect(bad).toMatchObject([{ row: 5, whole: ['0244123457', 'x', ''] }]);
  });

  it('asks once about numbers that lost their leading 0, and not about whole ones', () => {
    const numbers = ['244123456', '0244123457', '+233244123458', '233244123459', '244123460'];
    const { good, withoutZero } = fileOf(
      `number,amount\n${numbers.map((n) => `${n},5`).join('\n')}`,
    );
    expect(good).toHaveLength(5);
    expect(withoutZero).toEqual([2, 6]);
  });

  it('counts a row that is there twice once, and keeps another sum or reference to the same customer', () => {
    const rows = [
      '0244123456,50,May',
      '+233244123456,50.00,may',
      '0244123456,50,June',
      '0244123456,60,May',
    ];
    const { good, twice } = fileOf(`number,amount,reference\n${rows.join('\n')}`);
    expect(good.map(({ row }) => row)).toEqual([2, 4, 5]);
    expect(twice).toEqual([{ row: 3, first: 2 }]);
  });

  it.each([
    [
      'an amount with a comma without quotes',
      '0244123456,1,200.50,May,MTN,Ama',
      'quotes: "1,200.50"',
    ],
    [
      'an amount that can be read in two ways',
      '0244123456,"12,50"',
      'I am not sure how to read "12,50".',
    ],
    ['no amount', '0244123456,', 'Please give an amount'],
    ['nothing', '0244123456,0', 'The amount must be more than zero.'],
    ['a number that is too short', '024412345,50', 'is too short'],
    ['a landline', '0302123456,50', 'landline'],
    ['a shortened number', '2.44123E+11,50', 'Format the column as text.'],
    ['a formula for a number', '=A1,50', '"=A1" is not a phone number.'],
    ['a formula for a reference', '0244123456,50,=HYPERLINK("x")', 'is a formula.'],
    ['a formula for a name', '0244123456,50,,,"@SUM(A1)"', 'is a formula.'],
    ['a bank card for a number', '4111111111111111,50', 'Never type card numbers'],
    ['a bank card for a name', '0244123456,50,,,4111111111111111', 'Never type card numbers'],
    ['a name that is too long', `0244123456,50,,,${'a'.repeat(101)}`, '100 characters'],
    ['a reference that is too long', `0244123456,50,${'a'.repeat(61)}`, '60 characters'],
    ['an unknown network', '0244123456,50,,Glo', 'I do not know the network "Glo".'],
    ['a bank card as network', '0244123456,50,,Visa', 'Cards cannot be charged by file.'],
    ['a number of no network', '0231234567,50', 'I cannot tell the network'],
    [
      'quotes over the rows below',
      '0244123456,50,"May\n0244123457,60,June,MTN,Esi"',
      'takes in the rows below',
    ],
  ])('leaves out a row with %s and says why', (_what, row, why) => {
    expect(whyBad(row)).toMatchObject([{ row: 2, why: expect.stringContaining(why) }]);
  });

  it('leaves out a row with more cells than the header when a semicolon separates', () => {
    expect(whyBad('0244123456;50;x', 'number;amount')).toMatchObject([
      { row: 2, why: 'This row has more cells than the header.' },
    ]);
  });

  it('leaves out rows in another currency than the first', () => {
    const { good, bad } = fileOf('number,amount\n0244123456,50\n0244123457,USD 5');
    expect(good).toEqual([AMA]);
    expect(bad).toMatchObject([{ row: 3, why: expect.stringContaining('in USD') }]);
  });

  it('takes an apostrophe that keeps a spreadsheet from reading a formula for no part of the number', () => {
    expect(fileOf("number,amount\n'+233244123456,50").good).toEqual([AMA]);
  });

  it.each([
    ['empty', '', 'This file is empty.'],
    ['of empty rows', '\n\n,,\n', 'This file is empty.'],
    ['without rows', 'number,amount\n', 'This file has no rows below its header.'],
    [
      'without a column that it needs',
      'phone,amount\n1,2',
      'I miss "number"; I see "phone", "amount".',
    ],
    ['of one column', 'name\nAma', 'I miss "number" and "amount"'],
    ['with a column twice', 'number,amount,Amount\n1,2,3', 'two columns are called "amount"'],
    [
      'with an open quote',
      'number,amount\n0244123456,50\n"0244123457,50',
      'Row 3: a quotation mark',
    ],
    [
      'with 10,001 rows',
      `number,amount\n${'0244123456,50\n'.repeat(10_001)}`,
      'more than 10,000 rows',
    ],
    ['larger than 5 MB', new Uint8Array(5_000_001), 'larger than 5 MB'],
    [
      'of bytes that are no text',
      new Uint8Array([1, 2, 3, 0x41, 0x0a]),
      'I cannot read this as text.',
    ],
    ['that is a picture', Buffer.from('89504e470d0a1a0a', 'hex'), 'This is a picture'],
    [
      'that is a photo of a phone',
      Buffer.from('000000186674797068656963', 'hex'),
      'This is a picture',
    ],
    [
      'that is a ZIP file, which is not unpacked',
      Buffer.concat([Buffer.from('504b0304', 'hex'), deflateRawSync(new Uint8Array(1_000_000))]),
      'This is a spreadsheet or a ZIP file',
    ],
  ])('%s is answered with a sentence', (_what, bytes, sentence) => {
    expect(problemOf(bytes)).toContain(sentence);
  });

  it('of any bytes is answered and never throws', () => {
    const text = fc.array(
      fc.constantFrom('number,amount\n', '0244123456', ',', '"', '\n', ';', '5', '\r'),
    );
    fc.assert(
      fc.property(
        fc.oneof(
          fc.uint8Array(),
          text.map((parts) => Buffer.from(parts.join(''))),
        ),
        (bytes) => {
          const { ok } = read(bytes);
          expect([true, false]).toContain(ok);
        },
      ),
    );
  });

  it('names each of its rows that are not empty exactly once', () => {
    const cell = fc.constantFrom('0244123456', '244123457', '50', 'x', '', '"a\nb"', '1,2');
    const row = fc.tuple(cell, cell).map((cells) => cells.join(','));
    fc.assert(
      fc.property(fc.array(row, { minLength: 1 }), (rows) => {
        const result = read(`number,amount\n${rows.join('\n')}`);
        const filled = rows.filter((each) => each !== ',').length;
        if (!result.ok) {
          expect(filled).toBe(0);
          return;
        }
        const { good, bad, twice } = result.value;
        const named = [...good, ...bad, ...twice].map((each) => each.row);
        expect([named.length, new Set(named).size]).toEqual([filled, filled]);
      }),
    );
  });
});
