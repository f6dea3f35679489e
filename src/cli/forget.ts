import { join } from 'node:path';
import { nameFor } from '../commands/cards/visibility.ts';
import type { Config } from '../config/config.ts';
import type { Found } from '../core/privacy/customer-records.ts';
import {
  type ForgetAnswer,
  type ForgetRequest,
  forget as forgetCustomer,
} from '../core/privacy/forget.ts';
import { minorIn } from '../core/records/payment-figures.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { defined } from '../core/runtime/defined.ts';
import { createLog } from '../core/runtime/log.ts';
import { eraseInFolder } from '../core/store/sqlite/open-sqlite-store.ts';
import { maskNumber, parseCustomerNumber } from '../core/values/customer-number.ts';
import { showDate, showTime } from '../core/values/format-time.ts';
import { formatMoney, type Money } from '../core/values/money.ts';
import { forgetInBooks } from '../sandbox/payment-ledger.ts';
import {
  exampleText,
  type Printed,
  personAtShell,
  type ShellCommand,
  type ShellSession,
  wrongUsage,
} from './shell-command.ts';
import { countText } from './shown-text.ts';

type Options = { readonly look?: true; readonly yes?: true };

/**
 * `paythread forget [number] [--look | --yes]`: erases a customer's number and name, and keeps what was paid. Arguments
 * stay in npm's log and the shell's history, so the number is better typed at the prompt or piped in.
 */
export const forget: ShellCommand = (command, run) => {
  command
    .description(
      "Erases a customer's number and name from everything that is stored, history included. What was paid stays, under a pseudonym. At a terminal it asks for the number and before it erases; else it reads the number from standard input.",
    )
    .argument('[number...]', "the customer's number; npm keeps in its log what is typed here")
    .option('--look', 'only shows what there is')
    .option('--yes', 'erases without asking')
    .addHelpText('after', exampleText('forget --look', 'forget'))
    .action((words: string[], options: Options) =>
      run((session) => forgetNumber(words, options, session)),
    );
};

const forgetNumber = async (
  words: readonly string[],
  options: Options,
  session: ShellSession,
): Promise<Printed> => {
  const config = session.config();
  const typed = words.length > 0 ? words.join(' ') : await session.line("The customer's number: ");
  const read = parseCustomerNumber(typed, config.country);
  if (!read.ok) throw wrongUsage(read.problem.message);
  const number = read.value.e164;
  const { dataDir, databaseUrl, timeZone, payments } = config;
  const place = databaseUrl === undefined ? dataDir : 'the database';
  const about = { number, place, timeZone, nowMs: systemClock.now() };
  const request = { number, who: personAtShell(), ...defined({ key: config.pseudonymSecret }) };
  const isLook = options.look === true;
  const askYes = options.yes === true ? undefined : session.ask;
  const first = await forgetInStore(config, {
    ...request,
    isSure: !isLook && askYes === undefined,
  });
  const isAgreed =
    first.kind === 'found' && !isLook && (await askYes?.(forgetQuestion(first, about))) === true;
  const answer = isAgreed ? await forgetInStore(config, { ...request, isSure: true }) : first;
  if (answer.kind === 'forgotten' && payments.kind === 'sandbox')
    await forgetInBooks(join(dataDir, 'sandbox.json'), { number, pseudonym: answer.pseudonym });
  return forgetReport(answer, about);
};

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

type AnswerOf<Kind extends ForgetAnswer['kind']> = Extract<ForgetAnswer, { kind: Kind }>;

type About = {
  readonly number: string;
  readonly place: string;
  readonly timeZone: string;
  readonly nowMs: number;
};

/** What `npm run forget` says. Never the whole number, and no whole name: both would stay in the terminal's scrollback. */
const forgetReport = (answer: ForgetAnswer, about: About): Printed => {
  const number = maskNumber(about.number);
  switch (answer.kind) {
    case 'unknown':
      return { text: `Nothing about ${number} is stored in ${about.place}.` };
    case 'wait':
      return { text: waitText(answer, about), exitCode: 1 };
    case 'found':
      return {
        text: `Stored about ${foundText(answer.found, about)}\n\nNothing was changed. To erase number and name for good, run the same without --look; what was paid stays, under a pseudonym.`,
      };
    case 'forgotten':
      return { text: forgottenText(answer, about) };
  }
};

/** Asked before erasing: the number may be mistyped. */
const forgetQuestion = ({ found }: AnswerOf<'found'>, about: About): string =>
  `${foundText(found, about)}\n\nErase number and name for good? What was paid stays, under a pseudonym. Type yes: `;

const waitText = ({ reasons }: AnswerOf<'wait'>, { number, timeZone, nowMs }: About): string => {
  const lines = reasons.map(({ what, untilMs }) => {
    const until =
      untilMs === undefined || untilMs <= nowMs ? '' : `, until ${showTime(untilMs, timeZone)}`;
    return `  ${what}${until}`;
  });
  const times = reasons.map(({ untilMs }) => untilMs ?? Number.NaN);
  const latestMs = Math.max(...times);
  const again = latestMs > nowMs ? `after ${showTime(latestMs, timeZone)}` : 'when that is over';
  return `${maskNumber(number)} is still needed, so nothing was changed:\n${lines.join('\n')}\n\nLet Paythread run, and come back ${again}.`;
};

const foundText = (found: Found, { number, timeZone }: About): string => {
  const { payments, firstMs, lastMs, amounts, sms, names } = found;
  const called = names.map((name) => nameFor('others too', name)).join(', ');
  const days =
    firstMs === undefined || lastMs === undefined
      ? ''
      : ` from ${showDate(firstMs, timeZone)} to ${showDate(lastMs, timeZone)} (${sumsOf(amounts)})`;
  const what = [
    (payments === 0 ? 'no payments' : countText(payments, 'payment')) + days,
    ...(sms === 0 ? [] : [`${sms} SMS`]),
  ];
  return `${maskNumber(number)}${called === '' ? '' : ` (${called})`}: ${what.join(', ')}, and everything else with the number.`;
};

const forgottenText = ({ found, pseudonym }: AnswerOf<'forgotten'>, about: About): string =>
  [
    `Erased ${foundText(found, about)} What was paid is kept under ${pseudonym} now.`,
    'The audit trail says that it was done, and by whom. What it said of the customer is gone, and a head that was noted before is still part of it.',
    ...(about.nowMs - (found.lastMs ?? 0) > DAY_MS
      ? []
      : [
          'The last payment is less than a day old. If the payment service still calls back about it, the number comes in again. Run this once more tomorrow.',
        ]),
    'What Paythread cannot reach: backups, from before today; copies of the log; messages in chats; the payment service. Delete the backups. Going back to one of them brings the number back; run this again then.',
  ].join('\n\n');

const DAY_MS = 86_400_000;

const sumsOf = (amounts: readonly Money[]): string =>
  [...new Set(amounts.map(({ currency }) => currency))]
    .map((currency) => formatMoney({ currency, amountMinor: minorIn(amounts, currency) }))
    .join(', ');
