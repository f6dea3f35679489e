import type { Config } from '../config/config.ts';
import { suspensionList } from '../core/records/stored-values.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { EX_CONFIG, StartError } from '../core/runtime/errors.ts';
import { createLog } from '../core/runtime/log.ts';
import { restoreBackup } from '../core/store/sqlite/restore-backup.ts';
import { showTime } from '../core/values/format-time.ts';
import { readStored } from './read-store.ts';
import { exampleText, type Printed, type ShellCommand } from './shell-command.ts';
import { countText, paymentsText, stoppedText, withoutPassword } from './shown-text.ts';

/** `paythread restore <folder>`: the store goes on from a backup, and charges wait for `paythread reconcile`. */
export const restore: ShellCommand = (command, run) => {
  command
    .description(
      'Puts a backup back into DATA_DIR while Paythread is stopped. Nothing is charged afterwards until reconcile has asked the payment service about everything.',
    )
    .argument('<folder>', 'the folder of the backup')
    .addHelpText('after', exampleText('restore /backup/paythread-2026-11-21'))
    .action((folder: string) => run(({ config }) => restoreFrom(folder, config())));
};

const restoreFrom = async (from: string, config: Config): Promise<Printed> => {
  const { dataDir: dir, databaseUrl, secrets, timeZone } = config;
  if (databaseUrl !== undefined)
    throw new StartError(
      `PostgreSQL is restored with its own tools, with every instance stopped: pg_restore --clean --if-exists --dbname="${withoutPassword(databaseUrl)}" paythread.dump. Paythread notices it by itself; then run "npm run reconcile".`,
      EX_CONFIG,
    );
  const log = createLog({ level: 'warn', secrets });
  const { mark, rows, tally } = await restoreBackup({ from, dir, clock: systemClock, log });
  const stopped = (await readStored(config, suspensionList)) ?? [];
  return {
    text: `Restored ${dir} from the backup of ${showTime(mark.backupAtMs, timeZone)}: ${countText(rows, 'row')} of the audit trail, ${paymentsText(tally)}. What was paid after the backup is not in it, so nothing is charged until "npm run reconcile" has asked the payment service about everything. Run that now, and then start Paythread.\n\n${stoppedText(stopped)}`,
  };
};
