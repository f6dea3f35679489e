import { loadConfig } from '../config/config.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { StartError } from '../core/runtime/errors.ts';
import { maskerFor } from '../core/runtime/masking.ts';
import { examine } from './doctor/examination.ts';
import { reportText } from './doctor/report.ts';
import { startErrorText } from './start-error-text.ts';

/** Prints what it found. 0: nothing to correct, 1: findings; bad settings leave with 78 as they do at a start. */
const main = async (): Promise<number> => {
  const config = loadConfig();
  const mask = maskerFor(config.secrets);
  const reports = await examine(config, systemClock);
  process.stdout.write(String(mask(reportText(reports))));
  return reports.some(({ findings }) => findings.length > 0) ? 1 : 0;
};

try {
  process.exit(await main());
} catch (error) {
  if (!(error instanceof StartError)) throw error;
  process.stderr.write(startErrorText(error));
  process.exit(error.exitCode);
}
