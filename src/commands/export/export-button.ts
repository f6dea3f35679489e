import type { Period } from '../../core/values/period.ts';
import { type Button, pressButton } from '../cards/card.ts';

export const EXPORT_VERB = 'csv';

/** Exports the payments of these days; whether the presser may, is asked then. */
export const exportButton = ({ firstDay, lastDay }: Pick<Period, 'firstDay' | 'lastDay'>): Button =>
  pressButton('CSV', EXPORT_VERB, `d${firstDay}-${lastDay}`);
