import type { BulkSms } from '../../core/records/bulk.ts';
import { maskNumber } from '../../core/values/customer-number.ts';
import { formatMoney } from '../../core/values/money.ts';
import { plainText } from '../../core/values/normalise-input.ts';
import type { Grants } from '../access/grants.ts';
import { counted } from './file-facts.ts';
import { type BulkPlan, type PlannedCharge, rowsAbove } from './plan-bulk.ts';
import type { ChargeFile } from './read-charge-rows.ts';
import { type BadRow, type FileRows, sameCustomerIn } from './read-rows.ts';

const MOST_ROWS_NAMED = 8;
const MOST_NOTES = 10;

/** `rows 3, 7 and 12`; of many the first ones. */
export const rowsText = (rows: readonly (number | string)[]): string => {
  const others = rows.length - MOST_ROWS_NAMED;
  const last = others > 0 ? `${others.toLocaleString('en')} more` : rows.at(-1);
  const named = rows.slice(0, Math.min(rows.length - 1, MOST_ROWS_NAMED)).join(', ');
  return rows.length === 1 ? `row ${last}` : `rows ${named} and ${last}`;
};

/** `3`; where quotes take in what is below, `3 to 5`. */
export const linesOfRow = ({ row, lastRow }: Pick<BadRow, 'row' | 'lastRow'>): string =>
  row === lastRow ? String(row) : `${row} to ${lastRow}`;

type Line = readonly [count: number, text: string];

const shownLines = (lines: readonly Line[]): string[] =>
  lines.filter(([count]) => count > 0).map(([, text]) => text);

const MOST_CUSTOMERS_NAMED = 3;

type OfFile = Pick<FileRows<unknown>, 'bad' | 'twice' | 'sameCustomer'>;

const rowLines = ({ bad, twice, sameCustomer }: OfFile, deed: 'charged' | 'sent'): Line[] => {
  const others = sameCustomer.length - MOST_CUSTOMERS_NAMED;
  return [
    [
      bad.length,
      `Left out: ${rowsText(bad.map(linesOfRow))}. I sent ${bad.length === 1 ? 'it back with the reason' : 'them back with the reasons'}.`,
    ],
    [twice.length, `Twice in the file, ${deed} once: ${rowsText(twice.map(({ row }) => row))}.`],
    ...sameCustomer
      .slice(0, MOST_CUSTOMERS_NAMED)
      .map(
        ([number, rows]): Line => [
          1,
          `${counted(rows.length, 'row')} for ${maskNumber(number)}: ${rowsText(rows)}.`,
        ],
      ),
    [others, `${counted(others, 'more customer has', 'more customers have')} several rows.`],
  ];
};

/** What to look at before the press, by the numbers of rows alone: approvers read it as well. */
export const warningsOf = (
  file: ChargeFile,
  { otherNames, doubtful, unasked, aboveLimit }: BulkPlan,
  grants: Grants,
): string[] => [
  ...shownLines([
    ...rowLines(file, 'charged'),
    [
      otherNames.length,
      `The wallet has another name: ${rowsText(otherNames.map(({ row }) => row))}.`,
    ],
    [doubtful.length, `No wallet, or not an active one: ${rowsText(doubtful)}.`],
    [unasked.length, `Names that I did not check: ${counted(unasked.length, 'row')}.`],
  ]),
  ...aboveText(aboveLimit, grants),
];

const aboveText = (rows: readonly number[], { maxCharge }: Grants): string[] => {
  const limit = maxCharge === undefined ? '' : ` of ${formatMoney(maxCharge)}`;
  return shownLines([[rows.length, `Above the limit${limit}: ${rowsText(rows)}.`]]);
};

/** For the requester alone: approvers know. */
export const approvalNotes = (rows: readonly number[]): string[] =>
  shownLines([[rows.length, 'An approver must approve what is above the limit.']]);

/** The same of rows that are asked once more. */
export const againWarningsOf = (rows: readonly PlannedCharge[], grants: Grants): string[] => [
  ...shownLines(rowLines({ bad: [], twice: [], sameCustomer: sameCustomerIn(rows) }, 'charged')),
  ...aboveText(rowsAbove(rows, grants), grants),
];

/** What to look at before a file of SMS is sent. `left`: the balance of SMS, as the service says it. */
export const smsWarningsOf = (parts: number, left: string | undefined, file?: OfFile): string[] => [
  ...(file === undefined ? [] : shownLines(rowLines(file, 'sent'))),
  ...(left !== undefined && Number(left) < parts
    ? [`SMS left: ${left}. This costs ${parts.toLocaleString('en')} SMS.`]
    : []),
];

/** Single rows, for the requester alone: they name customers. */
export const notesOf = ({ bad }: ChargeFile, { otherNames }: BulkPlan): string[] =>
  firstNotes([
    ...bad.map(noteOfBad),
    ...otherNames.map(
      ({ row, inFile, ofWallet }) =>
        `Row ${row}: ${inFile} in the file, ${ofWallet} at the wallet.`,
    ),
  ]);

/** The same of a file of SMS, with the first of them as it will be read. */
export const smsNotesOf = ([first]: readonly BulkSms[], file?: OfFile): string[] =>
  firstNotes([
    ...(first === undefined ? [] : [`Row ${first.row} will read: ${plainText(first.text)}`]),
    ...(file?.bad ?? []).map(noteOfBad),
  ]);

export const noteOfBad = (bad: BadRow): string =>
  `${bad.row === bad.lastRow ? 'Row' : 'Lines'} ${linesOfRow(bad)}: ${bad.why}`;

const firstNotes = (notes: readonly string[]): string[] => {
  const others = notes.length - MOST_NOTES;
  return others > 0
    ? [...notes.slice(0, MOST_NOTES), `And ${others.toLocaleString('en')} more.`]
    : [...notes];
};
