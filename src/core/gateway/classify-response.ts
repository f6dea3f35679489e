import { defined } from '../runtime/defined.ts';
import type {
  NoAnswer,
  NotAccepted,
  NotSent,
  RateLimited,
  Refusal,
  ServiceAnswer,
  Unknown,
} from './gateway.ts';
import type { PostResult } from './post-json.ts';
import { refusalReason, unclearReason, unlistedReason, unreadableReason } from './reason-texts.ts';

/** What a provider's reader finds in the body of an answer; `E` of {@link Classified} adds its own fields. */
export type Envelope = {
  readonly code?: string;
  readonly message?: string;
  /** The code says that something was done, taken or found. */
  readonly isYes: boolean;
};

export type Reader<E extends Envelope> = {
  /** Returns undefined when the body cannot be read. */
  readonly readEnvelope: (body: string) => E | undefined;
  /** A service that complains may repeat the keys it was sent, and people are shown its words. */
  readonly hideSecrets?: (message: string) => string;
};

/** The meaning of an exchange, independent of the operation. */
export type Classified<E extends Envelope = Envelope> =
  /** HTTP 2xx and a response code, good or bad; what it means is the operation's business. */
  | { readonly kind: 'said'; readonly answer: ServiceAnswer; readonly envelope: E }
  | PlainRefusal
  | NotSent
  | RateLimited
  | Unknown;

/** `understood`: it said no with a response code of its own, so the question as such was understood. */
type PlainRefusal = Refusal & { readonly understood: boolean };

/** Answers that certainly did nothing. Others, such as 408, 409 or 425, may come after the deed. */
const REFUSALS = new Set([400, 401, 403, 404, 405, 413, 415, 422]);
/** Refusals of the caller or of the way it asked, never of what was asked. */
const REFUSALS_OF_THE_CALLER = new Set([401, 403, 405, 413, 415]);

export const classifyResponse = <E extends Envelope>(
  exchange: PostResult,
  { readEnvelope, hideSecrets = (message) => message }: Reader<E>,
  nowMs: number,
): Classified<E> => {
  if (exchange.kind === 'unanswered') {
    const { unsent, reason } = exchange;
    return unsent ? { kind: 'notSent', reason } : { kind: 'unknown', answer: {}, reason };
  }
  const { httpStatus, body, retryAfter } = exchange;
  const envelope = body === undefined ? undefined : readEnvelope(body);
  const { code, message } = envelope ?? {};
  // An answer without a code of its own is known by its HTTP status.
  const answer: ServiceAnswer = {
    code: code ?? `HTTP ${httpStatus}`,
    ...(message !== undefined && { message: hideSecrets(message) }),
  };
  const unknown = (reason: string): Unknown => ({ kind: 'unknown', answer, reason });

  if (httpStatus >= 200 && httpStatus <= 299)
    return envelope === undefined || code === undefined
      ? unknown(unreadableReason(httpStatus))
      : { kind: 'said', answer, envelope };
  // "Yes" in the body and "no" in the head: a reader of the head alone might charge a second time.
  if (envelope?.isYes) return unknown(unclearReason(httpStatus, answer));
  if (httpStatus === 429) {
    const retryAfterMs = parseRetryAfterMs(retryAfter, nowMs);
    return { kind: 'rateLimited', answer, ...defined({ retryAfterMs }) };
  }
  if (!REFUSALS.has(httpStatus)) return unknown(unclearReason(httpStatus, answer));
  return {
    kind: 'refused',
    answer,
    reason: refusalReason(httpStatus, answer),
    understood: code !== undefined && !REFUSALS_OF_THE_CALLER.has(httpStatus),
    ...((httpStatus === 401 || httpStatus === 403) && { keysRefused: true }),
  };
};

type NotSaid = Exclude<Classified, { kind: 'said' }>;

/** "No such account", "no such payment": said with HTTP 404 as often as with a code under HTTP 200. */
export const isPlainNo = (verdict: Classified): verdict is PlainRefusal =>
  verdict.kind === 'refused' && verdict.understood;

/** An undocumented code may mean anything, a payment on its way included. */
export const unlisted = (answer: ServiceAnswer): Unknown => ({
  kind: 'unknown',
  answer,
  reason: unlistedReason(answer),
});

export const notAccepted = (verdict: NotSaid): NotAccepted => {
  if (verdict.kind !== 'refused') return verdict;
  const { understood: _, ...refusal } = verdict;
  return refusal;
};

export const noAnswer = (verdict: NotSaid): NoAnswer => {
  const outcome = notAccepted(verdict);
  if (outcome.kind === 'rateLimited' || outcome.kind === 'refused') return outcome;
  return { answer: {}, ...outcome, kind: 'noAnswer' };
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
