import { nameFor } from '../commands/cards/visibility.ts';
import type { Found } from '../core/privacy/customer-records.ts';
import type { ForgetAnswer } from '../core/privacy/forget.ts';
import { maskNumber } from '../core/values/customer-number.ts';
import { showDate, showTime } from '../core/values/format-time.ts';
import { formatMoney, type Money } from '../core/values/money.ts';
import type { Said } from './shell-command.ts';

type About = {
  readonly number: string;
  /** The data folder, or the database. */
  readonly place: string;
  readonly timeZone: string;
  readonly nowMs: number;
};

/** What `npm run forget` says. Never the whole number, and no whole name: both would stay in some terminal's log. */
export const forgetReport = (answer: ForgetAnswer, about: About): Said => {
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

/** For a person, who can mistype. */
export const forgetQuestion = (
  { found }: Extract<ForgetAnswer, { kind: 'found' }>,
  about: About,
): string =>
  `${foundText(found, about)}\n\nErase number and name for good? What was paid stays, under a pseudonym. Type yes: `;

const waitText = (
  { reasons }: Extract<ForgetAnswer, { kind: 'wait' }>,
  { number, timeZone, nowMs }: About,
): string => {
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
  const what = [countOf(payments, 'payment') + days, ...(sms === 0 ? [] : [`${sms} SMS`])];
  return `${maskNumber(number)}${called === '' ? '' : ` (${called})`}: ${what.join(', ')}, and what else mentions the number.`;
};

const forgottenText = (
  { found, pseudonym }: Extract<ForgetAnswer, { kind: 'forgotten' }>,
  about: About,
): string =>
  [
    `Erased ${foundText(found, about)} What was paid is kept under ${pseudonym} now.`,
    'The audit trail says that it was done, and by whom. What it told of the customer is gone, and a head that was noted before is still part of it.',
    ...(about.nowMs - (found.lastMs ?? 0) > DAY_MS
      ? []
      : [
          'The last payment is less than a day old. If the payment service still calls back about it, the number comes in again. Run this once more tomorrow.',
        ]),
    'What Paythread cannot reach: backups, from before today; copies of the log; messages in chats; the payment service. Delete the backups. Going back to one of them brings the number back; run this again then.',
  ].join('\n\n');

const DAY_MS = 86_400_000;

const sumsOf = (amounts: readonly Money[]): string =>
  [...Map.groupBy(amounts, ({ currency }) => currency)]
    .map(([currency, some]) =>
      formatMoney({
        currency,
        amountMinor: some.reduce((sum, { amountMinor }) => sum + amountMinor, 0),
      }),
    )
    .join(', ');

const countOf = (count: number, what: string): string =>
  `${count === 0 ? 'no' : count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`;
