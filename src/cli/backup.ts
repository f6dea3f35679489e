import { loadConfig } from '../config/config.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { EX_CONFIG, StartError } from '../core/runtime/errors.ts';
import { createLog } from '../core/runtime/log.ts';
import { takeBackup } from '../core/store/take-backup.ts';
import { showTime } from '../core/values/format-time.ts';
import { runCommand, type Said } from './run-command.ts';
import { paymentsText } from './tally-text.ts';
import { withoutPassword } from './without-password.ts';

/** `npm run backup -- <new folder>`: a copy of the store in DATA_DIR, while Paythread runs or not. */
const main = async ([to, ...more]: readonly string[]): Promise<Said> => {
  const { dataDir: dir, databaseUrl, secrets, timeZone } = loadConfig();
  if (databaseUrl !== undefined)
    throw new StartError(
      `PostgreSQL is backed up with its own tools, while Paythread runs: pg_dump --format=custom --file=paythread.dump "${withoutPassword(databaseUrl)}"`,
      EX_CONFIG,
    );
  if (to === undefined || more.length > 0)
    throw new StartError(
      'Name one new folder for the backup. Example: npm run backup -- /backup/paythread-2026-11-21',
      EX_CONFIG,
    );
  const log = createLog({ level: 'warn', secrets });
  const { folder, takenAtMs, position, tally } = await takeBackup({
    dir,
    to,
    clock: systemClock,
    log,
  });
  const commits = position.seq.toLocaleString('en');
  return {
    text: `Backed up the store in ${dir} to ${folder}: everything up to ${showTime(takenAtMs, timeZone)}, ${commits} commits, ${paymentsText(tally)}. The copy was opened and checked against its journal. It holds names and numbers, so encrypt it where it is kept; "npm run restore -- ${folder}" brings it back.`,
  };
};

await runCommand(main);
