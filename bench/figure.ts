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

type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** A figure out of rounds: medians of both, and the median of the ratios within the rounds. */
export const figureOf = <Name extends string>(
  rounds: readonly Round<Name>[],
  names: { ours: Name; base: Name },
  words: { what: string; unit: string; goal: Goal; note?: string },
): Figure => {
  const ratio = ratioOf(rounds, names.ours, names.base);
  const { goal, ...rest } = words;
  const [sign, bound] = 'atLeast' in goal ? ['≥', goal.atLeast] : ['≤', goal.atMost];
  return {
    ...rest,
    goal: `${sign} ${bound}`,
    reached: 'atLeast' in goal ? ratio.median >= goal.atLeast : ratio.median <= goal.atMost,
    ours: median(rounds.map((round) => round[names.ours])),
    baseline: median(rounds.map((round) => round[names.base])),
    ratio,
  };
};
