import { type Parsed, parsed, wrong } from '../runtime/errors.ts';
import { hasCardNumber, neverTypeCards } from './card-number.ts';
import { hasOtherDigits, quoted } from './normalise-input.ts';

/** More whole digits than any shop needs, and few enough for exact arithmetic with 3 decimals. */
const MAX_WHOLE_DIGITS = 12;

const MAX_TYPED_LENGTH = 60;

/** A typed amount in its three parts. */
export type AmountText = {
  /** What stands before the first digit. */
  readonly before: string;
  /** From the first digit to the last. */
  readonly digits: string;
  /** What stands behind the last digit. */
  readonly after: string;
};

/**
 * Minor units of a plain decimal number, exactly. Undefined when it has more decimals than the currency
 * (zeros at the end do not count) or too many digits to be exact.
 */
export const toMinorUnits = (
  whole: string,
  fraction: string,
  decimals: number,
): number | undefined => {
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) return undefined;
  const minor = Number(whole + significant.padEnd(decimals, '0'));
  return Number.isSafeInteger(minor) ? minor : undefined;
};

/** Takes a typed amount apart, or asks back when it does not hold exactly one amount in full. */
export const splitAmount = (typed: string): Parsed<AmountText> => {
  if (typed === '') return wrong('Please give an amount, such as 50 or 1,200.50.');
  if (hasCardNumber(typed)) return neverTypeCards();
  if (typed.length > MAX_TYPED_LENGTH) return wrong('That is too long to be an amount.');
  if (hasOtherDigits(typed)) return wrong('Please type the amount with the digits 0 to 9.');
  const match = /^(\D*)(\d(?:.*\d)?)(\D*)$/u.exec(typed);
  if (match === null) return wrong('Please type the amount in digits, such as 50.');
  const [, before = '', digits = '', after = ''] = match;
  return troubleWith({ before, digits, after }, typed) ?? parsed({ before, digits, after });
};

/** Whether the digits, with what stands before them, look like a telephone number. */
const looksLikePhone = ({ before, digits }: AmountText): boolean => {
  const bare = digits.replace(/[\s().-]/g, '');
  const international = before.trimEnd().endsWith('+') && /^\d{7,15}$/.test(bare);
  return international || /^(0\d{9}|(00)?233\d{9})$/.test(bare);
};

const troubleWith = (parts: AmountText, typed: string) => {
  const { before, digits, after } = parts;
  if (looksLikePhone(parts))
    return wrong(`${quoted(typed)} looks like a phone number. Please give an amount, such as 50.`);
  if (before.includes('-')) return wrong('The amount must be more than zero.');
  if (/pesewa/i.test(digits + after) || /^\s*ps?\b/i.test(after))
    return wrong('Please write pesewas as part of the amount, such as 0.50.');
  if (/^\s*(k|m|bn?|mil|hundred|thousand|million|billion|grand)\b/i.test(after))
    return wrong('Please write the amount in full, such as 1500 for 1.5k.');
  if (SPACED.test(digits))
    return wrong(
      `I see a space in ${quoted(digits)}. Write one amount without it: ${digits.replaceAll(' ', ',')}.`,
    );
  if (/[^\d.,' ]|\.\./.test(digits) || isRow(digits))
    return wrong(
      `I see more than one number in ${quoted(typed)}. Please give one amount, such as 50.`,
    );
  return undefined;
};

/** Plain numbers with spaces between them. */
const isRow = (digits: string): boolean =>
  / /.test(digits) && digits.split(' ').every((part) => PLAIN.test(part));

const PLAIN = /^\d+(\.\d+)?$/;
/** Thousands with spaces between them, or an amount and a reference: never read, because only the writer knows. */
const SPACED = /^[1-9]\d{0,2}(?: \d{3})+(?:\.\d+)?$/;
/** `1,200.50`. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;
/** `1.200` is 1,200 in half of the world. */
const POINT_GROUPED = /^[1-9]\d{0,2}\.\d{3}$/;
const UNGROUPED = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The digits of an amount as minor units, or a question where they can be read in two ways. */
export const readDigits = (
  digits: string,
  { currency, decimals }: { currency: string; decimals: number },
): Parsed<number> => {
  const clear = GROUPED.test(digits) || UNGROUPED.test(digits);
  if (!clear || (decimals < 3 && POINT_GROUPED.test(digits))) return unsure(digits);
  const [whole = '', fraction = ''] = digits.replaceAll(',', '').split('.');
  if (fraction.length > decimals) return tooManyDecimals(currency, decimals);
  if (whole.length > MAX_WHOLE_DIGITS) return wrong('That amount is too large.');
  const minor = toMinorUnits(whole, fraction, decimals);
  if (minor === undefined) return wrong('That amount is too large.');
  return minor > 0 ? parsed(minor) : wrong('The amount must be more than zero.');
};

const unsure = (digits: string) =>
  wrong(
    `I am not sure how to read ${quoted(digits)}. ` +
      'Use a point for decimals and commas for thousands, such as 1,200.50.',
  );

const tooManyDecimals = (currency: string, decimals: number) =>
  decimals === 0
    ? wrong(`${currency} has no decimals. Please give a whole amount, such as 50.`)
    : wrong(`${currency} has ${decimals} decimals at most. Please give an amount such as 1.50.`);
