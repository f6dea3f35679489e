import { type Period, periodWord } from '../../core/values/period.ts';
import { type Button, pressButton } from '../cards/card.ts';

export const EXPORT_VERB = 'csv';

/** Exports the payments of these days; whether the presser may, is asked then. */
export const exportButton = (days: Pick<Period, 'firstDay' | 'lastDay'>): Button =>
  pressButton('CSV', EXPORT_VERB, periodWord(days));
