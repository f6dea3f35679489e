import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import type { Moment } from '../../core/values/format-time.ts';
import { plainText } from '../../core/values/normalise-input.ts';
import { type Period, periodAmong } from '../../core/values/period.ts';
import { periodBefore } from '../../core/values/period-before.ts';
import type { SumGroup } from '../figures/sums-by-group.ts';

/** What the rows of a report are, by the words that name it; the first is the one that is shown. */
const GROUP_WORDS: Readonly<Record<SumGroup, readonly string[]>> = {
  person: ['person', 'people'],
  network: ['network', 'networks'],
  day: ['day', 'days'],
  hour: ['hour', 'hours'],
  branch: ['branch', 'branches'],
  merchant: ['merchant', 'merchants'],
  option: ['option', 'options', 'payment option'],
};

export const REPORT_GROUPS = Object.keys(GROUP_WORDS) as readonly SumGroup[];

export type ReportWish = {
  readonly period: Period;
  /** What was asked for, where its days do not tell: `last week`. */
  readonly called?: string;
  readonly before: Period;
  readonly by?: SumGroup;
  /** For all in the conversation, instead of for the caller alone. */
  readonly isHere: boolean;
};

/** More would take the store for too long. */
const MOST_DAYS = 731;

/** Reads `[when] [by …] [here]` in any order; without a `when`, today is meant. */
export const readReport = (typed: string, moment: Moment): Parsed<ReportWish> => {
  const words = plainText(typed).split(' ');
  const when = periodAmong(words, moment) ?? periodAmong(['today', ...words], moment);
  if (when === undefined) throw new Error('"today" names no period');
  const isHere = when.rest.some(isHereWord);
  const others = when.rest.filter((word) => !isHereWord(word)).join(' ');
  if (!when.value.ok) return wrong(when.value.problem.message, EXAMPLE);
  const [, before = '', named] = /^(?:(.*?) )?by (.+)$/i.exec(others) ?? [];
  const unknown = named === undefined ? others : before;
  if (unknown !== '')
    return wrong(`I can report days. I do not know "${unknown.slice(0, 40)}".`, EXAMPLE);
  const by = REPORT_GROUPS.find((group) => GROUP_WORDS[group].includes(named?.toLowerCase() ?? ''));
  if (named !== undefined && by === undefined)
    return wrong(`I cannot report by "${named.slice(0, 40)}".`, '/report week by person');
  const { firstDay, lastDay, step = 'its days' } = when.value.value;
  if (lastDay - firstDay >= MOST_DAYS)
    return wrong('A report has two years at most. Name fewer days.', EXAMPLE);
  const [, which = 'this', part] = /^(?:(this|last) )?(week|month)$/i.exec(when.words) ?? [];
  return parsed({
    period: when.value.value,
    ...(part === undefined ? {} : { called: `${which} ${part}`.toLowerCase() }),
    before: periodBefore(when.value.value, step, moment),
    ...(by === undefined ? {} : { by }),
    isHere,
  });
};

const isHereWord = (word: string): boolean => word.toLowerCase() === 'here';

const EXAMPLE = '/report 1-15 Nov by day';
