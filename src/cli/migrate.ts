import type { Config } from '../config/config.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { EX_CONFIG, StartError } from '../core/runtime/errors.ts';
import { exampleText, type Printed, type ShellCommand } from './shell-command.ts';

/** `paythread migrate [--grant <role>]`: makes the tables as their owner, and lets another role work with them. */
export const migrate: ShellCommand = (command, run) => {
  command
    .description(
      'Makes or updates the tables in DATABASE_URL, whose user has to own them. Paythread does the same at its start when its own role owns the tables.',
    )
    .option('--grant <role>', 'lets the role that Paythread connects with work with the tables')
    .addHelpText('after', exampleText('migrate --grant paythread_app'))
    .action(({ grant }: { grant?: string }) =>
      run(({ config }) => migrateAndGrant(grant, config())),
    );
};

const migrateAndGrant = async (
  role: string | undefined,
  { databaseUrl: url }: Config,
): Promise<Printed> => {
  if (url === undefined)
    throw new StartError(
      'Set DATABASE_URL to the database, with its owner as the user.',
      EX_CONFIG,
    );
  const { migrateDatabase } = await import('../core/store/postgres/prepare-database.ts');
  await migrateDatabase(url, role, systemClock);
  const granted = role === undefined ? '' : `, and ${role} may work with them`;
  return { text: `The tables are there${granted}.` };
};
