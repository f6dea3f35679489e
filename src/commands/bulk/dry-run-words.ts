import { formatMoney } from '../../core/values/money.ts';
import type { Grants } from '../access/access.ts';
import { counted } from './file-facts.ts';
import type { BulkPlan } from './plan-bulk.ts';
import type { ChargeFile } from './read-charge-rows.ts';

const MOST_ROWS_NAMED = 8;
const MOST_NOTES = 10;

/** `rows 3, 7 and 12`; of many the first ones. */
export const rowsText = (rows: readonly number[]): string => {
  const named = rows.slice(0, MOST_ROWS_NAMED).join(', ');
  const others = rows.length - MOST_ROWS_NAMED;
  if (rows.length === 1) return `row ${named}`;
  return others > 0 ? `rows ${named} and ${others.toLocaleString('en')} more` : `rows ${named}`;
};

/** What to look at before the press, by the numbers of rows alone: approvers read it as well. */
export const warningsOf = (
  { bad, twice }: ChargeFile,
  { otherNames, doubtful, unasked, aboveLimit }: BulkPlan,
  repeated: readonly number[],
  { maxCharge }: Grants,
): string[] => {
  const lines: [number, string][] = [
    [
      bad.length,
      `Left out: ${rowsText(bad.map(({ row }) => row))}. I sent ${bad.length === 1 ? 'it back with the reason' : 'them back with the reasons'}.`,
    ],
    [twice.length, `Twice in the file, counted once: ${rowsText(twice.map(({ row }) => row))}.`],
    [
      repeated.length,
      `Asked for already or just paid: ${rowsText(repeated)}. Leave them out unless it is a second sale.`,
    ],
    [
      otherNames.length,
      `The wallet has another name: ${rowsText(otherNames.map(({ row }) => row))}.`,
    ],
    [doubtful.length, `No wallet, or not an active one: ${rowsText(doubtful)}.`],
    [
      aboveLimit.length,
      `Above the limit${maxCharge === undefined ? '' : ` of ${formatMoney(maxCharge)}`}: ${rowsText(aboveLimit)}. An approver has to press as well.`,
    ],
    [unasked.length, `Names that I did not check: ${counted(unasked.length, 'row')}.`],
  ];
  return lines.filter(([count]) => count > 0).map(([, line]) => line);
};

/** Single rows, for the requester alone: they name customers. */
export const notesOf = ({ bad }: ChargeFile, { otherNames }: BulkPlan): string[] => {
  const notes = [
    ...bad.map(({ row, why }) => `Row ${row}: ${why}`),
    ...otherNames.map(
      ({ row, inFile, ofWallet }) =>
        `Row ${row}: ${inFile} in the file, ${ofWallet} at the wallet.`,
    ),
  ];
  const others = notes.length - MOST_NOTES;
  return others > 0
    ? [...notes.slice(0, MOST_NOTES), `And ${others.toLocaleString('en')} more.`]
    : notes;
};
