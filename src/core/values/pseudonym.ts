import { createHmac } from 'node:crypto';

/** The replacement of a forgotten customer's name. */
export const FORGOTTEN_NAME = 'forgotten';

/** Twelve digits of base 16: two of a million customers share one with a chance of less than 1 in 500. */
const DIGITS = 12;
const PSEUDONYM = /^forgotten-[0-9a-f]{12}$/;

/**
 * What a forgotten number is replaced by, for example `forgotten-7f3a9c21b04d`: the same for all that a customer
 * ever paid, and without the key it cannot be made from a number.
 */
export const pseudonymOf = (number: string, key: string): string =>
  `forgotten-${createHmac('sha256', key).update(`customer:${number}`).digest('hex').slice(0, DIGITS)}`;

export const isPseudonym = (number: string): boolean => PSEUDONYM.test(number);
