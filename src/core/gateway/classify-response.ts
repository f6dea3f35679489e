import type { PostResult } from './post-json.ts';
import { refusalReason, unclearReason, unreadableReason } from './reason-texts.ts';
import { parseRetryAfterMs } from './retry-after.ts';
import { type Envelope, readEnvelope } from './schemas.ts';
import type { ServiceAnswer } from './service-answer.ts';

type Answered = Extract<PostResult, { kind: 'answered' }>;

/** What an exchange says, whatever was asked. */
export type Classified =
  /** HTTP 2xx and a response code, good or bad; what it means is the operation's business. */
  | { readonly kind: 'said'; readonly answer: ServiceAnswer; readonly envelope: Envelope }
  | { readonly kind: 'notSent'; readonly reason: string }
  | {
      readonly kind: 'refused';
      readonly answer: ServiceAnswer;
      readonly reason: string;
      /** It said no with a response code of its own, so the question as such was understood. */
      readonly understood: boolean;
      readonly keysRefused: boolean;
    }
  | { readonly kind: 'rateLimited'; readonly answer: ServiceAnswer; readonly retryAfterMs?: number }
  /** It was sent, or may have been, and no answer to rely on came back. */
  | { readonly kind: 'unclear'; readonly answer: ServiceAnswer; readonly reason: string };

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
  if (exchange.kind === 'answered') return classifyAnswer(exchange, nowMs, hideKeys);
  const { unsent, reason } = exchange;
  return unsent ? { kind: 'notSent', reason } : { kind: 'unclear', answer: {}, reason };
};

const classifyAnswer = (
  exchange: Answered,
  nowMs: number,
  hideKeys: (message: string) => string,
): Classified => {
  const { httpStatus } = exchange;
  const envelope = exchange.body === undefined ? undefined : readEnvelope(exchange.body);
  const answer = answerOf(httpStatus, envelope, hideKeys);
  const unclear = (reason: string): Classified => ({ kind: 'unclear', answer, reason });

  if (httpStatus >= 200 && httpStatus <= 299)
    return envelope?.code === undefined
      ? unclear(unreadableReason(httpStatus))
      : { kind: 'said', answer, envelope };
  // "Yes" in the body and "no" in the head: a reader of the head alone might charge a second time.
  if (isSuccess(envelope?.code) || isAccepted(envelope?.code))
    return unclear(unclearReason(httpStatus, answer));
  if (httpStatus === 429) {
    const retryAfterMs = parseRetryAfterMs(exchange.retryAfter, nowMs);
    return { kind: 'rateLimited', answer, ...(retryAfterMs !== undefined && { retryAfterMs }) };
  }
  if (!REFUSALS.has(httpStatus)) return unclear(unclearReason(httpStatus, answer));
  const understood = envelope?.code !== undefined && !REFUSALS_OF_THE_CALLER.has(httpStatus);
  return {
    kind: 'refused',
    answer,
    reason: refusalReason(httpStatus, answer),
    understood,
    keysRefused: httpStatus === 401 || httpStatus === 403,
  };
};

/** An answer without a code of its own is known by its HTTP status. */
const answerOf = (
  httpStatus: number,
  envelope: Envelope | undefined,
  hideKeys: (message: string) => string,
): ServiceAnswer => ({
  code: envelope?.code ?? `HTTP ${httpStatus}`,
  ...(envelope?.message !== undefined && { message: hideKeys(envelope.message) }),
});
