import type { Config } from '../config/config.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { EX_CONFIG, StartError } from '../core/runtime/errors.ts';
import { type Moved, moveStore } from '../core/store/postgres/move-store.ts';
import type { TallyLine } from '../core/store/store-tally.ts';
import { formatMoney } from '../core/values/money.ts';
import type { Printed, ShellCommand } from './shell-command.ts';
import { columnsText } from './shown-text.ts';

/** `paythread migrate-store`: what is in DATA_DIR goes to DATABASE_URL. Paythread must not run meanwhile. */
export const migrateStore: ShellCommand = (command, run) => {
  command
    .description(
      'Moves the payments in DATA_DIR to DATABASE_URL while Paythread is stopped, and compares both sides. It moves everything or nothing.',
    )
    .action(() => run(({ config }) => move(config())));
};

const move = async ({ dataDir: dir, databaseUrl: url }: Config): Promise<Printed> => {
  if (url === undefined)
    throw new StartError(
      'DATABASE_URL is not set. Set it to the database that the payments in DATA_DIR shall move to.',
      EX_CONFIG,
    );
  const moved = await moveStore({ dir, url, clock: systemClock });
  return { text: `${table(moved)}\n\n${conclusion(moved, dir)}` };
};

const conclusion = ({ now }: Moved, dir: string): string =>
  now
    ? `Everything was moved, and both sides agree. Start Paythread with DATABASE_URL set. ${dir} is a backup now and nothing starts from it any more.`
    : `This folder had been moved before; the database has what the table says. Start Paythread with DATABASE_URL set.`;

const table = ({ now, folder, database }: Moved): string => {
  const head = ['', ...(now ? ['folder', 'database'] : ['database']), 'amount'];
  const rows = database.lines.map((line, at) => {
    const counts = now ? [folder.lines[at]?.count ?? 0, line.count] : [line.count];
    return [line.what, ...counts.map(String), amountOf(line)];
  });
  return columnsText([head, ...rows]);
};

const amountOf = ({ currency, amountMinor }: TallyLine): string =>
  currency === '' ? '' : formatMoney({ currency, amountMinor });
