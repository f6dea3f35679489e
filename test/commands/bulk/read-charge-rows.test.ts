import { deflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readChargeFile } from '../../../src/commands/bulk/read-charge-rows.ts';

const defaults = { country: 'GH', currency: 'GHS' };
const read = (file: string | Uint8Array) =>
  readChargeFile(typeof file === 'string' ? Buffer.from(file) : file, defaults);

const fileOf = async (file: string | Uint8Array) => {
  const result = await read(file);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
};
const problemOf = async (file: string | Uint8Array): Promise<string | undefined> => {
  const result = await read(file);
  return result.ok ? undefined : result.problem.message;
};
/** What is wrong with a second row, which stands in row 2. */
const whyBad = async (row: string, header = 'number,amount,reference,network,name') =>
  (await fileOf(`${header}\n${row}`)).bad;

const AMA = {
  row: 2,
  customerNumber: '+233244123456',
  doubtful: false,
  amount: { amountMinor: 5_000, currency: 'GHS' },
  network: 'MTN',
};

describe('a file of charges', { tags: ['F70', 'F71', 'T51'] }, () => {
  it.each([
    ['comma', 'number,amount\n0244123456,50\n'],
    ['semicolon', 'number;amount\r\n0244123456;50'],
    ['tab', 'number\tamount\r\n0244123456\t50\r\n'],
    ['a first line that names the separator', 'sep=;\r\nnumber;amount\r\n0244123456;50'],
    ['headers in another order and case', 'AMOUNT, Number \n50,0244123456'],
    ['columns that are not asked for', 'note,number,class,amount\nlate,0244123456,3B,50'],
    ['quotes around each cell', '"number","amount"\n"0244123456","50"'],
    ['empty columns to the right', 'number,amount,\n0244123456,50,,,'],
  ])('is read with %s', async (_what, text) => {
    expect(await fileOf(text)).toMatchObject({ good: [AMA], bad: [], twice: [], withoutZero: [] });
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
  ])('is read in %s', async (_encoding, bytes, name) => {
    expect((await fileOf(bytes)).good).toEqual([{ ...AMA, name }]);
  });

  it('keeps reference, network and name of a row, and takes a lone dash for nothing', async () => {
    const text =
      'number,amount,reference,network,name\n0244123456,"1,200.50",Fees 3B,Telecel,Ama\n0244123457,5,-,,-';
    expect((await fileOf(text)).good).toEqual([
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

  it.each(['Phone,Money', 'MOBILE;Amt', 'number,amount,phone'])(
    'takes other names of its columns, after their own: %s',
    async (header) => {
      const row = header.includes(';') ? '0244123456;50' : '0244123456,50,x';
      const { good } = await fileOf(
        `${header}\n${row.split(',').slice(0, header.split(',').length)}`,
      );
      expect(good).toEqual([AMA]);
    },
  );

  it('does not guess which of two such columns is meant', async () => {
    expect(await problemOf('phone,mobile,amount\n1,2,3')).toBe(
      'Row 1: two columns can be "number". Please keep one.',
    );
  });

  it('numbers rows by their lines, over empty rows and quotes across lines', async () => {
    const text = 'number,amount,reference\n0244123456,50,"Fees\nof May"\n\n,,\n0244123457,x,\n';
    const { good, bad, lines } = await fileOf(text);
    expect(good).toEqual([]);
    expect(bad).toMatchObject([
      { row: 2, lastRow: 3, whole: ['0244123456', '50', 'Fees\nof May'] },
      { row: 6, lastRow: 6, whole: ['0244123457', 'x', ''] },
    ]);
    expect(lines).toEqual({ all: 6, empty: 2 });
  });

  it('asks once about numbers that lost their leading 0, and not about whole ones', async () => {
    const numbers = ['244123456', '0244123457', '+233244123458', '233244123459', '244123460'];
    const { good, withoutZero } = await fileOf(
      `number,amount\n${numbers.map((n) => `${n},5`).join('\n')}`,
    );
    expect(good).toHaveLength(5);
    expect(withoutZero).toEqual([2, 6]);
  });

  it('counts rows once that are equal in every cell, and names others of the same customer together', async () => {
    const rows = [
      '0244123456,50,May,Ama',
      '0201234567,50,May,Esi',
      ' 0244123456,50,May , Ama,,',
      '+233244123456,50.00,may,Ama',
      '0244123456,50,May,Kofi',
    ];
    const { good, twice, sameCustomer } = await fileOf(
      `number,amount,reference,pupil\n${rows.join('\n')}`,
    );
    expect(good.map(({ row }) => row)).toEqual([2, 3, 5, 6]);
    expect(twice).toEqual([{ row: 4, first: 2 }]);
    expect(sameCustomer).toEqual([['+233244123456', [2, 5, 6]]]);
  });

  it.each(['\n', '\r\n', '\r'])('ends a row at %j, mixed with others too', async (end) => {
    const text = `number,reference,amount\r\n0244123456,A${end}0244123457,60\r\n0244123458,C,70${end}`;
    const { good, bad, lines } = await fileOf(text);
    expect(good).toMatchObject([{ row: 4, customerNumber: '+233244123458' }]);
    expect(bad.map(({ row }) => row)).toEqual([2, 3]);
    expect(lines).toEqual({ all: 4, empty: 0 });
  });

  it.each([
    ['a short row', '0244123456,50,"Ama\n0244123457,60"\n0244123458,70,C', [[2, 3]], [4]],
    [
      'many short rows',
      '0244123456,50,"Ama\n0244123457,60\r0244123458,70\r\n0244123459,80"\n0244123461,70,C',
      [[2, 5]],
      [6],
    ],
    ['the rest of the file', '0244123456,50\n0244123457,60,"B\n0244123458,70,C\n', [[3, 4]], [2]],
    [
      'a row with quotes of its own',
      '0244123456,50,"A\n0244123457,60,"B"\n0244123458,7,C',
      [[2, 3]],
      [4],
    ],
  ])(
    'leaves out what a quotation mark takes in, named with its lines: %s',
    async (_what, rows, bad, good) => {
      const file = await fileOf(`number,amount,reference\n${rows}`);
      expect(file.bad.map(({ row, lastRow }) => [row, lastRow])).toEqual(bad);
      expect(file.bad[0]?.why).toContain('A quotation mark (")');
      expect(file.good.map(({ row }) => row)).toEqual(good);
    },
  );

  it('takes quotes inside a cell for a part of it', async () => {
    const { good } = await fileOf(
      'number,amount,reference,name\n0244123456,50,Pipe 5","Ama ""Mimi"" Osei"\n0244123457,5,"A" b, "c"',
    );
    expect(good).toMatchObject([
      { row: 2, reference: 'Pipe 5"', name: 'Ama "Mimi" Osei' },
      { row: 3, reference: '"A" b', name: '"c"' },
    ]);
  });

  it.each([
    ['of its own', '20,USD', { amountMinor: 2_000, currency: 'USD' }],
    ['that the amount names as well', 'USD 20,usd', { amountMinor: 2_000, currency: 'USD' }],
    ['that is empty', '20,', { amountMinor: 2_000, currency: 'GHS' }],
    ['that is a lone dash', '20,-', { amountMinor: 2_000, currency: 'GHS' }],
  ])('has a cell for the currency %s', async (_what, cells, amount) => {
    expect((await fileOf(`number,amount,Currency\n0244123456,${cells}`)).good).toEqual([
      { ...AMA, amount },
    ]);
  });

  it.each([
    ['two readings', '1,200', '"1,200" can mean 1200 or 1.200 here.'],
    ['two readings and a currency', 'GHS 1,250', '"GHS 1,250" can mean 1250 or 1.250 here.'],
    ['a point in the place of the comma', '1.200', '"1.200" can mean 1200 or 1.200 here.'],
    ['three decimals of its currency', 'KWD 1.200', 'can mean 1200 or 1.200 here.'],
  ])('whose comma is decimal has an amount with %s left out', async (_what, amount, why) => {
    for (const decimal of ['12,50', '1.200,5', 'GHS 12,5']) {
      const text = `number;amount\n0244123457;${amount}\n0244123456;50\n0201234567;${decimal}`;
      const { good, bad } = await fileOf(text);
      expect(bad).toMatchObject([{ row: 2, why: expect.stringContaining(why) }, { row: 4 }]);
      expect(good).toMatchObject([{ row: 3 }]);
    }
  });

  it('has thousands with commas where no comma of the file is decimal', async () => {
    const { good } = await fileOf('number;amount\n0244123456;1,200\n0201234567;1,200.50');
    expect(good.map(({ amount }) => amount.amountMinor)).toEqual([120_000, 120_050]);
  });

  it('never takes the .0 of a spreadsheet for a digit, and asks about a 0 for whole valid numbers alone', async () => {
    const numbers = ['244123456.0', '55123456.0', '0244123457.00', '24412345,0', '250123456'];
    const { good, bad, withoutZero } = await fileOf(
      `number;amount;network\n${numbers.map((number) => `${number};50;MTN`).join('\n')}`,
    );
    expect(good.map(({ row, customerNumber }) => [row, customerNumber])).toEqual([
      [2, '+233244123456'],
      [4, '+233244123457'],
    ]);
    expect(withoutZero).toEqual([2]);
    expect(bad).toMatchObject([
      { row: 3, why: expect.stringContaining('too short') },
      { row: 5, why: expect.stringContaining('too short') },
      { row: 6, why: expect.stringContaining('Please check it') },
    ]);
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
    ['a quote that is never closed', '0244123456,50,"May', 'never closed'],
    ['more than 100 cells', `0244123456,50${','.repeat(99)}`, 'more than 100 cells'],
    ['a cell that is too long', `0244123456,50,,,,${'x'.repeat(1_001)}`, '1,000 characters'],
    ['a quoted cell that is too long', `0244123456,50,"${'x'.repeat(1_001)}"`, '1,000 characters'],
    ['a letter O for a 0', '0244123456,5O', 'the letter O in "5O"'],
    ['a letter l for a 1', 'l244123456,50', 'the letter l in "l244123456"'],
    [
      'an unknown currency',
      '0244123456,50,,,,XXL',
      'I do not know the currency "XXL"',
      'number,amount,reference,network,name,currency',
    ],
    [
      'two currencies',
      '0244123456,GHS 50,,,,USD',
      'the column "currency" says USD',
      'number,amount,reference,network,name,currency',
    ],
  ])('leaves out a row with %s and says why', async (_what, row, why, header?: string) => {
    expect(await whyBad(row, header)).toMatchObject([
      { row: 2, why: expect.stringContaining(why) },
    ]);
  });

  it('leaves out a row with more cells than the header when a semicolon separates', async () => {
    expect(await whyBad('0244123456;50;x', 'number;amount')).toMatchObject([
      { row: 2, why: 'This row has more cells than the header.' },
    ]);
  });

  it('leaves out rows in another currency than the first', async () => {
    const { good, bad } = await fileOf('number,amount\n0244123456,50\n0244123457,USD 5');
    expect(good).toEqual([AMA]);
    expect(bad).toMatchObject([{ row: 3, why: expect.stringContaining('in USD') }]);
  });

  it('takes an apostrophe that keeps a spreadsheet from reading a formula for no part of the number', async () => {
    expect((await fileOf("number,amount\n'+233244123456,50")).good).toEqual([AMA]);
  });

  it.each([
    ['empty', '', 'This file is empty.'],
    ['of empty rows', '\n\n,,\n', 'This file is empty.'],
    ['without rows', 'number,amount\n', 'This file has no rows below its header.'],
    [
      'without a column that it needs',
      'telephone,amount\n1,2',
      'I need the column "number" in row 1. I found "telephone" and "amount".',
    ],
    ['of one column', 'name\nAma', 'I need the columns "number" and "amount"'],
    ['with a column twice', 'number,amount,Amount\n1,2,3', 'two columns can be "amount"'],
    ['with quotes over lines in its header', '"number\n",amount\n0244123456,50', 'Row 1'],
    ['with an open quote in its header', 'number,"amount\n0244123456,50', 'Row 1'],
    ['with 101 columns', `number,amount${','.repeat(99)}\n0244123456,50`, 'more than 100 cells'],
    ['with a header that is too long', `number,${'x'.repeat(1_001)}\n1,2`, '1,000 characters'],
    [
      'that is a result of ours',
      'row,number,amount,currency,network,reference,name,state,reason,transaction_id\n2,0244123450,20.00,GHS,MTN,A,,failed,,A',
      'Press "Ask again" on its card.',
    ],
    ['with a column "State"', 'number,amount,State\n0244123450,20.00,x', '"Ask again"'],
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
  ])('%s is answered with a sentence', async (_what, bytes, sentence) => {
    expect(await problemOf(bytes)).toContain(sentence);
  });

  it('of any bytes is answered and never throws', async () => {
    const text = fc.array(
      fc.constantFrom('number,amount\n', '0244123456', ',', '"', '\n', ';', '5', '\r'),
    );
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.uint8Array(),
          text.map((parts) => Buffer.from(parts.join(''))),
        ),
        async (bytes) => {
          const { ok } = await read(bytes);
          expect([true, false]).toContain(ok);
        },
      ),
    );
  });
});
