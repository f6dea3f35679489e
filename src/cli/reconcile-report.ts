import type { Payment } from '../core/records/payment.ts';
import type { Reconciled, UnstoredId } from '../core/recovery/reconciliation.ts';
import { maskPhones } from '../core/runtime/masking.ts';
import type { StoreTally } from '../core/store/store-tally.ts';
import { showTime } from '../core/values/format-time.ts';
import { formatMoney } from '../core/values/money.ts';
import { columnsText } from './shown-text.ts';

export const reconcileReport = (result: Reconciled, timeZone: string): string => {
  const { frozen, before, after, asked, differences, unknown, unanswered } = result;
  const saidOf = (wanted: (status: UnstoredId['status']) => boolean) =>
    unknown.filter(({ status }) => wanted(status)).map(unknownText);
  return [
    frozen === undefined
      ? 'Charges work: no restore is waiting for this.'
      : `Restored from a backup of ${showTime(frozen.backupAtMs, timeZone)}.`,
    table(before, after),
    `Asked the payment service about ${asked} ${asked === 1 ? 'payment' : 'payments'}.`,
    ...section(
      'Different now:',
      differences.map(({ before: was, after: is }) => differenceText(was, is)),
    ),
    ...section(
      'Paid at the payment service, and missing here. A person must look at each:',
      saidOf((status) => status === 'completed'),
    ),
    ...section(
      'Known to the payment service, and missing here:',
      saidOf((status) => status !== 'completed' && status !== 'none'),
    ),
    ...section(
      'Missing here, and not known to the payment service:',
      saidOf((status) => status === 'none'),
    ),
    ...section(
      'Not answered:',
      unanswered.map(({ id, why }) => `${id}  ${why}`),
    ),
    conclusion(result),
  ].join('\n\n');
};

const conclusion = ({ frozen, lifted, unanswered, asked }: Reconciled): string => {
  if (unanswered.length > 0)
    return `Without an answer: ${unanswered.length} of ${asked} questions${frozen === undefined ? '' : ', so nothing is charged yet'}. Run it again: npm run reconcile`;
  if (frozen === undefined) return 'Every question was answered.';
  return lifted
    ? 'Every question was answered. Charges work again.'
    : 'Paythread was restored once more meanwhile. Run it again: npm run reconcile';
};

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [[title, ...lines.map((line) => `  ${line}`)].join('\n')];

const differenceText = (before: Payment, after: Payment): string =>
  `${after.id}  ${wordOf(before)} -> ${wordOf(after)}  ${formatMoney(after.terms.amount)}`;

const wordOf = ({ state, flag }: Payment): string =>
  flag === undefined ? state : `${state} (${flag})`;

const unknownText = ({ id, status, amount }: UnstoredId): string =>
  [
    id,
    ...(status === 'none' ? [] : [status]),
    ...(amount === undefined ? [] : [maskPhones(amount.slice(0, 40))]),
  ].join('  ');

type Row = readonly string[];

/** Counts and sums of every state and currency, before and after. */
const table = (before: StoreTally, after: StoreTally): string => {
  const keys = [...new Set([...rowsOf(before).keys(), ...rowsOf(after).keys()])].sort();
  if (keys.length === 0) return 'There are no payments.';
  const [was, is] = [rowsOf(before), rowsOf(after)];
  const rows = keys.map((key): Row => {
    const [state = '', currency = ''] = key.split('\t');
    const zero: Row = ['0', formatMoney({ amountMinor: 0, currency })];
    return [state, ...(was.get(key) ?? zero), ...(is.get(key) ?? zero)];
  });
  return columnsText([['', 'before', '', 'after', ''], ...rows]);
};

const rowsOf = (tally: StoreTally): Map<string, Row> =>
  new Map(
    tally.lines.map(({ what, currency, count, amountMinor }) => [
      `${what.replace('payment ', '')}\t${currency}`,
      [String(count), formatMoney({ amountMinor, currency })],
    ]),
  );
