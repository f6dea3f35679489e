import { join } from 'node:path';
import { type Config, loadConfig } from '../config/config.ts';
import type { ForgetAnswer, ForgetRequest } from '../core/privacy/request.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { EX_CONFIG, StartError } from '../core/runtime/errors.ts';
import { createLog } from '../core/runtime/log.ts';
import { forgetInFolder } from '../core/store/forget-in-folder.ts';
import { parseCustomerNumber } from '../core/values/customer-number.ts';
import { forgetInBooks } from '../sandbox/forgotten-books.ts';
import { forgetQuestion, forgetReport } from './forget-report.ts';
import { type Ask, runCommand, type Said } from './run-command.ts';
import { nameOfUser } from './user-name.ts';

/** Only shows what there is. */
const LOOK = '--look';
/** A person at a terminal is asked first, who can mistype; with this, and in a script, nobody is. */
const SURE = '--yes';

/** `npm run forget -- <number> [--look | --yes]`: erases a customer's number and name, and keeps what was paid. */
const main = async (args: readonly string[], askPerson: Ask | undefined): Promise<Said> => {
  const words = args.filter((arg) => arg !== SURE && arg !== LOOK);
  if (words.length === 0)
    throw new StartError(
      'Name the number of the customer. Example: npm run forget -- 0244123456',
      EX_CONFIG,
    );
  const config = loadConfig();
  const number = numberIn(words.join(' '), config.country);
  const name = nameOfUser();
  const { dataDir, databaseUrl, timeZone, payments } = config;
  const place = databaseUrl === undefined ? dataDir : 'the database';
  const about = { number, place, timeZone, nowMs: systemClock.now() };
  const request = {
    number,
    who: { platform: 'terminal', id: name, name },
    ...(config.pseudonymSecret === undefined ? {} : { key: config.pseudonymSecret }),
  };
  const isLook = args.includes(LOOK);
  const askYes = args.includes(SURE) ? undefined : askPerson;
  const first = await forget(config, { ...request, isSure: !isLook && askYes === undefined });
  const isAgreed =
    first.kind === 'found' && !isLook && (await agrees(askYes, forgetQuestion(first, about)));
  const answer = isAgreed ? await forget(config, { ...request, isSure: true }) : first;
  if (answer.kind === 'forgotten' && payments.kind === 'sandbox')
    await forgetInBooks(join(dataDir, 'sandbox.json'), { number, pseudonym: answer.pseudonym });
  return forgetReport(answer, about);
};

const agrees = async (ask: Ask | undefined, question: string): Promise<boolean> =>
  ask === undefined ? false : ask(question);

const forget = async (
  { dataDir: dir, databaseUrl: url, secrets }: Config,
  request: ForgetRequest,
): Promise<ForgetAnswer> => {
  const clock = systemClock;
  if (url === undefined)
    return forgetInFolder({ dir, clock, log: createLog({ level: 'warn', secrets }) }, request);
  const { forgetInDatabase } = await import('../core/store/postgres/forget-in-database.ts');
  return forgetInDatabase({ url, clock }, request);
};

const numberIn = (text: string, country: string): string => {
  const number = parseCustomerNumber(text, country);
  if (number.ok) return number.value.e164;
  throw new StartError(number.problem.message, EX_CONFIG);
};

await runCommand(main);
