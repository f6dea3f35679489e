import { countedIn } from '../core/records/payment-figures.ts';
import type { Suspension } from '../core/records/stored-values.ts';
import type { StoreTally } from '../core/store/store-tally.ts';
import { formatMoney } from '../core/values/money.ts';

const PAYMENT = 'payment ';

/** The payments of a count in a line, such as `3 payments: 2 completed (GHS 100.00), 1 pending (GHS 5.00)`. */
export const paymentsText = (tally: StoreTally): string => {
  const lines = tally.lines.filter(({ what }) => what.startsWith(PAYMENT));
  const total = countedIn(lines);
  if (total === 0) return 'no payments';
  const states = [...Map.groupBy(lines, ({ what }) => what.slice(PAYMENT.length))].map(
    ([state, some]) => `${countedIn(some)} ${state} (${some.map(formatMoney).join(', ')})`,
  );
  return `${total} ${total === 1 ? 'payment' : 'payments'}: ${states.join(', ')}`;
};

/** What a restore makes of `/suspend`: the backup knows nothing of later ones. */
export const stoppedText = (suspensions: readonly Suspension[]): string => {
  const names = suspensions.map(({ of }) => of).join(', ') || 'no one';
  return `Stopped as of the backup: ${names}. People who were stopped later can work again: stop them with /suspend.`;
};

/** A count with its noun, such as `1 row` and `1,200 rows`. */
export const countText = (count: number, noun: string): string =>
  `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;

/** A table: names to the left, numbers to the right. */
export const columnsText = (rows: readonly (readonly string[])[]): string => {
  const width = (column: number) => Math.max(...rows.map((row) => row[column]?.length ?? 0));
  const cell = (text: string, column: number) =>
    column === 0 ? text.padEnd(width(column)) : text.padStart(width(column));
  return rows.map((row) => row.map(cell).join('  ').trimEnd()).join('\n');
};

export const withoutPassword = (address: string): string => {
  const url = URL.parse(address);
  // What cannot be read cannot be cleaned either.
  if (url === null) return 'postgres://…';
  url.password = '';
  for (const name of ['password', 'sslpassword']) url.searchParams.delete(name);
  return url.href;
};
