import fc from 'fast-check';

/** Mobile numbers of Ghana, as they are stored. */
export const ghanaianNumber: fc.Arbitrary<string> = fc
  .tuple(
    fc.constantFrom(
      '20',
      '23',
      '24',
      '25',
      '26',
      '27',
      '28',
      '50',
      '53',
      '54',
      '55',
      '56',
      '57',
      '59',
    ),
    fc.integer({ min: 0, max: 9_999_999 }),
  )
  .map(([prefix, rest]) => `+233${prefix}${String(rest).padStart(7, '0')}`);

/** `24 412 3456` for groups of 2, 3 and 4. */
export const inGroups = (digits: string, lengths: readonly number[], separator: string): string => {
  const ends = lengths.map((_, at) => lengths.slice(0, at + 1).reduce((sum, each) => sum + each));
  return ends.map((end, at) => digits.slice(end - (lengths[at] ?? 0), end)).join(separator);
};

type Write = (nine: string) => string;

const SEPARATORS = [' ', '-', '.', ' - ', '  ', '\u00a0', '\u2011', '\u2013', '\u202f'];
const NATIONAL = [[10], [3, 3, 4], [4, 3, 3], [3, 7], [4, 6], [2, 2, 2, 2, 2], [3, 4, 3], [5, 5]];
const INTERNATIONAL = [[9], [2, 3, 4], [3, 3, 3], [2, 7], [3, 6]];
const CODES = ['+233', '233', '00233', '+233(0)', '+233 (0) ', '+233 ', '233 ', '00233 ', '+233-'];

const WAYS: readonly Write[] = [
  ...NATIONAL.flatMap((groups) =>
    SEPARATORS.map(
      (separator): Write =>
        (nine) =>
          inGroups(`0${nine}`, groups, separator),
    ),
  ),
  ...INTERNATIONAL.flatMap((groups) =>
    CODES.flatMap((code) =>
      SEPARATORS.map(
        (separator): Write =>
          (nine) =>
            code + inGroups(nine, groups, separator),
      ),
    ),
  ),
  (nine) => `(0${nine.slice(0, 2)}) ${nine.slice(2)}`,
  (nine) => `(0${nine.slice(0, 2)})${nine.slice(2, 5)}-${nine.slice(5)}`,
  (nine) => `0${nine.slice(0, 2)}/${nine.slice(2)}`,
  (nine) => `tel:+233${nine}`,
];

/** A number with one of the ways in which people, programs and phone books write it. */
export const writtenNumber: fc.Arbitrary<{ e164: string; text: string }> = fc
  .tuple(ghanaianNumber, fc.constantFrom(...WAYS))
  .map(([e164, write]) => ({ e164, text: write(e164.slice(4)) }));
