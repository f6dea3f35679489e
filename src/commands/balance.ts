import type { BalanceOutcome } from '../core/gateway/gateway.ts';
import { maskPhones } from '../core/runtime/masking.ts';
import { formatMoney, moneyFromService } from '../core/values/money.ts';
import { type Card, cardOf, part, plainCard } from './cards/card.ts';
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
    ? cardOf('Balances', [
        part.facts(
          { label: 'SMS', value: maskPhones(outcome.sms ?? 'not available') },
          { label: 'Payout', value: moneyText(outcome.payout, currency) },
          { label: 'Collection', value: moneyText(outcome.collection, currency) },
        ),
      ])
    : plainCard('The balances are not available', noAnswerText(outcome), 'bad');

/** The service names no currency, so `currency` is assumed. Text that is no amount is shown as it came. */
export const moneyText = (value: string | undefined, currency: string): string => {
  if (value === undefined) return 'not available';
  const money = moneyFromService(value, currency);
  return money === undefined ? maskPhones(value) : formatMoney(money);
};
