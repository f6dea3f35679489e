export type Round<Name extends string> = Readonly<Record<Name, number>>;

/** Runs every contender once a round, in turn, and every second round backwards: none always comes first. */
export const interleaved = async <Name extends string>(
  rounds: number,
  contenders: Readonly<Record<Name, () => Promise<number>>>,
): Promise<Round<Name>[]> => {
  const names = Object.keys(contenders) as Name[];
  const results: Round<Name>[] = [];
  for (let round = 0; round < rounds; round++) {
    const measured = {} as Record<Name, number>;
    const order = round % 2 === 0 ? names : names.toReversed();
    for (const name of order) measured[name] = await contenders[name]();
    results.push(measured);
  }
  return results;
};

export const median = (numbers: readonly number[]): number => {
  const sorted = [...numbers].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low, high] = [sorted[middle - 1], sorted[middle]];
  if (high === undefined) return Number.NaN;
  return sorted.length % 2 === 1 || low === undefined ? high : (low + high) / 2;
};

export type Ratio = { readonly median: number; readonly least: number; readonly most: number };

/** Ratios are taken within a round: what the machine does to one it does to the other. */
export const ratioOf = <Name extends string>(
  rounds: readonly Round<Name>[],
  ours: Name,
  base: Name,
): Ratio => {
  const ratios = rounds.map((round) => round[ours] / round[base]);
  return { median: median(ratios), least: Math.min(...ratios), most: Math.max(...ratios) };
};
