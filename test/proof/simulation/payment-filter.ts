import type { Payment, PaymentFilter } from '../../../src/core/records/payment.ts';
import { sameMoney } from '../../../src/core/values/money.ts';

export const matchesFilter = (payment: Payment, filter: PaymentFilter): boolean => {
  const { states, customerNumber, customers, requester, amount, flag } = filter;
  const { sinceMs, untilMs, endedSinceMs, bulk } = filter;
  const { terms, confirmedAtMs, settledAtMs = 0 } = payment;
  if (states !== undefined && !states.includes(payment.state)) return false;
  if (customerNumber !== undefined && terms.customerNumber !== customerNumber) return false;
  if (customers !== undefined && !customers.includes(terms.customerNumber)) return false;
  if (requester !== undefined && personKey(payment) !== requester) return false;
  if (amount !== undefined && !sameMoney(terms.amount, amount)) return false;
  const { run = '' } = payment.bulk ?? {};
  if (bulk !== undefined && ![bulk].flat().includes(run)) return false;
  if (flag !== undefined && payment.flag !== flag) return false;
  if (endedSinceMs !== undefined && Math.max(confirmedAtMs, settledAtMs) < endedSinceMs)
    return false;
  if (untilMs !== undefined && confirmedAtMs >= untilMs) return false;
  return sinceMs === undefined || confirmedAtMs >= sinceMs;
};

const personKey = ({ requester }: Payment): string => `${requester.platform}:${requester.id}`;
