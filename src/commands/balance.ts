import type { BalanceOutcome } from '../core/gateway/gateway.ts';
import { maskPhones } from '../core/runtime/masking.ts';
import { formatMoney, moneyFromService } from '../core/values/money.ts';
import { type Card, type CardPart, cardOf, part, plainCard } from './cards/card.ts';
import { noAnswerText } from './cards/service-words.ts';
import type { CommandRecord, Services } from './command.ts';

/** `/balance`: what the service holds for the shop. */
export const balanceCommand = ({ gateway, settings }: Services): CommandRecord => ({
  summary: 'See the SMS, payout and collection balances',
  deed: 'see balances',
  usage: '',
  examples: [''],
  run: async (_words, { surface }) =>
    surface.whisper(balanceCard(await gateway.checkBalance(), settings.currency)),
});

const balanceCard = (outcome: BalanceOutcome, currency: string): Card =>
  outcome.kind === 'balances'
    ? cardOf('Balances', [balanceFacts(outcome, currency)])
    : plainCard('The balances are not available', noAnswerText(outcome), 'bad');

/** What the service said it holds. */
export const balanceFacts = (
  { sms, payout, collection }: Extract<BalanceOutcome, { kind: 'balances' }>,
  currency: string,
): CardPart =>
  part.facts(
    { label: 'SMS', value: maskPhones(sms ?? 'not available') },
    { label: 'Payout', value: moneyText(payout, currency) },
    { label: 'Collection', value: moneyText(collection, currency) },
  );

/** What the payment service last said of the balances, and when it was asked. */
export type BalanceAnswer = { readonly outcome: BalanceOutcome; readonly atMs: number };

const BALANCES_KEPT_MS = 60_000;

/** The balances as they were told at most a minute ago; callers at the same time share one request. */
export const recentBalances = ({
  gateway,
  clock,
}: Pick<Services, 'gateway' | 'clock'>): (() => Promise<BalanceAnswer>) => {
  let asked: { readonly answer: Promise<BalanceAnswer>; readonly atMs: number } | undefined;
  return () => {
    const nowMs = clock.monotonic();
    if (asked !== undefined && nowMs < asked.atMs + BALANCES_KEPT_MS) return asked.answer;
    const atMs = clock.now();
    asked = { answer: gateway.checkBalance().then((outcome) => ({ outcome, atMs })), atMs: nowMs };
    return asked.answer;
  };
};

/** The service names no currency, so `currency` is assumed. Text that is no amount is shown as it came. */
export const moneyText = (value: string | undefined, currency: string): string => {
  if (value === undefined) return 'not available';
  const money = moneyFromService(value, currency);
  return money === undefined ? maskPhones(value) : formatMoney(money);
};
