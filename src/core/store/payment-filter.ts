import type { Payment } from '../payments/payment.ts';
import type { PaymentFilter } from './store.ts';

export const matchesFilter = (payment: Payment, filter: PaymentFilter): boolean => {
  const { states, customerNumber, requester, sinceMs } = filter;
  if (states !== undefined && !states.includes(payment.state)) return false;
  if (customerNumber !== undefined && payment.terms.customerNumber !== customerNumber) return false;
  if (requester !== undefined && personKey(payment) !== requester) return false;
  return sinceMs === undefined || payment.confirmedAtMs >= sinceMs;
};

const personKey = ({ requester }: Payment): string => `${requester.platform}:${requester.id}`;
