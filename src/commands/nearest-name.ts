const SHORT = 4;

/** The name that was most likely meant: within one slip for short words, two for others; undefined: none is near. */
export const nearestName = (typed: string, names: readonly string[]): string | undefined => {
  const most = typed.length <= SHORT ? 1 : 2;
  // Longer words are never near, and the table below grows with them.
  const near = names.filter((name) => Math.abs(name.length - typed.length) <= most);
  const [best] = near
    .map((name) => ({ name, slips: slipsBetween(typed, name) }))
    .filter(({ slips }) => slips <= most)
    .sort((one, other) => one.slips - other.slips);
  return best?.name;
};

/** Optimal string alignment distance: letters added, left out, replaced, or swapped with the next one. */
const slipsBetween = (one: string, other: string): number => {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
};
