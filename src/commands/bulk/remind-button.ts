import { type BulkRun, countIn, isChargeRun } from '../../core/records/bulk.ts';
import { UNPAID_STATES } from '../../core/records/payment.ts';
import { type Button, pressButton } from '../cards/card.ts';
import { settingsOf } from '../merchants.ts';
import { isSetUp, type SmsSettings } from '../sms/text-buttons.ts';

/** Reminds the customers of a file who have not paid, as far as it is counted; the dry run says how many it is. */
export const remindButton = (run: BulkRun, settings: SmsSettings): Button | undefined => {
  if (!isChargeRun(run)) return undefined;
  const unpaid = countIn(run, ['pending', ...UNPAID_STATES]);
  const isOn = isSetUp('reminder', settingsOf(settings, run.terms.merchant));
  return unpaid === 0 || !isOn
    ? undefined
    : pressButton(`Remind ${unpaid.toLocaleString('en')}`, 'sms-remind', run.id);
};
