import { type BulkRun, isUnsent } from '../../core/records/bulk.ts';
import type { PaymentState } from '../../core/records/payment.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type Card, cardOf, joined, part, pressButton, type Tone } from '../cards/card.ts';
import type { Services } from '../command.ts';
import { counted, customersText } from './file-facts.ts';

/** States without success that are worth asking again. */
export const UNPAID: readonly PaymentState[] = ['failed', 'refused', 'not sent'];

/** A longer chain of runs is a mistake. */
const MOST_RUNS = 50;

/** The last of the runs that a file had; undefined: it had none. */
export const newestRun = async (
  { bulkRuns }: Pick<Services, 'bulkRuns'>,
  id: string,
): Promise<BulkRun | undefined> => {
  let last = await bulkRuns.get(id);
  for (let at = 0; last?.againAs !== undefined && at < MOST_RUNS; at++)
    last = (await bulkRuns.get(last.againAs)) ?? last;
  return last;
};

/** `same file`: a private answer to a file that was sent again. */
export const runCard = (run: BulkRun, why?: 'same file'): Card => {
  const { terms, fileName } = { terms: run.terms, fileName: run.terms.fileName };
  return cardOf(
    why === undefined ? titleOf(run) : 'This file was charged already',
    [
      why === undefined
        ? undefined
        : part.text(
            'No row is charged twice. For another round change the file, such as its references.',
          ),
      part.text(progressText(run)),
      part.facts(
        { label: 'File', value: fileName },
        { label: 'Paid', value: `${formatMoney(paidMoney(run))} of ${formatMoney(terms.total)}` },
      ),
      haltText(run) === undefined ? undefined : part.text(haltText(run) ?? ''),
    ],
    { tone: toneOf(run), buttons: buttonsOf(run) },
  );
};

/** The message at the end, which calls the requester. */
export const runEndCard = (run: BulkRun): Card => ({
  ...cardOf(
    titleOf(run),
    [part.text(progressText(run)), part.text(`${formatMoney(paidMoney(run))} was paid.`)],
    {
      tone: toneOf(run),
      buttons: buttonsOf(run),
    },
  ),
  mention: run.requester,
});

/** `28 of 45 · 20 paid · 6 waiting · 2 failed` */
const progressText = (run: BulkRun): string => {
  const { tally, next, leftOut, terms } = run;
  const count = (state: PaymentState): number => tally[state]?.count ?? 0;
  const asked = next - leftOut;
  const ended = UNPAID.reduce((sum, state) => sum + count(state), count('completed'));
  const parts: [number, string][] = [
    [count('completed'), 'paid'],
    [Math.max(0, asked - ended - count('unknown')), 'waiting'],
    [count('unknown'), 'unknown'],
    [count('failed'), 'failed'],
    [count('refused'), 'refused'],
    [count('not sent'), 'not sent'],
    [leftOut, 'left out'],
  ];
  const shown = parts.filter(([some], at) => some > 0 || at === 0);
  return [
    `${next.toLocaleString('en')} of ${terms.rows.toLocaleString('en')}`,
    ...shown.map(([some, word]) => `${some.toLocaleString('en')} ${word}`),
  ].join(' · ');
};

const paidMoney = ({ tally, terms }: BulkRun) => ({
  currency: terms.total.currency,
  amountMinor: tally.completed?.amountMinor ?? 0,
});

const titleOf = (run: BulkRun): string => {
  const what = `${customersText(run.terms.rows)}, ${formatMoney(run.terms.total)}`;
  if (run.status === 'stopped') return `Stopped: ${what}`;
  if (run.endedAtMs !== undefined) return `Done: ${what}`;
  return run.status === 'paused' && isUnsent(run) ? `Paused: ${what}` : `Charging ${what}`;
};

const haltText = (run: BulkRun): string | undefined => {
  const { status, by, why, next, terms } = run;
  if (status === 'running') return undefined;
  const who = by === undefined ? undefined : `By ${by.name}.`;
  const left = terms.rows - next;
  if (left === 0) return joined(who, why);
  return joined(who, why, `${counted(left, 'row')} ${left === 1 ? 'is' : 'are'} not asked for.`);
};

const toneOf = (run: BulkRun): Tone | undefined => {
  if (run.status === 'paused' || run.status === 'stopped') return 'warning';
  return run.endedAtMs === undefined ? 'waiting' : 'good';
};

const buttonsOf = (run: BulkRun) => {
  const { id, status, endedAtMs, againAs } = run;
  const pause =
    status === 'paused'
      ? pressButton('Resume', 'bulk-resume', id, { style: 'primary' })
      : pressButton('Pause', 'bulk-pause', id);
  return [
    ...(isUnsent(run)
      ? [pause, pressButton('Stop', 'bulk-stop', id, { style: 'danger' as const })]
      : []),
    run.next > 0 ? pressButton('Result', 'bulk-result', id) : undefined,
    endedAtMs !== undefined && againAs === undefined && hasUnpaid(run)
      ? pressButton('Ask again', 'bulk-again', id)
      : undefined,
  ];
};

/** Whether rows are left that may be asked for once more. */
const hasUnpaid = ({ tally, next, terms, isRestored }: BulkRun): boolean =>
  UNPAID.some((state) => (tally[state]?.count ?? 0) > 0) ||
  (next < terms.rows && isRestored !== true);
