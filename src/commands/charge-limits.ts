import type { Person } from '../core/conversation.ts';
import { addMoney, compareMoney, formatMoney, type Money } from '../core/money.ts';
import { OPEN_STATES } from '../core/payments/payment.ts';
import { startOfDayMs } from '../core/shown-time.ts';
import { everyPayment } from '../core/store/every-payment.ts';
import type { PaymentFilter } from '../core/store/store.ts';
import type { Grants } from './access.ts';
import type { Services } from './command.ts';

/** Above the caller's limit an approver has to confirm as well. A limit in another currency cannot be compared, so it counts as exceeded. */
export const neededApproval = ({ maxCharge }: Grants, amount: Money): boolean => {
  if (maxCharge === undefined) return false;
  return maxCharge.currency !== amount.currency || compareMoney(amount, maxCharge) > 0;
};

/** Why this amount does not fit into the person's day; undefined: it fits. */
export const leftToday = async (
  services: Pick<Services, 'store' | 'clock' | 'settings'>,
  { dailyLimit }: Grants,
  person: Person,
  amount: Money,
): Promise<string | undefined> => {
  if (dailyLimit === undefined) return undefined;
  if (dailyLimit.currency !== amount.currency)
    return `Your daily limit is in ${dailyLimit.currency}; an amount in ${amount.currency} cannot be counted against it. Nothing was charged.`;
  const used = await chargedToday(services, person, amount.currency);
  if (compareMoney(addMoney(used, amount), dailyLimit) <= 0) return undefined;
  return `This would exceed the daily limit of ${formatMoney(dailyLimit)}: ${formatMoney(used)} of it is used today. Nothing was charged.`;
};

/** Everything confirmed today that was or may have been charged. */
const chargedToday = async (
  { store, clock, settings }: Pick<Services, 'store' | 'clock' | 'settings'>,
  person: Person,
  currency: string,
): Promise<Money> => {
  let total: Money = { amountMinor: 0, currency };
  const today: PaymentFilter = {
    requester: `${person.platform}:${person.id}`,
    sinceMs: startOfDayMs(clock.now(), settings.timeZone),
    states: [...OPEN_STATES, 'completed'],
  };
  for await (const { terms } of everyPayment(store, today, 200))
    if (terms.amount.currency === currency) total = addMoney(total, terms.amount);
  return total;
};
