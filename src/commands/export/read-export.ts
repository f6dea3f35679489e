import type { PaymentFilter } from '../../core/records/payment.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import type { Moment } from '../../core/values/format-time.ts';
import { type Period, periodWord, showPeriod } from '../../core/values/period.ts';
import { type Button, pressButton } from '../cards/card.ts';
import { narrowedBy, parsePayments } from '../payments/parse-payments.ts';

/** Which payments are exported, and the same in words that stay true: `15 Nov 2026, completed`. */
export type ExportWish = { readonly filter: PaymentFilter; readonly words: string };

/** Reads `[when] [state]` as `/payments` does; without words, all payments are meant. */
export const readExport = (
  typed: string,
  moment: Moment,
  settings: { readonly country: string; readonly currency: string },
): Parsed<ExportWish> => {
  const query = parsePayments(typed, moment, settings);
  if (!query.ok) return wrong(query.problem.message, EXAMPLE);
  const { period, states, sought } = query.value;
  if (sought !== '')
    return wrong(`I can export days and states. I do not know "${sought.slice(0, 40)}".`, EXAMPLE);
  const words = [...(period === undefined ? [] : [showPeriod(period)]), ...states];
  return parsed({ filter: narrowedBy(query.value), words: words.join(', ') || 'all' });
};

export const EXPORT_VERB = 'csv';

/** Exports the payments of these days; whether the presser may, is asked then. */
export const exportButton = (days: Pick<Period, 'firstDay' | 'lastDay'>): Button =>
  pressButton('CSV', EXPORT_VERB, periodWord(days));

const EXAMPLE = '/export 1-15 Nov completed';
