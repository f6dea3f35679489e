import { join } from 'node:path';
import { type Config, loadConfig } from './config.ts';
import { systemClock } from './core/clock.ts';
import { parseCustomerNumber } from './core/customer-number.ts';
import { EX_CONFIG, StartError } from './core/errors.ts';
import type { ForgetAnswer, ForgetRequest } from './core/forgetting/request.ts';
import { createLog } from './core/log.ts';
import { forgetInFolder } from './core/store/forget-in-folder.ts';
import { forgetReport } from './forget-report.ts';
import { runCommand, type Said } from './run-command.ts';
import { forgetInBooks } from './sandbox/forgotten-books.ts';
import { nameOfUser } from './user-name.ts';

/** Without it nothing is changed: a person can mistype, and what is erased is gone. */
const SURE = '--yes';

/** `npm run forget -- <number> [--yes]`: erases a customer's number and name, and keeps what was paid. */
const main = async (args: readonly string[]): Promise<Said> => {
  const words = args.filter((arg) => arg !== SURE);
  if (words.length === 0)
    throw new StartError(
      'Name the number of the customer. Example: npm run forget -- 0244123456',
      EX_CONFIG,
    );
  const config = loadConfig();
  const number = numberIn(words.join(' '), config.country);
  const name = nameOfUser();
  const answer = await forget(config, {
    number,
    who: { platform: 'terminal', id: name, name },
    isSure: args.includes(SURE),
    ...(config.pseudonymSecret === undefined ? {} : { key: config.pseudonymSecret }),
  });
  const { dataDir, databaseUrl, timeZone, payments } = config;
  if (answer.kind === 'forgotten' && payments.kind === 'sandbox')
    await forgetInBooks(join(dataDir, 'sandbox.json'), { number, pseudonym: answer.pseudonym });
  const place = databaseUrl === undefined ? dataDir : 'the database';
  return forgetReport(answer, { number, place, timeZone, nowMs: systemClock.now() });
};

const forget = async (
  { dataDir: dir, databaseUrl: url, secrets }: Config,
  request: ForgetRequest,
): Promise<ForgetAnswer> => {
  const clock = systemClock;
  if (url === undefined)
    return forgetInFolder({ dir, clock, log: createLog({ level: 'warn', secrets }) }, request);
  const { forgetInDatabase } = await import('./core/store/postgres/forget-in-database.ts');
  return forgetInDatabase({ url, clock }, request);
};

const numberIn = (text: string, country: string): string => {
  const number = parseCustomerNumber(text, country);
  if (number.ok) return number.value.e164;
  throw new StartError(number.problem.message, EX_CONFIG);
};

await runCommand(main);
