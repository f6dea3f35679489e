import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
} from '@slack/web-api';
import { NotPermittedError } from '../../commands/access/not-permitted-error.ts';
import { connectFailure } from '../../core/runtime/connect-failure.ts';

/** Why a call to Slack failed, by what can be done about it. */
export type Failure =
  | { readonly kind: 'rateLimited'; readonly retryAfterMs: number }
  /** Slack answered no; `code` is its word, such as `not_in_channel`. */
  | { readonly kind: 'said no'; readonly code: string }
  /** The request certainly never left. */
  | { readonly kind: 'not sent'; readonly reason: string }
  /** Nobody knows whether Slack did it. */
  | { readonly kind: 'unclear'; readonly reason: string };

const SHORTEST_WAIT_MS = 1_000;
const LONGEST_WAIT_MS = 300_000;
/** Slack's own words for "it may have happened all the same". */
const UNCLEAR_CODES = new Set([
  'fatal_error',
  'internal_error',
  'request_timeout',
  'service_unavailable',
]);
const RATE_CODES = new Set(['ratelimited', 'rate_limited', 'message_limit_exceeded']);
/** The words in it come from Slack's codes and from errno alone, so they may be logged and shown. */
export const failureOf = (error: unknown): Failure => {
  if (error instanceof WebAPIRateLimitedError) return rateLimited(error.retryAfter * 1_000);
  if (error instanceof WebAPIPlatformError) return saidNo(error.data.error);
  if (error instanceof WebAPIHTTPError)
    return { kind: 'unclear', reason: `Slack answered HTTP ${error.statusCode}` };
  if (error instanceof WebAPIRequestError) return networkFailure(error.original);
  return networkFailure(error);
};

const rateLimited = (waitMs: number): Failure => ({
  kind: 'rateLimited',
  retryAfterMs: Math.min(Math.max(waitMs, SHORTEST_WAIT_MS), LONGEST_WAIT_MS),
});

const saidNo = (code: string): Failure => {
  // The SDK puts a body that is not JSON here, a proxy's error page for example: no answer of Slack's.
  if (!/^[a-z0-9_-]{1,80}$/.test(code))
    return { kind: 'unclear', reason: 'an answer that is not Slack’s' };
  if (RATE_CODES.has(code)) return rateLimited(SHORTEST_WAIT_MS);
  if (UNCLEAR_CODES.has(code)) return { kind: 'unclear', reason: `Slack says ${code}` };
  return { kind: 'said no', code };
};

const networkFailure = (error: unknown): Failure => {
  const failure = connectFailure(error);
  return failure === undefined
    ? { kind: 'unclear', reason: `no answer (${errorCode(error) ?? nameOf(error)})` }
    : { kind: 'not sent', reason: `no connection (${failure.code})` };
};

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'unknown');

/** The first code in an error or its causes; the SDK and `fetch` each wrap it once. */
const errorCode = (error: unknown): string | undefined => {
  if (!(error instanceof Error)) return undefined;
  return 'code' in error && typeof error.code === 'string' ? error.code : errorCode(error.cause);
};

/** In a few words, for the log. */
export const failureText = (failure: Failure): string => {
  switch (failure.kind) {
    case 'rateLimited':
      return `rate limited for ${failure.retryAfterMs} ms`;
    case 'said no':
      return failure.code;
    default:
      return failure.reason;
  }
};

/** The error of a question about people that Slack did not answer. */
export const noAnswerError = (what: string, failure: Failure): Error => {
  const message = `${what}: ${failureText(failure)}`;
  return failure.kind === 'said no' && failure.code === 'missing_scope'
    ? new NotPermittedError(message)
    : new Error(message);
};
