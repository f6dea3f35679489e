import { type BulkRun, type BulkTerms, isOfSms } from '../../core/records/bulk.ts';
import type { Fact } from '../cards/card.ts';
import type { FileRows } from './read-rows.ts';

export const counted = (count: number, one: string, several = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : several}`;

export const customersText = (rows: number): string => counted(rows, 'customer');

/** @param lines what became of each, as of `linesOf` */
export const fileFacts = (terms: BulkTerms, lines?: string): Fact[] => [
  { label: 'File', value: terms.fileName },
  ...(isOfSms(terms)
    ? [
        { label: 'Template', value: `@${terms.template}` },
        { label: 'From', value: terms.senderId },
        { label: 'Costs', value: `${terms.parts.toLocaleString('en')} SMS` },
      ]
    : [{ label: 'Charges', value: terms.rows.toLocaleString('en') }]),
  { label: 'Takes', value: lastsText(terms.lastsMs) },
  ...(terms.merchant === undefined ? [] : [{ label: 'Merchant', value: terms.merchant }]),
  ...(lines === undefined ? [] : [{ label: 'Lines', value: lines }]),
];

/** Shows that no line of a file was lost: `12 = 8 rows + 3 left out + 1 header`. */
export const linesOf = ({ lines, good, bad, twice }: FileRows<unknown>): string => {
  const leftOut = bad.reduce((sum, { row, lastRow }) => sum + lastRow - row + 1, 0);
  const named = [
    counted(good.length, 'row'),
    `${leftOut} left out`,
    `${twice.length} twice`,
    `${lines.empty} empty`,
    '1 header',
  ];
  return `${lines.all} = ${named.filter((each) => !each.startsWith('0 ')).join(' + ')}`;
};

/** `held by the paused file dues.csv`, `held by the running file dues.csv and 2 more`. */
export const heldText = ([first, ...others]: readonly BulkRun[]): string => {
  const more = others.length === 0 ? '' : ` and ${others.length} more`;
  return `held by the ${first?.status} file ${first?.terms.fileName}${more}`;
};

/** `about 20 seconds`, `about 4 minutes`. */
const lastsText = (lastsMs: number): string => {
  const seconds = Math.max(1, Math.ceil(lastsMs / 1_000));
  if (seconds < 100) return `about ${counted(seconds, 'second')}`;
  const minutes = Math.ceil(seconds / 60);
  return minutes < 100
    ? `about ${counted(minutes, 'minute')}`
    : `about ${counted(Math.ceil(minutes / 60), 'hour')}`;
};
