import { backoffMs } from '../runtime/backoff.ts';
import type { Random } from '../runtime/random.ts';

/** A request for money or an SMS is sent this many times more after a 429, then it is `not sent`. */
export const MOST_RATE_LIMITS = 5;
/** The longest wait after a 429; caps `Retry-After`. */
export const LONGEST_SEND_WAIT_MS = 60_000;
const SEND_BACKOFF = { firstMs: 2_000, longestMs: LONGEST_SEND_WAIT_MS };
/** For the wait under `PAYMENTS_RATE` and for storing the answer, on top of the longest request. */
const GRACE_MS = 30_000;
/** A request that is sent in time has been answered, or has timed out, before it is presumed lost. */
const MARGIN_MS = 1_000;

/**
 * The deadlines of a request whose record is stored as being sent at `beganMs`: past `sendByMs` it must not be sent
 * any more, and from `presumedLostAtMs` on other workers take its sender for dead.
 */
export const requestDeadlines = (
  beganMs: number,
  requestTimeoutMs: number,
): { readonly sendByMs: number; readonly presumedLostAtMs: number } => ({
  sendByMs: beganMs + GRACE_MS - MARGIN_MS,
  presumedLostAtMs: beganMs + requestTimeoutMs + GRACE_MS,
});

/** The wait before a request is sent again. `rateLimits`: how often it was answered with 429, this time included. */
export const rateLimitWaitMs = (
  rateLimits: number,
  retryAfterMs: number | undefined,
  random: Random,
): number =>
  Math.min(retryAfterMs ?? backoffMs(rateLimits, SEND_BACKOFF, random), LONGEST_SEND_WAIT_MS);
