import type { Payment } from '../records/payment.ts';
import { decimalText } from '../values/money.ts';
import { NETWORK_CODES } from '../values/network.ts';
import type { MetricRegister } from './metric-register.ts';

/** What the counters begin with: a payment without a merchant is one of before there was a file of them. */
export type Shops = {
  readonly currency: string;
  readonly merchants: readonly { readonly name: string }[];
};

/** What is counted, by its news: the state that a payment has just reached, or `given back`. */
const COUNTED = {
  completed: ['collected', 'Money of payments that were completed'],
  failed: ['failed', 'Money of payments that failed'],
  'given back': ['given_back', 'Money that was given back by hand'],
} as const;

/** Returns what counts the news of a payment. Prometheus asks for base units: cedis, not pesewas. */
export const moneyCounters = (
  register: MetricRegister,
  { currency, merchants }: Shops,
): ((payment: Payment, news: string | undefined) => void) => {
  const counters = Object.entries(COUNTED).map(([news, [name, what]]) => {
    const help = `${what} since this process started, by currency, merchant and network`;
    const labels = ['currency', 'merchant', 'network'] as const;
    return [news, register.counter(`paythread_${name}_amount_total`, help, labels)] as const;
  });
  // Prometheus sees no increase in the first value of a series: it has to be there before the first payment.
  const names = merchants.length === 0 ? [''] : merchants.map(({ name }) => name);
  for (const [, counter] of counters)
    for (const merchant of names)
      for (const network of NETWORK_CODES) counter.inc({ currency, merchant, network }, 0);
  const byNews = new Map<string | undefined, (typeof counters)[number][1]>(counters);
  return ({ terms: { amount, merchant = '', network }, givenBack = [] }, news) => {
    const counted = news === 'given back' ? { ...amount, ...givenBack.at(-1) } : amount;
    const labels = { currency: amount.currency, merchant, network };
    byNews.get(news)?.inc(labels, Number(decimalText(counted)));
  };
};
