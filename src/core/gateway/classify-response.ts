import { defined } from '../runtime/defined.ts';
import type { NotSent, RateLimited, Refusal, ServiceAnswer, Unknown } from './gateway.ts';
import type { PostResult } from './post-json.ts';
import { refusalReason, unclearReason, unreadableReason } from './reason-texts.ts';
import { type Envelope, readEnvelope } from './schemas.ts';

/** The meaning of an exchange, independent of the operation. */
export type Classified =
  /** HTTP 2xx and a response code, good or bad; what it means is the operation's business. */
  | { readonly kind: 'said'; readonly answer: ServiceAnswer; readonly envelope: Envelope }
  /** `understood`: it said no with a response code of its own, so the question as such was understood. */
  | (Refusal & { readonly understood: boolean })
  | NotSent
  | RateLimited
  | Unknown;

/** Code 000 is success; services that count it as a number drop its zeros. */
export const isSuccess = (code: string | undefined): boolean => /^0+$/.test(code ?? '');

/** Code 202: a payment was taken for processing. */
export const isAccepted = (code: string | undefined): boolean => code === '202';

/** Answers that certainly did nothing. Others, such as 408, 409 or 425, may come after the deed. */
const REFUSALS = new Set([400, 401, 403, 404, 405, 413, 415, 422]);
/** Refusals of the caller or of the way it asked, never of what was asked. */
const REFUSALS_OF_THE_CALLER = new Set([401, 403, 405, 413, 415]);

/** `hideKeys`: a service that complains may repeat the keys it was sent, and people are shown its words. */
export const classifyResponse = (
  exchange: PostResult,
  nowMs: number,
  hideKeys = (message: string) => message,
): Classified => {
  if (exchange.kind === 'unanswered') {
    const { unsent, reason } = exchange;
    return unsent ? { kind: 'notSent', reason } : { kind: 'unknown', answer: {}, reason };
  }
  const { httpStatus, body, retryAfter } = exchange;
  const envelope = body === undefined ? undefined : readEnvelope(body);
  const { code, message } = envelope ?? {};
  const answer: ServiceAnswer = {
    // An answer without a code of its own is known by its HTTP status.
    code: code ?? `HTTP ${httpStatus}`,
    ...(message !== undefined && { message: hideKeys(message) }),
  };
  const unknown = (reason: string): Classified => ({ kind: 'unknown', answer, reason });

  if (httpStatus >= 200 && httpStatus <= 299)
    return envelope === undefined || code === undefined
      ? unknown(unreadableReason(httpStatus))
      : { kind: 'said', answer, envelope };
  // "Yes" in the body and "no" in the head: a reader of the head alone might charge a second time.
  if (isSuccess(code) || isAccepted(code)) return unknown(unclearReason(httpStatus, answer));
  if (httpStatus === 429)
    return {
      kind: 'rateLimited',
      answer,
      ...defined({ retryAfterMs: parseRetryAfterMs(retryAfter, nowMs) }),
    };
  if (!REFUSALS.has(httpStatus)) return unknown(unclearReason(httpStatus, answer));
  return {
    kind: 'refused',
    answer,
    reason: refusalReason(httpStatus, answer),
    understood: code !== undefined && !REFUSALS_OF_THE_CALLER.has(httpStatus),
    ...((httpStatus === 401 || httpStatus === 403) && { keysRefused: true }),
  };
};

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
