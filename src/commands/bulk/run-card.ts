import type { MessageContent } from '../../core/notices/message-content.ts';
import {
  type BulkRun,
  commandOf,
  countIn,
  hasRest,
  isChargeRun,
  isUnsent,
} from '../../core/records/bulk.ts';
import { UNPAID_STATES } from '../../core/records/payment.ts';
import { monthName } from '../../core/values/format-time.ts';
import {
  type Button,
  type Card,
  type CardPart,
  cardOf,
  joined,
  linkButton,
  part,
  personFact,
  pressButton,
  type Tone,
} from '../cards/card.ts';
import { momentOf } from '../command.ts';
import { settingsOf } from '../merchants.ts';
import { isSetUp, type SmsSettings } from '../sms/text-buttons.ts';
import { counted } from './file-facts.ts';
import { nextMonthOf } from './next-month.ts';
import { type Count, wordsOf } from './run-words.ts';

/** Where a card is shown: what its buttons depend on. */
export type RunShown = Parameters<typeof momentOf>[0] & { readonly settings: SmsSettings };

/** `same file`: a private answer to a file that was sent again. */
export const runCard = (run: BulkRun, shown: RunShown, why?: 'same file'): Card => {
  const { again, facts, atEnd = facts } = wordsOf(run);
  const halted = haltText(run);
  const isShort = why === undefined && run.endedAtMs !== undefined;
  return cardOf(
    why === undefined ? titleOf(run) : again.title,
    [
      why === undefined ? undefined : part.text(again.text),
      isShort ? restPart(run) : part.text(progressText(run)),
      part.facts({ label: 'File', value: run.terms.fileName }, ...(isShort ? atEnd : facts)),
      halted === undefined ? undefined : part.text(halted),
    ],
    { tone: toneOf(run), buttons: buttonsOf(run, shown) },
  );
};

/** The message at the end, which calls the requester. */
export const runEndCard = (run: BulkRun, shown: RunShown): Card =>
  cardOf(titleOf(run), [restPart(run), wordsOf(run).end], {
    tone: toneOf(run),
    mention: run.requester,
    buttons: buttonsOf(run, shown),
  });

/** What the operators get: how many payments of the run need a person, edited as they become more. */
export const runAlertCard = (
  { run, waiting, inConflict }: Extract<MessageContent, { kind: 'run alert' }>,
  link: string | undefined,
): Card => {
  const { requester, terms } = run;
  const conflicts = counted(inConflict, 'payment');
  return cardOf(
    waiting > 0
      ? `${counted(waiting, 'payment')} of ${terms.fileName} ${waiting === 1 ? 'has' : 'have'} no outcome`
      : `In conflict: ${conflicts} of ${terms.fileName}`,
    [
      waiting > 0 && inConflict > 0 ? part.text(`In conflict: ${conflicts}.`) : undefined,
      waiting > 0 ? part.text('The customers may still pay.') : undefined,
      part.text('Press Result on the card for the rows. Then ask the payment service.'),
      part.facts(personFact('Asked by', requester)),
    ],
    { tone: 'warning', buttons: [linkButton('See the card', link)] },
  );
};

/** `28 of 45 · 20 paid · 6 waiting · 2 failed` */
const progressText = (run: BulkRun): string => {
  const [[some, word], ...others] = wordsOf(run).counts;
  const asked = `${run.next.toLocaleString('en')} of ${run.terms.rows.toLocaleString('en')}`;
  return [asked, `${some.toLocaleString('en')} ${word}`, ...countTexts(others)].join(' · ');
};

/** At the end, when the title has the first of the counts; undefined: there are no others. */
const restPart = (run: BulkRun): CardPart | undefined => {
  const [, ...others] = wordsOf(run).counts;
  const shown = countTexts(others);
  return shown.length === 0 ? undefined : part.text(shown.join(' · '));
};

const countTexts = (counts: readonly Count[]): string[] =>
  counts.flatMap(([some, word]) => (some === 0 ? [] : [`${some.toLocaleString('en')} ${word}`]));

const titleOf = (run: BulkRun): string => {
  const { what, became, doing } = wordsOf(run);
  const isOver = run.endedAtMs !== undefined;
  if (run.status === 'stopped') return `Stopped: ${isOver ? became : what}`;
  if (isOver) return became;
  return run.status === 'paused' && isUnsent(run) ? `Paused: ${what}` : `${doing} ${what}`;
};

const haltText = (run: BulkRun): string | undefined => {
  const { status, by, why, next, terms } = run;
  if (status === 'running') return undefined;
  const verb = status === 'paused' ? 'Paused' : 'Stopped';
  const who = by === undefined ? undefined : `${verb} by ${by.name}.`;
  const left = terms.rows - next;
  if (left === 0) return joined(who, why);
  const yet = status === 'paused' ? ' yet' : '';
  const rows = `${counted(left, 'customer')} ${wordsOf(run).notYet}${yet}.`;
  return joined(who, why, rows);
};

const toneOf = (run: BulkRun): Tone | undefined => {
  if (run.status === 'paused' || run.status === 'stopped') return 'warning';
  if (run.endedAtMs === undefined) return 'waiting';
  return countIn(run, ['completed', 'sent']) < run.terms.rows ? 'warning' : 'good';
};

const buttonsOf = (run: BulkRun, shown: RunShown) => {
  const { id, status, endedAtMs, againAs, terms } = run;
  const verb = commandOf(terms);
  const pause =
    status === 'paused'
      ? pressButton('Resume', `${verb}-resume`, id, { style: 'primary' })
      : pressButton('Pause', `${verb}-pause`, id);
  return [
    ...(isUnsent(run)
      ? [pause, pressButton('Stop', `${verb}-stop`, id, { style: 'danger' as const })]
      : []),
    run.next > 0 ? pressButton('Result', `${verb}-result`, id) : undefined,
    ...(endedAtMs !== undefined && againAs === undefined
      ? [againButton(run), remindButton(run, shown.settings)]
      : []),
    endedAtMs === undefined ? undefined : nextMonthButton(run, shown),
  ];
};

/** Asks for the charges that may be asked for once more. */
const againButton = (run: BulkRun): Button | undefined =>
  isChargeRun(run) && (countIn(run, UNPAID_STATES) > 0 || hasRest(run))
    ? pressButton('Ask again', 'bulk-again', run.id)
    : undefined;

/** Reminds the customers who have not paid, as far as they are counted; the dry run says how many they are. */
export const remindButton = (run: BulkRun, settings: SmsSettings): Button | undefined => {
  if (!isChargeRun(run) || isUnsent(run)) return undefined;
  const unpaid = countIn(run, ['pending', ...UNPAID_STATES]);
  const isOn = isSetUp('reminder', settingsOf(settings, run.terms.merchant));
  return unpaid === 0 || !isOn
    ? undefined
    : pressButton(`Remind ${unpaid.toLocaleString('en')}`, 'sms-remind', run.id);
};

/** Asks for all rows of a file once more; of another try for its rest, the file's own card has it. */
const nextMonthButton = (run: BulkRun, shown: RunShown): Button | undefined => {
  if (!isChargeRun(run) || run.terms.again !== undefined || run.next === 0) return undefined;
  const these = run.terms.rows === 1 ? 'this 1' : `these ${run.terms.rows.toLocaleString('en')}`;
  const label = `Ask ${these} again for ${monthName(nextMonthOf(run, momentOf(shown)))}`;
  return pressButton(label, 'bulk-round', run.id);
};
