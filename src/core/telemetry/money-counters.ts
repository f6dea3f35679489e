import type { Counter } from 'prom-client';
import type { Payment } from '../records/payment.ts';
import { decimalText } from '../values/money.ts';
import { NETWORK_CODES } from '../values/network.ts';
import type { MetricRegister } from './metric-register.ts';

/** What the counters begin with: a payment without a merchant is one of before there was a file of them. */
export type Shops = {
  readonly currency: string;
  readonly merchants: readonly { readonly name: string }[];
};

const LABELS = ['currency', 'merchant', 'network'] as const;

/**
 * Returns what counts a payment by its news: the state that it has just reached, or `given back`. Prometheus asks for base
 * units: cedis, not pesewas.
 */
export const moneyCounters = (
  register: MetricRegister,
  { currency, merchants }: Shops,
): ((payment: Payment, news: string | undefined) => void) => {
  const of: Readonly<Record<string, Counter<(typeof LABELS)[number]>>> = {
    completed: register.counter(
      'paythread_collected_amount_total',
      'Money of payments that were completed since this process started, by currency, merchant and network',
      LABELS,
    ),
    failed: register.counter(
      'paythread_failed_amount_total',
      'Money of payments that failed since this process started, by currency, merchant and network',
      LABELS,
    ),
    'given back': register.counter(
      'paythread_given_back_amount_total',
      'Money that was given back by hand since this process started, by currency, merchant and network',
      LABELS,
    ),
  };
  // Prometheus sees no increase in the first value of a series: it has to be there before the first payment.
  const names = merchants.length === 0 ? [''] : merchants.map(({ name }) => name);
  for (const counter of Object.values(of))
    for (const merchant of names)
      for (const network of NETWORK_CODES) counter.inc({ currency, merchant, network }, 0);
  return ({ terms: { amount, merchant = '', network }, givenBack = [] }, news = '') => {
    const counted = news === 'given back' ? { ...amount, ...givenBack.at(-1) } : amount;
    const labels = { currency: amount.currency, merchant, network };
    of[news]?.inc(labels, Number(decimalText(counted)));
  };
};
