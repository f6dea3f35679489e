import type { ChargeRun } from '../../core/records/bulk.ts';
import { type CalendarDay, dayAt, firstOfMonth } from '../../core/values/calendar-day.ts';
import { MONTH_NAMES, MONTHS, monthName } from '../../core/values/format-time.ts';

/** The month behind the one that a run asked for: that of its round, else the one it was confirmed in. */
export const monthAfter = (
  { terms, confirmedAtMs }: Pick<ChargeRun, 'terms' | 'confirmedAtMs'>,
  timeZone: string,
): CalendarDay => {
  const month = terms.round?.month ?? firstOfMonth(dayAt(confirmedAtMs, timeZone));
  return firstOfMonth(month + 31);
};

/** Of a reference; more is not shown to customers. */
const MOST_CHARACTERS = 60;
const NAMED = new RegExp(`\\b(?:${[...MONTH_NAMES, ...MONTHS].join('|')})\\b`, 'gi');

/** A reference for another month: `Dues Nov` becomes `Dues Dec`, and `Room 12` `Room 12 Dec`. */
export const referenceFor = (reference: string, month: CalendarDay): string => {
  const full = monthName(month);
  const short = full.slice(0, 3);
  const named = reference.replace(NAMED, (word) => (word.length > 3 ? full : short));
  if (named !== reference && named.length <= MOST_CHARACTERS) return named;
  const base = [...reference].slice(0, MOST_CHARACTERS - short.length - 1).join('');
  return `${base.trimEnd()} ${short}`;
};
