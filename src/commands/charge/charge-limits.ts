import { readUnsentRuns } from '../../core/bulk/unsent-runs.ts';
import { unsentMoney } from '../../core/records/bulk.ts';
import type { PaymentFilter } from '../../core/records/payment.ts';
import { OPEN_STATES, type Payment } from '../../core/records/payment.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { everyPayment, type Store } from '../../core/store/store.ts';
import type { Person } from '../../core/values/conversation.ts';
import { startOfDayMs } from '../../core/values/format-time.ts';
import { addMoney, compareMoney, formatMoney, type Money } from '../../core/values/money.ts';
import type { Grants } from '../access/access.ts';
import { type Card, plainCard } from '../cards/card.ts';

type Needs = {
  readonly store: Pick<Store, 'get' | 'listPayments'>;
  readonly clock: Clock;
  readonly settings: { readonly timeZone: string };
};

/** Whether an amount fits into the day. `role`: whose total it counts against, where roles have one. */
export type Room =
  | { readonly fits: true; readonly role?: string }
  | { readonly fits: false; readonly why: string };

/** A charge that no longer fits, or was not sent, and why. */
export const notChargedCard = (why?: string): Card =>
  plainCard('Nothing was charged', why, 'warning');

/** Above the caller's limit an approver has to confirm as well. A limit in another currency cannot be compared, so it counts as exceeded. */
export const neededApproval = ({ maxCharge }: Grants, amount: Money): boolean => {
  if (maxCharge === undefined) return false;
  return maxCharge.currency !== amount.currency || compareMoney(amount, maxCharge) > 0;
};

/** The roles whose totals a charge counts against; none when one of the roles has no total. */
export const countedRoles = ({ charging }: Grants): readonly string[] =>
  charging.some(({ dailyTotal }) => dailyTotal === undefined)
    ? []
    : charging.map(({ role }) => role);

/** Whether the amount fits into the person's daily limit and into the total of one of their roles. */
export const roomToday = async (
  needs: Needs,
  grants: Grants,
  person: Person,
  amount: Money,
): Promise<Room> => {
  const why = await whyNotTheirs(needs, grants, person, amount);
  if (why !== undefined) return { fits: false, why };
  return countedRoles(grants).length === 0 ? { fits: true } : roomInRoles(needs, grants, amount);
};

/** What is left of the person's daily limit, zero at least; undefined without one. */
export const leftToday = async (
  needs: Needs,
  { dailyLimit }: Grants,
  { platform, id }: Person,
): Promise<Money | undefined> => {
  if (dailyLimit === undefined) return undefined;
  const { amountMinor, currency } = dailyLimit;
  const used = await chargedToday(needs, currency, { requester: `${platform}:${id}` });
  return { currency, amountMinor: Math.max(0, amountMinor - used.amountMinor) };
};

const whyNotTheirs = async (
  needs: Needs,
  { dailyLimit }: Grants,
  person: Person,
  amount: Money,
): Promise<string | undefined> => {
  if (dailyLimit === undefined) return undefined;
  if (dailyLimit.currency !== amount.currency)
    return `The daily limit is in ${dailyLimit.currency}, not in ${amount.currency}.`;
  const requester = `${person.platform}:${person.id}`;
  const used = await chargedToday(needs, amount.currency, { requester });
  if (compareMoney(addMoney(used, amount), dailyLimit) <= 0) return undefined;
  return `The daily limit is ${formatMoney(dailyLimit)}, and ${formatMoney(used)} is used today.`;
};

/** A charge counts against one of the person's roles: the one with the most room. */
const roomInRoles = async (needs: Needs, { charging }: Grants, amount: Money): Promise<Room> => {
  const { currency } = amount;
  const rooms = await Promise.all(
    charging.map(async ({ role, dailyTotal }) => {
      if (dailyTotal?.currency !== currency) return [];
      const used = await chargedToday(needs, currency, {}, (each) => each.countedFor === role);
      return [{ role, dailyTotal, used, leftMinor: dailyTotal.amountMinor - used.amountMinor }];
    }),
  );
  const [most] = rooms.flat().sort((one, other) => other.leftMinor - one.leftMinor);
  if (most !== undefined && amount.amountMinor <= most.leftMinor)
    return { fits: true, role: most.role };
  const why =
    most === undefined
      ? `The daily total of the role is in ${charging[0]?.dailyTotal?.currency}, not in ${currency}.`
      : `Together, the role "${most.role}" may charge ${formatMoney(most.dailyTotal)} a day. ${formatMoney(most.used)} is used today.`;
  return { fits: false, why };
};

const CHARGED: readonly PaymentFilter[] = [
  { states: [...OPEN_STATES, 'completed'] },
  // Recorded as not charged, and the service contradicts that.
  { states: ['failed', 'refused', 'not sent'], flag: 'conflict' },
];

const idOf = ({ platform, id }: Person): string => `${platform}:${id}`;

/** The sum of today's payments that were or may have been charged, and of what files are still to charge. */
const chargedToday = async (
  { store, clock, settings }: Needs,
  currency: string,
  whose: Pick<PaymentFilter, 'requester'>,
  counts: (counted: Pick<Payment, 'countedFor'>) => boolean = () => true,
): Promise<Money> => {
  const unsent = (await readUnsentRuns(store)).filter(
    (run) =>
      run.terms.total.currency === currency &&
      (whose.requester === undefined || whose.requester === idOf(run.requester)) &&
      counts(run),
  );
  // Read before the payments: a row that becomes one meanwhile counts twice, and never not at all.
  let total: Money = unsent.map(unsentMoney).reduce(addMoney, { amountMinor: 0, currency });
  const today = { ...whose, sinceMs: startOfDayMs(clock.now(), settings.timeZone) };
  for (const filter of CHARGED)
    for await (const payment of everyPayment(store, { ...today, ...filter }, 200))
      if (payment.terms.amount.currency === currency && counts(payment))
        total = addMoney(total, payment.terms.amount);
  return total;
};
