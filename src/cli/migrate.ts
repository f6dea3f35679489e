import { loadConfig } from '../config/config.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { EX_CONFIG, StartError } from '../core/runtime/errors.ts';
import { runCommand, type Said } from './run-command.ts';

const GRANT = '--grant';

/** `npm run migrate -- [--grant <role>]`: makes the tables as their owner, and lets another role work with them. */
const main = async (args: readonly string[]): Promise<Said> => {
  const { databaseUrl: url } = loadConfig();
  const [option, role, ...others] = args;
  const isRight = args.length === 0 || (option === GRANT && role !== undefined);
  if (!isRight || others.length > 0)
    throw new StartError('Usage: npm run migrate -- --grant <role>', EX_CONFIG);
  if (url === undefined)
    throw new StartError(
      'Set DATABASE_URL to the database, with its owner as the user.',
      EX_CONFIG,
    );
  const { migrateDatabase } = await import('../core/store/postgres/migrate-database.ts');
  await migrateDatabase(url, role, systemClock);
  return {
    text:
      role === undefined
        ? 'The tables are there.'
        : `The tables are there, and ${role} may work with them.`,
  };
};

await runCommand(main);
