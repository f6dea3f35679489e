const SHORT = 4;

/** The name that was most likely meant: within one slip for short words, two for others; undefined: none is near. */
export const nearestName = (typed: string, names: readonly string[]): string | undefined => {
  const most = typed.length <= SHORT ? [0, 1] : [0, 1, 2];
  return most
    .map((slips) => names.find((name) => isWithin(slips, typed, name)))
    .find((name) => name !== undefined);
};

/** Whether so many slips make one word of the other: letters added, left out, replaced, or swapped with the next one. */
const isWithin = (slips: number, one: string, other: string): boolean => {
  // Ends the search in long words as well: each slip makes up for one letter.
  if (Math.abs(one.length - other.length) > slips) return false;
  if (one === '' || other === '') return true;
  if (one[0] === other[0]) return isWithin(slips, one.slice(1), other.slice(1));
  if (slips === 0) return false;
  const isSwapped = one[0] === other[1] && one[1] === other[0];
  return (
    isWithin(slips - 1, one.slice(1), other) ||
    isWithin(slips - 1, one, other.slice(1)) ||
    isWithin(slips - 1, one.slice(1), other.slice(1)) ||
    (isSwapped && isWithin(slips - 1, one.slice(2), other.slice(2)))
  );
};
