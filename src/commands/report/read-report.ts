import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import type { Moment } from '../../core/values/format-time.ts';
import { plainText } from '../../core/values/normalise-input.ts';
import { type Period, readPeriod } from '../../core/values/period.ts';
import { periodBefore, type Step } from '../../core/values/period-before.ts';

/** What the rows of a report are, by the words that name it; the first is the one that is shown. */
const GROUP_WORDS = {
  person: ['person', 'people'],
  network: ['network', 'networks'],
  day: ['day', 'days'],
  hour: ['hour', 'hours'],
  branch: ['branch', 'branches'],
  merchant: ['merchant', 'merchants'],
  option: ['option', 'options', 'payment option'],
} as const;
export type ReportGroup = keyof typeof GROUP_WORDS;

export const REPORT_GROUPS = Object.keys(GROUP_WORDS) as readonly ReportGroup[];

export type ReportWish = {
  readonly period: Period;
  /** What was asked for, where its days so far do not tell. */
  readonly called?: 'this week' | 'this month';
  readonly before: Period;
  readonly by?: ReportGroup;
  /** For all in the conversation, instead of for the caller alone. */
  readonly isHere: boolean;
};

/** More would take the store for too long. */
const MOST_DAYS = 731;

/** Reads `[when] [by …] [here]`; without a `when`, today is meant. */
export const readReport = (typed: string, moment: Moment): Parsed<ReportWish> => {
  let words = plainText(typed).trim().toLowerCase();
  const isHere = /(?:^| )here$/.test(words);
  if (isHere) words = words.slice(0, -'here'.length).trim();
  const [, before = '', named] = /^(?:(.*?) )?by (.+)$/.exec(words) ?? [];
  const by = REPORT_GROUPS.find((group) =>
    (GROUP_WORDS[group] as readonly string[]).includes(named ?? ''),
  );
  if (named !== undefined && by === undefined)
    return wrong(`I cannot report by "${named.slice(0, 40)}".`, '/report week by person');
  const when = (named === undefined ? words : before) || 'today';
  const period = readPeriod(when, moment);
  if (period === undefined)
    return wrong(`I can report days. I do not know "${when.slice(0, 40)}".`, EXAMPLE);
  if (!period.ok) return wrong(period.problem.message, EXAMPLE);
  const { firstDay, lastDay } = period.value;
  if (lastDay - firstDay >= MOST_DAYS)
    return wrong('A report has two years at most. Name fewer days.', EXAMPLE);
  const { called, step = 'its days' } = CALLED[when] ?? {};
  return parsed({
    period: period.value,
    ...(called === undefined ? {} : { called }),
    before: periodBefore(period.value, step, moment),
    ...(by === undefined ? {} : { by }),
    isHere,
  });
};

const CALLED: Readonly<Record<string, { called: NonNullable<ReportWish['called']>; step: Step }>> =
  {
    week: { called: 'this week', step: 'a week' },
    month: { called: 'this month', step: 'a month' },
  };

const EXAMPLE = '/report 1-15 Nov by day';
