import { MOST_FILE_BYTES } from '../src/commands/inbound.ts';

/** `head`, then `piece` until the file is as large as may be. */
const full = (head: string, piece: string): Buffer =>
  Buffer.from(head + piece.repeat(Math.floor((MOST_FILE_BYTES - head.length) / piece.length)));

const rows = (head: string, row: (at: number) => string): Buffer =>
  Buffer.from([head, ...Array.from({ length: 10_000 }, (_, at) => row(at))].join('\n'));

const HEAD = 'number,amount,name,reference,network';
const SHORT = `${HEAD}\n`;
const WIDE = `number,amount,name${','.repeat(97)}\n`;
const numberOf = (at: number): string => `0244${String(100_000 + at)}`;

/** The worst files of 5 MB that we know: for time, for memory, or for what is said of them. */
export const HOSTILE_FILES: Readonly<Record<string, () => Buffer>> = {
  'one cell': () => full(`${SHORT}0244123456,50,`, '4 '),
  'a quotation mark over all lines': () => full(`${SHORT}0244123456,50,"`, 'a,b\n'),
  'quotation marks': () => full(SHORT, '"'),
  'empty cells in quotes': () => full(SHORT, '"",'),
  'one row of commas': () => full(SHORT, ','),
  'a header of commas': () => full(HEAD, ','),
  'rows of commas': () => full(SHORT, ',,\n'),
  'line ends': () => full(SHORT, '\n\r\n\r'),
  spaces: () => full(SHORT, ' '),
  'rows of 100 cells': () => full(WIDE, `0244123456,50,a${',ab'.repeat(97)}\n`),
  'rows of 100 long cells': () =>
    full(WIDE, `0244123456,50,a${`,${'<tel:1|'.repeat(140)}`.repeat(97)}\n`),
  'cells of digits': () => full(SHORT, `0244123456,50,${`${'4 '.repeat(499)},`.repeat(2)}MTN\n`),
  'bad rows': () => rows(SHORT, (at) => `x${at},${'9'.repeat(480)}`),
  'bad rows under a wide header': () => rows(WIDE, () => `x,1${',a'.repeat(98)}`),
  'good rows': () => rows(HEAD, (at) => `${numberOf(at)},50,Ama ${at},Fees ${at},MTN`),
  'good rows of 490 characters': () =>
    rows(`${HEAD},note`, (at) => `${numberOf(at)},50,Ama ${at},Fees ${at},MTN,${'x'.repeat(450)}`),
  'good rows of one customer': () => rows(HEAD, (at) => `0244123456,50,Ama ${at},Fees ${at},MTN`),
  'good rows in UTF-16': () =>
    Buffer.from(
      `\ufeff${rows(HEAD, (at) => `${numberOf(at)},50,${'Ɔ'.repeat(90)},Fees ${at},MTN`).toString()}`,
      'utf16le',
    ),
};
