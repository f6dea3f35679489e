import type { ToldBalances } from '../records/balances.ts';
import type { Alert, WatchedBalance } from '../records/notice.ts';
import { formatMoney, type Money, moneyFromService } from '../values/money.ts';

/** Below which balance the operators are told. @default never */
export type BalanceLimits = { readonly sms?: number; readonly payout?: Money };

type BalanceNews = Extract<Alert, { readonly of: WatchedBalance }>;

type Level = { readonly amount: number; readonly shown: string };

/** So far above its limit a balance has recovered: one that hovers there is told once. */
const RECOVERED_PERCENT = 105;

/**
 * The balances below their limits, and what the operators have to be told: of each that was not low `before`, and of
 * each that has recovered. A balance that cannot be read stays as it was.
 */
export const lowBalances = (
  told: ToldBalances,
  before: readonly WatchedBalance[],
  { limits, currency }: { readonly limits: BalanceLimits; readonly currency: string },
): { low: WatchedBalance[]; news: BalanceNews[] } => {
  const levels = {
    sms: [countLevel(told.sms), countLevel(limits.sms?.toString())],
    payout: [
      told.payout === undefined ? undefined : moneyLevel(moneyFromService(told.payout, currency)),
      moneyLevel(limits.payout),
    ],
  } as const;
  const low: WatchedBalance[] = [];
  const news: BalanceNews[] = [];
  for (const which of ['sms', 'payout'] as const) {
    const [balance, limit] = levels[which];
    if (limit === undefined) continue;
    const wasLow = before.includes(which);
    const enough = limit.amount * (wasLow ? RECOVERED_PERCENT : 100);
    const isLow = balance === undefined ? wasLow : balance.amount * 100 < enough;
    if (isLow) low.push(which);
    if (balance === undefined || isLow === wasLow) continue;
    news.push({
      kind: isLow ? 'balance low' : 'balance back',
      of: which,
      balance: balance.shown,
      limit: limit.shown,
    });
  }
  return { low, news };
};

const countLevel = (text: string | undefined): Level | undefined =>
  text !== undefined && /^-?\d+(?:\.\d+)?$/.test(text)
    ? { amount: Number(text), shown: text }
    : undefined;

const moneyLevel = (money: Money | undefined): Level | undefined =>
  money && { amount: money.amountMinor, shown: formatMoney(money) };
