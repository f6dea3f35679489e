import { median, type Ratio, type Round, ratioOf } from './rounds.ts';

/** One line of the table. */
export type Figure = {
  readonly what: string;
  readonly goal: string;
  readonly reached: boolean;
  readonly unit: string;
  readonly ours: number;
  readonly baseline: number;
  readonly ratio: Ratio;
  readonly note?: string;
};

/** Of the ratio, or of our own value whatever the baseline's is. */
export type Goal =
  | { readonly atLeast: number }
  | { readonly atMost: number }
  | { readonly valueAtMost: number };

/** A figure out of rounds: medians of both, and the median of the ratios within the rounds. */
export const figureOf = <Name extends string>(
  rounds: readonly Round<Name>[],
  names: { ours: Name; base: Name },
  words: { what: string; unit: string; goal: Goal; note?: string },
): Figure => {
  const ratio = ratioOf(rounds, names.ours, names.base);
  const ours = median(rounds.map((round) => round[names.ours]));
  const baseline = median(rounds.map((round) => round[names.base]));
  const { goal, ...rest } = words;
  return { ...rest, ...judged(goal, ratio.median, ours, words.unit), ours, baseline, ratio };
};

const judged = (goal: Goal, ratio: number, ours: number, unit: string) => {
  if ('atLeast' in goal) return { goal: `≥ ${goal.atLeast}`, reached: ratio >= goal.atLeast };
  if ('atMost' in goal) return { goal: `≤ ${goal.atMost}`, reached: ratio <= goal.atMost };
  return { goal: `≤ ${goal.valueAtMost} ${unit}`, reached: ours <= goal.valueAtMost };
};
