/** Longer waits mean the same to us, and an endless one must not get into arithmetic. */
export const LONGEST_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

/** The one date form that HTTP senders may write. `Date.parse` alone takes "-5" for a date. */
const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * How long a `Retry-After` header asks to wait, in ms: seconds or an HTTP date, at most
 * `LONGEST_RETRY_AFTER_MS`. `undefined` for anything that is no wait, such as a date gone by.
 */
export const parseRetryAfterMs = (
  header: string | undefined,
  nowMs: number,
): number | undefined => {
  const text = header?.trim() ?? '';
  const waitMs = HTTP_DATE.test(text) ? Date.parse(text) - nowMs : wholeSecondsMs(text);
  if (Number.isNaN(waitMs) || waitMs < 0) return undefined;
  return Math.min(waitMs, LONGEST_RETRY_AFTER_MS);
};

const wholeSecondsMs = (text: string): number =>
  /^\d+$/.test(text) ? Number(text) * 1000 : Number.NaN;
