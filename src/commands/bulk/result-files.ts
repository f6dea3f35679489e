import { readRows } from '../../core/bulk/bulk-pages.ts';
import { type BulkRun, isCharge, isSms, isSmsRun, type SmsRun } from '../../core/records/bulk.ts';
import type { ChargeTerms } from '../../core/records/payment.ts';
import type { SmsChunk } from '../../core/records/sms-batch.ts';
import { everyPayment, type Store } from '../../core/store/store.ts';
import { BYTE_ORDER_MARK, csvLine } from '../../core/values/csv-line.ts';
import { maskNumber, showNumber } from '../../core/values/customer-number.ts';
import { decimalText } from '../../core/values/money.ts';
import { type Card, cardOf, part } from '../cards/card.ts';
import type { OutgoingFile } from '../cards/outgoing-file.ts';
import { reasonOf, stateWord } from '../cards/payment-words.ts';
import { nameFor } from '../cards/visibility.ts';
import type { Services } from '../command.ts';
import { linesOfRow, noteOfBad } from './dry-run-words.ts';
import { counted } from './file-facts.ts';
import type { FileRows } from './read-rows.ts';

const TYPE = 'text/csv; charset=utf-8';
const MOST_LISTED = 10;

const fileOf = (
  name: string,
  title: string,
  rows: readonly (readonly string[])[],
): OutgoingFile => ({
  name,
  content: new Blob([BYTE_ORDER_MARK, rows.map(csvLine).join('')], { type: TYPE }),
  title,
});

/** Without its ending, in signs that every platform takes. */
const baseName = (name: string): string =>
  name
    .replace(/\.[^.]*$/, '')
    .replace(/[^\p{L}\p{N}_-]+/gu, '-')
    .slice(0, 60) || 'file';

/** More than that is not sent back; in characters. */
const MOST_SENT_BACK = 500_000;

/** The rows that were left out, as far as they were read, each behind its number and the reason. */
export const badRowsFile = (
  { header, bad }: Pick<FileRows<unknown>, 'header' | 'bad'>,
  name: string,
): OutgoingFile => {
  const lines: string[][] = [['row', 'problem', ...header]];
  let left = MOST_SENT_BACK;
  for (const row of bad) {
    left -= row.why.length + row.whole.join().length;
    if (left < 0) break;
    lines.push([linesOfRow(row), row.why, ...row.whole]);
  }
  const others = bad.length + 1 - lines.length;
  if (others > 0) lines.push(['', `And ${counted(others, 'more row')}.`]);
  return fileOf(`${baseName(name)}-left-out.csv`, `Left out of ${name}`, lines);
};

export const noGoodRowCard = (
  { bad }: Pick<FileRows<unknown>, 'bad'>,
  deed: 'charged' | 'sent',
): Card =>
  cardOf(
    `No row of this file can be ${deed}`,
    [
      part.list(bad.slice(0, MOST_LISTED).map(noteOfBad)),
      part.text('I sent the rows back, each with its reason.'),
    ],
    { tone: 'warning' },
  );

/** Whether number and name of a row are whole: those that came from a colleague's run may not be. */
export type IsWhole = (row: { readonly maskedFrom?: string }) => boolean;

export const resultFile = async (
  { store }: Pick<Services, 'store'>,
  run: BulkRun,
  isWhole: IsWhole,
): Promise<OutgoingFile> => {
  const { columns, rows } = isSmsRun(run)
    ? { columns: SMS_COLUMNS, rows: await smsRows(store, run, isWhole) }
    : { columns: COLUMNS, rows: await chargeRows(store, run, isWhole) };
  const inOrder = rows.toSorted((one, other) => one.row - other.row);
  const { fileName } = run.terms;
  return fileOf(`${baseName(fileName)}-result.csv`, `What became of ${fileName}`, [
    columns.split(','),
    ...inOrder.map(({ cells }) => cells),
  ]);
};

type ResultRow = { readonly row: number; readonly cells: readonly string[] };

const SMS_COLUMNS = 'row,number,text,state,reason,message_id';

/** In the words of cards. */
const SMS_STATES: Readonly<Record<SmsChunk['state'], string>> = {
  waiting: 'waiting',
  sending: 'waiting',
  sent: 'sent',
  refused: 'refused',
  'not sent': 'not sent',
  unknown: 'not clear',
};

const smsRows = async (
  store: Pick<Store, 'get'>,
  run: SmsRun,
  isWhole: IsWhole,
): Promise<ResultRow[]> => {
  const rows: ResultRow[] = [];
  for (const { row: sms } of await readRows(store, run, isSms)) {
    const { row, id, recipient, text } = sms;
    const chunk = (await store.get('sms', id))?.chunks[0];
    const end =
      chunk === undefined
        ? ['not sent', run.why ?? '', '']
        : [SMS_STATES[chunk.state], chunk.reason ?? '', chunk.messageId ?? ''];
    const number = numberText(recipient, isWhole(sms));
    // A text may name the customer, or the number.
    rows.push({ row, cells: [String(row), number, isWhole(sms) ? text : '', ...end] });
  }
  return rows;
};

const COLUMNS = 'row,number,amount,currency,network,reference,name,state,reason,transaction_id';

const chargeRows = async (store: Store, run: BulkRun, isWhole: IsWhole): Promise<ResultRow[]> => {
  const rows: ResultRow[] = [];
  for await (const payment of everyPayment(store, { bulk: run.id })) {
    const { id, terms, state, bulk } = payment;
    const paid = [stateWord(state), reasonOf(payment) ?? '', id];
    rows.push(rowOf(bulk?.row ?? 0, terms, isWhole(payment), paid));
  }
  const known = new Set(rows.map(({ row }) => row));
  const end = ['not asked', run.why ?? '', ''];
  for (const { row: charge } of await readRows(store, run, isCharge))
    if (!known.has(charge.row)) rows.push(rowOf(charge.row, charge.terms, isWhole(charge), end));
  return rows;
};

const rowOf = (
  row: number,
  { customerNumber, customerName = '', amount, network, reference }: ChargeTerms,
  isWhole: boolean,
  end: readonly string[],
): ResultRow => ({
  row,
  cells: [
    ...[String(row), numberText(customerNumber, isWhole)],
    ...[decimalText(amount), amount.currency, network, reference],
    nameFor(isWhole ? 'one person' : 'others too', customerName),
    ...end,
  ],
});

const numberText = (e164: string, isWhole: boolean): string =>
  isWhole ? showNumber(e164).replaceAll(' ', '') : maskNumber(e164);
