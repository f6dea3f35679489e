import type { DayFigures } from '../../core/records/closed-day.ts';

/** Each sum of so many payments is tried: 1,024 sums of one half beside 1,024 of the other. */
const MOST_TRIED = 20;

/** What is left after the payments that bring it nearest to 0, each as a whole or not at all; of too many, after all. */
export const leftOver = (
  amountMinor: number,
  payments: readonly number[],
): NonNullable<DayFigures['unexplained']> => {
  if (payments.length <= MOST_TRIED) return { amountMinor: nearestTo0(amountMinor, payments) };
  const sign = Math.sign(amountMinor);
  const upToMinor = payments.reduce((sum, minor) => sum + Math.max(0, minor * sign), 0);
  const left = Math.abs(amountMinor) - upToMinor;
  return left > 0 || sign === 0 ? { amountMinor: left * sign } : { amountMinor: 0, upToMinor };
};

/** Goes through the sums of one half upwards while those of the other go downwards. */
const nearestTo0 = (amountMinor: number, payments: readonly number[]): number => {
  const half = payments.length / 2;
  const rising = sumsOf(payments.slice(0, half));
  const falling = sumsOf(payments.slice(half)).reverse();
  let nearest = amountMinor;
  for (let up = 0, down = 0; up < rising.length && down < falling.length; ) {
    const left = amountMinor - (rising[up] ?? 0) - (falling[down] ?? 0);
    if (Math.abs(left) < Math.abs(nearest)) nearest = left;
    if (left > 0) up++;
    else down++;
  }
  return nearest;
};

const sumsOf = (payments: readonly number[]): number[] =>
  payments
    .reduce((sums, minor) => sums.flatMap((sum) => [sum, sum + minor]), [0])
    .sort((a, b) => a - b);
