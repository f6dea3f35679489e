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

/** Returns what counts a payment that has just reached a state. Prometheus asks for base units: cedis, not pesewas. */
export const moneyCounters = (
  register: MetricRegister,
  { currency, merchants }: Shops,
): ((payment: Payment) => void) => {
  const of = {
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
  };
  // Prometheus sees no increase in the first value of a series: it has to be there before the first payment.
  const names = merchants.length === 0 ? [''] : merchants.map(({ name }) => name);
  for (const counter of Object.values(of))
    for (const merchant of names)
      for (const network of NETWORK_CODES) counter.inc({ currency, merchant, network }, 0);
  return ({ state, terms: { amount, merchant = '', network } }) => {
    if (state !== 'completed' && state !== 'failed') return;
    const labels = { currency: amount.currency, merchant, network };
    of[state].inc(labels, Number(decimalText(amount)));
  };
};
