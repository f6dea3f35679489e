import { maskPhones } from '../runtime/masking.ts';
import type { ServiceAnswer } from './gateway.ts';

/** Longest part of the service's words that is quoted. */
const LONGEST_QUOTE = 160;

/**
 * The service's own words in quotes, and its code, nothing made up. The same code means different things at
 * different services, so an unlisted one is shown and never explained. Many read them, so a phone number in
 * them is not shown in full.
 */
export const quoted = ({ code, message }: ServiceAnswer): string => {
  const known = code === undefined ? [] : [`code ${quotable(code)}`];
  if (message === undefined) return known[0] ?? 'nothing';
  const words = `"${quotable(message)}"`;
  return known.length === 0 ? words : `${words} (${known[0]})`;
};

/** The text between the quotes. */
export const quotable = (message: string): string => {
  const words = maskPhones(message)
    .replace(/[.\s]+$/, '')
    .replaceAll('"', "'");
  return words.length <= LONGEST_QUOTE
    ? words
    : `${words.slice(0, LONGEST_QUOTE - 1).toWellFormed()}…`;
};

/** What was answered with 429 was reached, so it is never said that it was not. */
const TOO_BUSY = 'The payment service was too busy and took nothing.';

/** Why something was not sent in the end; after a 429 the sentence begins with that. */
export const notSentReason = (rateLimits: number, reason = ''): string =>
  rateLimits === 0 ? reason : `${TOO_BUSY} ${reason}`.trimEnd();

/** Whether a reason is about keys or settings, which the owner alone can correct. */
export const isForOwner = (reason: string | undefined): boolean =>
  reason?.includes(' The owner has to ') === true;

/** Why the service said no, and who can do something about it. */
export const refusalReason = (httpStatus: number, answer: ServiceAnswer): string => {
  switch (httpStatus) {
    case 401:
      return 'The payment service did not accept our keys. The owner has to check them.';
    case 403:
      return 'The payment service does not allow this to our account. The owner has to check what the account may do.';
    case 404:
    case 405:
      return `The payment service does not know this address: ${quoted(answer)}. The owner has to check PAYMENTS_BASE_URL.`;
    default:
      return `The payment service refused: ${quoted(answer)}.`;
  }
};

/**
 * Why an answer does not settle the matter. Without the service's words: "failed, try again" in them would
 * be taken for the outcome of a payment that may or may not have arrived.
 */
export const unclearReason = (httpStatus: number, answer: ServiceAnswer): string =>
  httpStatus >= 300 && httpStatus <= 399
    ? `The payment service pointed to another address (HTTP ${httpStatus}). I do not follow it.`
    : `The payment service gave no clear answer (HTTP ${httpStatus})${ownCode(answer)}.`;

export const unreadableReason = (httpStatus: number): string =>
  `The payment service gave an answer that cannot be read (HTTP ${httpStatus}).`;

export const unlistedReason = (answer: ServiceAnswer): string =>
  `The payment service gave an answer that its document does not explain${ownCode(answer)}.`;

/** For support, where it is a number and no words. */
const ownCode = ({ code }: ServiceAnswer): string =>
  code !== undefined && /^[\d./-]{1,12}$/.test(code) ? ` (code ${maskPhones(code)})` : '';
