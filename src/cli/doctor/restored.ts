import type { Config } from '../../config/config.ts';
import type { Setting } from '../../core/records/records.ts';
import { restoreMark } from '../../core/records/settings.ts';
import { showTime } from '../../core/values/format-time.ts';
import type { Findings } from './report.ts';

/** Whether charges wait because the store was restored. `setting` is the mark as it is stored. */
export const examineRestore = (
  setting: Setting | undefined,
  { timeZone }: Config,
  findings: Findings,
): void => {
  const mark = restoreMark.read(setting);
  if (mark === undefined || mark.liftedAtMs !== undefined) return;
  findings.wrong(
    `The store was restored from a backup of ${showTime(mark.backupAtMs, timeZone)}, so nothing is charged.`,
    'Run "npm run reconcile": it asks the payment service about everything that may have been lost.',
  );
};
