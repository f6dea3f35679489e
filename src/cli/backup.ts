import type { Config } from '../config/config.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { EX_CONFIG, StartError } from '../core/runtime/errors.ts';
import { takeBackup } from '../core/store/sqlite/take-backup.ts';
import { showTime } from '../core/values/format-time.ts';
import { exampleText, type Printed, type ShellCommand } from './shell-command.ts';
import { countText, paymentsText, withoutPassword } from './shown-text.ts';

/** `paythread backup <folder>`: a copy of the store in DATA_DIR, while Paythread runs or not. */
export const backup: ShellCommand = (command, run) => {
  command
    .description(
      'Copies the store in DATA_DIR to a new folder and checks the copy, while Paythread runs or not. PostgreSQL is backed up with its own tools.',
    )
    .argument('<folder>', 'a new folder for the copy, best on another disk')
    .addHelpText('after', exampleText('backup /backup/paythread-2026-11-21'))
    .action((folder: string) => run(({ config }) => backUp(folder, config())));
};

const backUp = async (
  to: string,
  { dataDir: dir, databaseUrl, timeZone }: Config,
): Promise<Printed> => {
  if (databaseUrl !== undefined)
    throw new StartError(
      `PostgreSQL is backed up with its own tools, while Paythread runs: pg_dump --format=custom --file=paythread.dump "${withoutPassword(databaseUrl)}"`,
      EX_CONFIG,
    );
  const { folder, takenAtMs, rows, tally } = await takeBackup({ dir, to, clock: systemClock });
  return {
    text: `Backed up the store in ${dir} to ${folder}: everything up to ${showTime(takenAtMs, timeZone)}, ${countText(rows, 'row')} of the audit trail, ${paymentsText(tally)}. The copy was checked against its audit trail. It holds names and numbers, so encrypt it where it is kept; "npm run restore -- ${folder}" brings it back.`,
  };
};
