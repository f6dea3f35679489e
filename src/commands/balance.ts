import { maskPhones } from '../core/runtime/masking.ts';
import { showBeside, showClock } from '../core/values/format-time.ts';
import { formatMoney, moneyFromService } from '../core/values/money.ts';
import { type CardPart, cardOf, joined, part } from './cards/card.ts';
import { noAnswerText, spendQuestion } from './cards/service-words.ts';
import type { CommandRecord, Services } from './command.ts';
import { ofMerchant, ofMerchantAt } from './merchants.ts';

/** `/balance`: what the service holds for the shop. */
export const balanceCommand = (services: Services): CommandRecord => ({
  summary: 'See the SMS, payout and collection balances',
  deed: 'see balances',
  usage: '',
  examples: [''],
  run: async (_words, { surface, caller, grants }) => {
    const { balances, settings } = services;
    const { merchant: here } = ofMerchantAt(settings, caller);
    for (const merchant of here === undefined ? balances.merchants : [here]) {
      const spent = spendQuestion(services, caller);
      if (spent !== undefined) return surface.whisper(spent);
      const outcome = await balances.ask('person', merchant);
      const parts = await balanceParts(services, merchant);
      const of = ofMerchant(merchant);
      await surface.whisper(
        outcome.kind === 'balances'
          ? cardOf(`Balances${of}`, parts)
          : cardOf(
              `The balances${of} are not available`,
              [part.text(noAnswerText(outcome, grants.admin ? 'whole' : undefined)), ...parts],
              { tone: 'bad' },
            ),
      );
    }
  },
});

/** The balances as they were last told, when that was, and yesterday's end beside them; empty before the first answer. */
export const balanceParts = async (
  { balances, ...needs }: Pick<Services, 'balances' | 'clock' | 'settings'>,
  merchant: string | undefined,
): Promise<CardPart[]> => {
  const { last, yesterday } = await balances.kept(merchant);
  if (last === undefined) return [];
  const { timeZone, currency } = needs.settings;
  const fact = (label: string, of: 'sms' | 'payout' | 'collection') => {
    const shown = (value: string) =>
      of === 'sms' ? maskPhones(value) : moneyText(value, currency);
    const { [of]: now } = last;
    const before = yesterday?.[of];
    const value = now === undefined ? 'not available' : shown(now);
    return { label, value: before === undefined ? value : `${value} (yesterday ${shown(before)})` };
  };
  const asked = `As of ${showBeside(needs.clock.now(), last.atMs, timeZone)}.`;
  const dayBefore = yesterday && `Yesterday at ${showClock(yesterday.atMs, timeZone)}.`;
  return [
    part.facts(fact('SMS', 'sms'), fact('Payout', 'payout'), fact('Collection', 'collection')),
    part.note(joined(asked, dayBefore)),
  ];
};

/** The service names no currency, so `currency` is assumed. Text that is no amount is shown as it came. */
export const moneyText = (value: string | undefined, currency: string): string => {
  if (value === undefined) return 'not available';
  const money = moneyFromService(value, currency);
  return money === undefined ? maskPhones(value) : formatMoney(money);
};
