import { readUnsentRuns } from '../../core/bulk/unsent-runs.ts';
import { cardOfRun } from '../../core/notices/bulk-notices.ts';
import { type ChargeRun, isChargeRun, unsentIn } from '../../core/records/bulk.ts';
import { OPEN_STATES } from '../../core/records/payment.ts';
import {
  type FiguresAsked,
  minorIn,
  type PaymentFigure,
} from '../../core/records/payment-figures.ts';
import { defined } from '../../core/runtime/defined.ts';
import { startOfDayMs } from '../../core/values/calendar-day.ts';
import type { Person } from '../../core/values/conversation.ts';
import { compareMoney, formatMoney, type Money } from '../../core/values/money.ts';
import type { Grants } from '../access/grants.ts';
import { heldText } from '../bulk/file-facts.ts';
import { type Button, type Card, cardOf, joined, linkButton, part } from '../cards/card.ts';
import { isOwn, type Services } from '../command.ts';

type DayNeeds = Pick<Services, 'store' | 'clock' | 'settings' | 'linkTo'>;

/** Whether an amount fits into the day. `role`: whose total it counts against, where roles have one. */
export type Room =
  | { readonly fits: true; readonly role?: string }
  | { readonly fits: false; readonly why: Card };

/** The next step under a refusal of any limit. */
export const CAN_RAISE = 'The owner can raise it.';

/** A charge that no longer fits, or was not sent, and why. */
export const notChargedCard = (
  why: string | undefined,
  buttons: readonly (Button | undefined)[] = [],
): Card =>
  cardOf('Nothing was charged', [why === undefined ? undefined : part.text(why)], {
    tone: 'warning',
    buttons,
  });

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
  needs: DayNeeds,
  grants: Grants,
  person: Person,
  amount: Money,
): Promise<Room> => {
  const why = await whyOverDailyLimit(needs, grants, person, amount);
  if (why !== undefined) return { fits: false, why };
  return countedRoles(grants).length === 0 ? { fits: true } : roomInRoles(needs, grants, amount);
};

/** What is left of the person's daily limit, zero at least; undefined without one. */
export const leftToday = async (
  needs: DayNeeds,
  { dailyLimit }: Grants,
  person: Person,
): Promise<Money | undefined> => {
  if (dailyLimit === undefined) return undefined;
  return leftOf(dailyLimit, await takenBy(needs, dailyLimit.currency, person));
};

const leftOf = (limit: Money, taken: Taken): Money => ({
  ...limit,
  amountMinor: Math.max(0, limit.amountMinor - takenMinor(taken)),
});

const whyOverDailyLimit = async (
  needs: DayNeeds,
  { dailyLimit }: Grants,
  person: Person,
  amount: Money,
): Promise<Card | undefined> => {
  if (dailyLimit === undefined) return undefined;
  if (dailyLimit.currency !== amount.currency)
    return otherCurrency('The daily limit', dailyLimit.currency, amount);
  const taken = await takenBy(needs, amount.currency, person);
  if (takenMinor(taken) + amount.amountMinor <= dailyLimit.amountMinor) return undefined;
  return whyOver(needs, `The daily limit is ${formatMoney(dailyLimit)}.`, dailyLimit, taken);
};

/** A charge counts against one of the person's roles: the one with the most room. */
const roomInRoles = async (needs: DayNeeds, { charging }: Grants, amount: Money): Promise<Room> => {
  const { currency } = amount;
  const totals = charging.flatMap(({ role, dailyTotal }) =>
    dailyTotal?.currency === currency ? [{ role, dailyTotal }] : [],
  );
  if (totals.length === 0) {
    const other = charging[0]?.dailyTotal?.currency ?? '';
    return { fits: false, why: otherCurrency('The daily total of the role', other, amount) };
  }
  const files = await readUnsentRuns(needs.store, isChargeRun);
  const figures = await figuresOfDay(needs, { by: ['countedFor'] });
  const rooms = totals.map(({ role, dailyTotal }) => {
    const own = figures.filter(({ countedFor }) => countedFor === JSON.stringify(role));
    const held = files.filter((run) => run.countedFor === role);
    const taken = takenIn(currency, held, own);
    return { role, dailyTotal, taken, leftMinor: dailyTotal.amountMinor - takenMinor(taken) };
  });
  const [most] = rooms.toSorted((one, other) => other.leftMinor - one.leftMinor);
  if (most === undefined || amount.amountMinor <= most.leftMinor)
    return { fits: true, ...(most && { role: most.role }) };
  const { role, dailyTotal, taken } = most;
  const may = `Together, the role "${role}" may charge ${formatMoney(dailyTotal)} a day.`;
  return { fits: false, why: await whyOver(needs, may, dailyTotal, taken) };
};

/** What counts against a limit: payments of today that were or may have been charged, and what files are still to charge. */
type Taken = { readonly used: Money; readonly held: Money; readonly files: readonly ChargeRun[] };

/** A sum that is too large to be exact is above any limit all the same. */
const takenMinor = ({ used, held }: Taken): number => used.amountMinor + held.amountMinor;

const takenBy = async (needs: DayNeeds, currency: string, person: Person): Promise<Taken> => {
  // Read before the payments: a row that becomes one meanwhile counts twice, and never not at all.
  const files = await readUnsentRuns(needs.store, isChargeRun);
  const own = files.filter((run) => isOwn(run, person));
  const requester = `${person.platform}:${person.id}`;
  return takenIn(currency, own, await figuresOfDay(needs, { requester }));
};

const figuresOfDay = <Group extends 'countedFor' = never>(
  { store, clock, settings }: DayNeeds,
  whose: Pick<FiguresAsked<Group>, 'by' | 'requester'>,
): Promise<PaymentFigure<Group>[]> =>
  store.paymentFigures<Group>({
    ...whose,
    time: 'confirmed',
    fromMs: startOfDayMs(clock.now(), settings.timeZone),
    untilMs: Number.MAX_SAFE_INTEGER,
  });

const takenIn = (
  currency: string,
  runs: readonly ChargeRun[],
  figures: readonly PaymentFigure[],
): Taken => {
  const files = runs.filter(({ terms }) => terms.total.currency === currency);
  return {
    used: { currency, amountMinor: minorIn(figures.filter(mayBeCharged), currency) },
    held: { currency, amountMinor: unsentIn(files) },
    files,
  };
};

/** In conflict: recorded as not charged, and the service contradicts that. */
const mayBeCharged = ({ state, flag }: PaymentFigure): boolean =>
  state === 'completed' || OPEN_STATES.includes(state) || flag === 'conflict';

const otherCurrency = (what: string, currency: string, amount: Money): Card =>
  notChargedCard(`${what} is in ${currency}, not in ${amount.currency}. Charge in ${currency}.`);

/** `may`: the limit, as a sentence. With a button to the file that holds what is missing. */
const whyOver = async (
  { linkTo, store }: DayNeeds,
  may: string,
  limit: Money,
  taken: Taken,
): Promise<Card> => {
  const { used, held, files } = taken;
  const [file] = files;
  const card = file && (await cardOfRun(store, file));
  const text = joined(
    `${may} ${formatMoney(used)} is used today.`,
    file && `${formatMoney(held)} is ${heldText(files)}.`,
    `${formatMoney(leftOf(limit, taken))} is left. ${CAN_RAISE}`,
  );
  const link = card === 'waiting' ? undefined : await linkTo(defined({ card }));
  return notChargedCard(text, [linkButton('See the file', link)]);
};
