import type { Payment } from '../core/records/payment.ts';
import type { Difference, Reconciled, UnstoredId } from '../core/recovery/reconciliation.ts';
import { maskPhones } from '../core/runtime/masking.ts';
import type { StoreTally } from '../core/store/store-tally.ts';
import { showTime } from '../core/values/format-time.ts';
import { formatMoney } from '../core/values/money.ts';
import { columnsText } from './shown-text.ts';

export const reconcileReport = (result: Reconciled, timeZone: string): string => {
  const { frozen, before, after, asked, unknown } = result;
  const different = result.differences.map(differenceText);
  const unanswered = result.unanswered.map(({ id, why }) => `${id}  ${why}`);
  const paid = unknown.filter(({ status }) => status === 'completed');
  const known = unknown.filter(({ status }) => status !== 'completed' && status !== 'none');
  const none = unknown.filter(({ status }) => status === 'none');
  return [
    frozen === undefined
      ? 'Charges work: no restore is waiting for this.'
      : `Restored from a backup of ${showTime(frozen.backupAtMs, timeZone)}.`,
    table(before, after),
    `Asked the payment service about ${asked} ${asked === 1 ? 'payment' : 'payments'}.`,
    ...section('Different now:', different),
    ...section(
      'Paid at the payment service, and missing here. A person must look at each:',
      paid.map(unknownText),
    ),
    ...section('Known to the payment service, and missing here:', known.map(unknownText)),
    ...section('Missing here, and not known to the payment service:', none.map(unknownText)),
    ...section('Not answered:', unanswered),
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

const differenceText = ({ before, after }: Difference): string =>
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
  const [was, is] = [rowsOf(before), rowsOf(after)];
  const keys = [...new Set([...was.keys(), ...is.keys()])].sort();
  if (keys.length === 0) return 'There are no payments.';
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
