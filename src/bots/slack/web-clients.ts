import type { IncomingHttpHeaders } from 'node:http';
import { WebClient } from '@slack/web-api';
import { request } from 'undici';
import type { Log } from '../../core/log.ts';
import { sdkLog } from './sdk-log.ts';

const TIMEOUT_MS = 10_000;
/** A trigger is worth nothing after 3 s. */
const VIEW_TIMEOUT_MS = 3_000;
/** Assumed when Slack asks for patience without saying how much; the SDK would not recognise it at all. */
const WAIT_UNSAID_SECONDS = 10;

/** One client for each purpose, so that none waits in another's queue. */
export type WebClients = {
  /** Messages owed to conversations. */
  readonly posts: WebClient;
  /** Answers somebody waits for. */
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
      fetch: quickFetch,
    });
  return { posts: client(TIMEOUT_MS), answers: client(TIMEOUT_MS), views: client(VIEW_TIMEOUT_MS) };
};

/**
 * What the SDK needs of `fetch`, at a fraction of its cost, and with every 429 saying how long to wait.
 * It follows no redirect: the SDK takes one for the refusal that it is.
 */
const quickFetch: typeof fetch = async (url, init) => {
  const { statusCode, headers, body } = await request(String(url), {
    method: 'POST',
    // The SDK gives both as they are here; only files would come otherwise, and there are none.
    headers: init?.headers as Record<string, string>,
    body: init?.body as string,
    signal: init?.signal ?? null,
  });
  const text = await body.text();
  const answer = new Response(text === '' ? null : text, {
    status: statusCode,
    headers: asPairs(headers),
  });
  const wait = answer.headers.get('retry-after') ?? '';
  if (statusCode === 429 && !/^\d+$/.test(wait))
    answer.headers.set('retry-after', String(WAIT_UNSAID_SECONDS));
  return answer;
};

const asPairs = (headers: IncomingHttpHeaders): [string, string][] =>
  Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  );
