import {
  type BulkRun,
  type ChargeFileTerms,
  countIn,
  hasRest,
  isOfSms,
  isUnsent,
  type RowState,
  type SmsFileTerms,
} from '../../core/records/bulk.ts';
import { UNPAID_STATES } from '../../core/records/payment.ts';
import { formatMoney } from '../../core/values/money.ts';
import { type CardPart, type Fact, part } from '../cards/card.ts';
import { customersText } from './file-facts.ts';

type RunWords = {
  /** `45 customers, GHS 3,380.00`, `45 SMS`. */
  readonly what: string;
  /** `44 of 45 paid · GHS 3,330.00`, `44 of 45 sent`. */
  readonly became: string;
  readonly doing: string;
  /** The same file was sent again. */
  readonly again: { readonly title: string; readonly text: string };
  readonly counts: readonly [Count, ...Count[]];
  readonly facts: readonly Fact[];
  /** In the place of `facts` when it is over. @default the same */
  readonly atEnd?: readonly Fact[];
  /** Of rows that a stop or pause holds back. */
  readonly notYet: string;
  readonly end?: CardPart;
};

export type Count = readonly [count: number, word: string];

export const wordsOf = (run: BulkRun): RunWords =>
  isOfSms(run.terms) ? smsWords(run, run.terms) : chargeWords(run, run.terms);

const chargeWords = (run: BulkRun, terms: ChargeFileTerms): RunWords => {
  const { tally, next, leftOut } = run;
  const ended = countIn(run, ['completed', 'unknown', ...UNPAID_STATES]);
  const paid = formatMoney({
    currency: terms.total.currency,
    amountMinor: tally.completed?.amountMinor ?? 0,
  });
  const total = formatMoney(terms.total);
  return {
    what: `${customersText(terms.rows)}, ${total}`,
    became: `${shareText(run, 'completed')} paid · ${paid}`,
    doing: 'Charging',
    again: chargedText(run, terms),
    counts: [
      [countIn(run, ['completed']), 'paid'],
      [Math.max(0, next - leftOut - ended), 'waiting'],
      ...stateCounts(run, ['unknown', 'failed', 'refused', 'not sent']),
      [leftOut, 'left out'],
    ],
    facts: [{ label: 'Paid', value: `${paid} of ${total}` }],
    atEnd: [{ label: 'Asked for', value: total }],
    notYet: 'not asked',
  };
};

/** What to do about a file that was sent again. */
const chargedText = (run: BulkRun, terms: ChargeFileTerms): RunWords['again'] => {
  const text = 'No row is charged twice.';
  const doing = { title: 'This file is being charged', text: `${text} Wait for its end.` };
  if (isUnsent(run)) return run.status === 'paused' ? pausedText(text) : doing;
  if (run.status !== 'stopped' || !hasRest(run))
    return {
      title: 'This file was charged already',
      text:
        run.endedAtMs !== undefined && terms.again === undefined
          ? `${text} For the next month press the button below. Or change the file.`
          : `${text} For another round change the file, such as its references.`,
    };
  return run.next === run.leftOut
    ? {
        title: 'This file was stopped before its first row',
        text: 'Nothing was charged. Press Ask again to charge it.',
      }
    : {
        title: 'This file was charged in part, then stopped',
        text: `${text} Press Ask again for the rest.`,
      };
};

const pausedText = (text: string): RunWords['again'] => ({
  title: 'This file is paused',
  text: `Press Resume for the rest. ${text}`,
});

const smsWords = (run: BulkRun, terms: SmsFileTerms): RunWords => {
  const { next, leftOut } = run;
  const answered = countIn(run, ['sent', 'unknown', 'refused', 'not sent']);
  return {
    what: `${terms.rows.toLocaleString('en')} SMS`,
    became: `${shareText(run, 'sent')} sent`,
    doing: 'Sending',
    again: sentText(run),
    counts: [
      [countIn(run, ['sent']), 'sent'],
      [Math.max(0, next - leftOut - answered), 'waiting'],
      [countIn(run, ['unknown']), 'not clear'],
      ...stateCounts(run, ['refused', 'not sent']),
      [leftOut, 'left out'],
    ],
    facts: [{ label: 'Template', value: `@${terms.template}` }],
    notYet: 'not written to',
    end: part.note('I cannot see if they arrived.'),
  };
};

const sentText = (run: BulkRun): RunWords['again'] => {
  const text = 'No one gets an SMS of it twice.';
  const doing = { title: 'This file is being sent', text };
  if (isUnsent(run)) return run.status === 'paused' ? pausedText(text) : doing;
  return {
    title: 'This file was sent already',
    text: `${text} For another round change the file or the template.`,
  };
};

const shareText = (run: BulkRun, state: RowState): string =>
  `${countIn(run, [state]).toLocaleString('en')} of ${run.terms.rows.toLocaleString('en')}`;

const stateCounts = (run: BulkRun, states: readonly RowState[]): Count[] =>
  states.map((state) => [countIn(run, [state]), state]);
