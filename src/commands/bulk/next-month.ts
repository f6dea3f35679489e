import type { ChargeRun } from '../../core/records/bulk.ts';
import { type CalendarDay, dateOf, dayAt, firstOfMonth } from '../../core/values/calendar-day.ts';
import { MONTH_NAMES, MONTHS, type Moment, monthName } from '../../core/values/format-time.ts';

type Dated = Pick<ChargeRun, 'terms' | 'confirmedAtMs'>;

/** The month that a run asked for: that of its round, else the one it was confirmed in. */
export const monthOf = ({ terms, confirmedAtMs }: Dated, timeZone: string): CalendarDay =>
  terms.round?.month ?? firstOfMonth(dayAt(confirmedAtMs, timeZone));

/** The month that a run is asked for next: not one that is over. */
export const nextMonthOf = (run: Dated, { nowMs, timeZone }: Moment): CalendarDay =>
  firstOfMonth(Math.max(monthOf(run, timeZone) + 31, dayAt(nowMs, timeZone)));

/** Of a reference; more is not shown to customers. */
const MOST_CHARACTERS = 60;
const NAMES = `(?:${[...MONTH_NAMES, ...MONTHS].join('|')})`;

/**
 * A reference of the month `from` for the month `to`: `Dues Dec 2026` becomes `Dues Jan 2027`, and `Room 12` `Room 12 Jan`. Any
 * other month stays, because it may be arrears or the name of a person, and so do months that are joined (`Nov-Dec`).
 */
export const referenceFor = (reference: string, from: CalendarDay, to: CalendarDay): string => {
  const [was, full] = [monthName(from), monthName(to)];
  const short = full.slice(0, 3);
  const [year, next] = [`${dateOf(from).year}`, `${dateOf(to).year}`];
  const alone = `(?<!\\b${NAMES}\\s?[-–/]\\s?)\\b(${was}|${was.slice(0, 3)})\\b(?!\\s?[-–/]\\s?${NAMES}\\b)`;
  const dated = new RegExp(`(?:\\b${year}\\W)?${alone}(?:\\W+${year}\\b)?`, 'gi');
  const named = reference.replace(dated, (whole: string, word: string) =>
    whole.replace(year, next).replace(word, word.length > 3 ? full : short),
  );
  if (named !== reference && named.length <= MOST_CHARACTERS) return named;
  const base = [...reference].slice(0, MOST_CHARACTERS - short.length - 1).join('');
  return `${base.trimEnd()} ${short}`;
};
