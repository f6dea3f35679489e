import type { StoreTally } from '../core/store/store-tally.ts';
import { formatMoney } from '../core/values/money.ts';

const PAYMENT = 'payment ';

/** The payments of a count in a line, such as `3 payments: 2 completed (GHS 100.00), 1 pending (GHS 5.00)`. */
export const paymentsText = (tally: StoreTally): string => {
  const lines = tally.lines.filter(({ what }) => what.startsWith(PAYMENT));
  const total = lines.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return 'no payments';
  const states = [...Map.groupBy(lines, ({ what }) => what.slice(PAYMENT.length))].map(
    ([state, some]) => {
      const count = some.reduce((sum, line) => sum + line.count, 0);
      return `${count} ${state} (${some.map((line) => formatMoney(line)).join(', ')})`;
    },
  );
  return `${total} ${total === 1 ? 'payment' : 'payments'}: ${states.join(', ')}`;
};
