import { join } from 'node:path';
import { type Config, loadConfig } from '../config/config.ts';
import {
  type ForgetAnswer,
  type ForgetRequest,
  forget as forgetCustomer,
} from '../core/privacy/forget.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { createLog } from '../core/runtime/log.ts';
import { eraseInFolder } from '../core/store/sqlite/erase-in-sqlite.ts';
import { parseCustomerNumber } from '../core/values/customer-number.ts';
import { forgetInBooks } from '../sandbox/payment-ledger.ts';
import { forgetQuestion, forgetReport } from './forget-report.ts';
import {
  type Ask,
  exampleText,
  type Said,
  type ShellCommand,
  wrongUsage,
} from './shell-command.ts';
import { nameOfUser } from './user-name.ts';

type Options = {
  /** Only shows what there is. */
  readonly look?: true;
  /** A person at a terminal is asked first, who can mistype; with this, and in a script, nobody is. */
  readonly yes?: true;
};

/** `paythread forget <number> [--look | --yes]`: erases a customer's number and name, and keeps what was paid. */
export const forget: ShellCommand = (command, run) => {
  command
    .description(
      "Erases a customer's number and name from everything that is stored, history included. What was paid stays, under a pseudonym. At a terminal it asks first.",
    )
    .argument('<number...>', 'the number of the customer')
    .option('--look', 'only shows what there is')
    .option('--yes', 'erases without asking')
    .addHelpText('after', exampleText('forget 0244123456 --look', 'forget 0244123456'))
    .action((words: string[], options: Options) => run((ask) => forgetNumber(words, options, ask)));
};

const forgetNumber = async (
  words: readonly string[],
  options: Options,
  askPerson: Ask | undefined,
): Promise<Said> => {
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
  const isLook = options.look === true;
  const askYes = options.yes === true ? undefined : askPerson;
  const first = await forgetInStore(config, {
    ...request,
    isSure: !isLook && askYes === undefined,
  });
  const isAgreed =
    first.kind === 'found' && !isLook && (await agrees(askYes, forgetQuestion(first, about)));
  const answer = isAgreed ? await forgetInStore(config, { ...request, isSure: true }) : first;
  if (answer.kind === 'forgotten' && payments.kind === 'sandbox')
    await forgetInBooks(join(dataDir, 'sandbox.json'), { number, pseudonym: answer.pseudonym });
  return forgetReport(answer, about);
};

const agrees = async (ask: Ask | undefined, question: string): Promise<boolean> =>
  ask === undefined ? false : ask(question);

const forgetInStore = async (config: Config, request: ForgetRequest): Promise<ForgetAnswer> => {
  const { dataDir: dir, databaseUrl: url, secrets } = config;
  const clock = systemClock;
  if (url === undefined) {
    const log = createLog({ level: 'warn', secrets });
    return forgetCustomer(eraseInFolder({ dir, log }), request, clock);
  }
  const { eraseInDatabase } = await import('../core/store/postgres/erase-in-database.ts');
  return forgetCustomer(eraseInDatabase({ url, clock }), request, clock);
};

const numberIn = (text: string, country: string): string => {
  const number = parseCustomerNumber(text, country);
  if (number.ok) return number.value.e164;
  throw wrongUsage(number.problem.message);
};
