import type { BalanceOutcome } from '../core/gateway/gateway.ts';
import { assertNever } from '../core/runtime/errors.ts';
import { maskPhones } from '../core/runtime/masking.ts';
import { formatMoney, moneyFromService } from '../core/values/money.ts';
import type { Card } from './cards/card.ts';
import { noAnswerText } from './cards/reply-cards.ts';
import type { Command, Services } from './command.ts';

/** `/balance`: what the service holds for the shop. */
export const balanceCommand = ({ gateway, settings }: Services): Command => ({
  name: 'balance',
  summary: 'See the SMS, payout and collection balances',
  deed: 'see balances',
  usage: '',
  examples: [''],
  run: async (_words, { surface }) =>
    surface.whisper(balanceCard(await gateway.checkBalance(), settings.currency)),
});

const balanceCard = (outcome: BalanceOutcome, currency: string): Card => {
  switch (outcome.kind) {
    case 'balances':
      return {
        title: 'Balances',
        parts: [
          {
            kind: 'facts',
            facts: [
              { label: 'SMS', value: maskPhones(outcome.sms ?? 'not available') },
              { label: 'Payout', value: moneyText(outcome.payout, currency) },
              { label: 'Collection', value: moneyText(outcome.collection, currency) },
            ],
          },
        ],
      };
    case 'rateLimited':
    case 'refused':
    case 'noAnswer':
      return {
        title: 'The balances are not available',
        tone: 'bad',
        parts: [{ kind: 'text', text: noAnswerText(outcome) }],
      };
    default:
      return assertNever(outcome);
  }
};

/** The service names no currency, so `currency` is assumed. Text that is no amount is shown as it came. */
const moneyText = (value: string | undefined, currency: string): string => {
  if (value === undefined) return 'not available';
  const money = moneyFromService(value, currency);
  return money === undefined ? maskPhones(value) : formatMoney(money);
};
