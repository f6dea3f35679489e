import { numberingPlans } from './phone-library.ts';

/** What people and phone books put between two digits of a number. */
const GAP = '[\\s().\\-/\\u2010-\\u2015]{0,3}';

/** Before it is no digit, and it is not the decimals of a number. */
const START = '(?<!\\d|\\d\\.)';

/** Behind it is neither a digit nor the rest of a time of day. */
const END = '(?!\\d|:\\d)';

/** A sum such as 5000000.00. */
const NO_AMOUNT = '(?!\\d{5,}\\.\\d\\d(?!\\d))';

/** Places in libphonenumber's minified rows. A type's place holds its pattern and, where it has its own, its lengths. */
const [CODE, EXIT, PATTERN, LENGTHS, FORMATS, TRUNK, TYPES] = [0, 1, 2, 3, 4, 5, 11];
const MOBILE = 1;
/** Within a format: how the trunk prefix is written with it. */
const RULE = 3;

/**
 * Patterns of this country's mobile numbers, inside the country and with its code, and of any number in international
 * form. Numbers that only have a right length are meant as well: Paythread takes those with a warning.
 */
export const phoneForms = (country: string): readonly RegExp[] => {
  const plan =
    Object.entries(numberingPlans.countries).find(([code]) => code === country)?.[1] ?? [];
  const lengths: readonly number[] = plan[TYPES]?.[MOBILE]?.[1] ?? plan[LENGTHS] ?? [];
  const [least, most] = [Math.min(...lengths), Math.max(...lengths)];
  const code = [...String(plan[CODE])].join(GAP);
  const trunk = [...String(plan[TRUNK] || '')].join(GAP);
  const exit = `(?:00|${plan[EXIT]})`;
  const rest = `(?:${GAP}\\d){${least - 1},${most - 1}}${END}`;
  // Without a trunk prefix any count of that length would be taken for a number: there the country's pattern decides.
  // Unbroken ones go first, or an amount in front would be taken for the first digits of the number behind it.
  const bare = [plan[PATTERN], withGaps(plan[PATTERN])].map(
    (digits) => `${START}${NO_AMOUNT}(?:${trunk}${GAP})?(?=\\d${rest})(?:${digits})${END}`,
  );
  return [
    `${START}(?:\\+|${exit})?${code}${GAP}(?:${trunk})?(?:${GAP}\\d){${least},${most}}${END}`,
    ...(trunk === '' ? [] : [`${START}(?!0\\.)${trunk}${GAP}\\d${rest}`]),
    ...(isAlwaysWritten(String(plan[TRUNK] || ''), plan[FORMATS]) ? [] : bare),
    `(?:\\+|${START}${exit})[1-9](?:${GAP}\\d){7,14}${END}`,
  ].map((form) => new RegExp(form, 'g'));
};

/** Whether people always write a trunk prefix, such as the 0 of Ghana. */
const isAlwaysWritten = (trunk: string, formats: readonly unknown[][] = []): boolean =>
  trunk !== '' &&
  formats.length > 0 &&
  formats.every((format) => String(format[RULE]).includes(trunk));

/** A pattern of digits that lets them stand apart. */
const withGaps = (pattern: string): string =>
  pattern.replace(/\{[\d,]+\}|\\d|\[[^\]]+\]|\d/g, (atom) =>
    atom.startsWith('{') ? atom : `(?:${GAP}${atom})`,
  );
