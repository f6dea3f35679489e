import { WebClient } from '@slack/web-api';
import type { Log } from '../../core/runtime/log.ts';
import { quickFetch } from '../quick-fetch.ts';
import { sdkLog } from './sdk-log.ts';

const TIMEOUT_MS = 10_000;
/** A trigger expires after 3 s. */
const VIEW_TIMEOUT_MS = 3_000;
/** For a 429 without `retry-after`, which the SDK does not recognise as rate limiting. */
const WAIT_UNSAID_SECONDS = 10;

/** One client for each purpose, so that none waits in another's queue. */
export type WebClients = {
  /** Messages owed to conversations. */
  readonly posts: WebClient;
  /** Answers for which a person waits. */
  readonly answers: WebClient;
  /** Modals, which must open within 3 s. */
  readonly views: WebClient;
};

/**
 * The SDK's own retries are off: it would post again what Slack may already have taken, and a queue
 * paused for one throttled channel would let the other channels' modals expire.
 */
export const createWebClients = (options: {
  botToken: string;
  apiUrl: string;
  log: Log;
}): WebClients => {
  const client = (timeout: number) =>
    new WebClient(options.botToken, {
      slackApiUrl: options.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      timeout,
      logger: sdkLog(options.log),
      fetch: fetchWithWaits,
    });
  return { posts: client(TIMEOUT_MS), answers: client(TIMEOUT_MS), views: client(VIEW_TIMEOUT_MS) };
};

/** Gives every 429 a `retry-after`. */
const fetchWithWaits = async (...wanted: Parameters<typeof quickFetch>): Promise<Response> => {
  const answer = await quickFetch(...wanted);
  if (answer.status === 429 && !/^\d+$/.test(answer.headers.get('retry-after') ?? ''))
    answer.headers.set('retry-after', String(WAIT_UNSAID_SECONDS));
  return answer;
};
