import type { Logger } from '@slack/bolt';
import { WebClient } from '@slack/web-api';
import type { Log } from '../../core/runtime/log.ts';
import type { BotParts } from '../platform.ts';
import { type QuickResponse, quickFetch, type WantedAnswer } from '../quick-fetch.ts';
import { LogLevel } from './bolt.ts';
import type { CommandNames } from './command-names.ts';

const TIMEOUT_MS = 10_000;
/** A trigger expires after 3 s. */
const VIEW_TIMEOUT_MS = 3_000;
/** A submission without an answer is an error in Slack after 3 s; two pages of members can be asked one after the other. */
const SHORT_TIMEOUT_MS = 1_200;
/** For a 429 without `retry-after`, which the SDK does not recognise as rate limiting. */
const WAIT_UNSAID_SECONDS = 10;

/** Who the bot is, as `auth.test` says. */
export type Identity = {
  readonly teamId: string;
  readonly botId: string;
  readonly botUserId: string;
};

export type SlackParts = Pick<BotParts, 'pacer' | 'clock' | 'log' | 'linkToPayment'> & {
  readonly clients: ReturnType<typeof createWebClients>;
  readonly apiUrl: string;
  readonly names: CommandNames;
  /** Undefined until connected. */
  readonly self: () => Identity | undefined;
};

/**
 * One client for each purpose, so that none waits in another's queue. The SDK's own retries are off: it would post
 * again what Slack may already have taken, and a queue paused for one throttled channel would let the other channels'
 * modals expire.
 */
export const createWebClients = (options: { botToken: string; apiUrl: string; log: Log }) => {
  const client = (timeout: number) =>
    new WebClient(options.botToken, {
      slackApiUrl: options.apiUrl,
      retryConfig: { retries: 0 },
      rejectRateLimitedCalls: true,
      allowAbsoluteUrls: false,
      timeout,
      logger: sdkLog(options.log),
      // The SDK reads no more of a response than this.
      fetch: fetchWithWaits as unknown as typeof fetch,
    });
  const answers = client(TIMEOUT_MS);
  const directChannels = new Map<string, string>();
  /** Id of the bot's direct channel with a person, opened if need be. Rejects with the SDK's errors. */
  const directChannelOf = async (userId: string): Promise<string> => {
    const known = directChannels.get(userId);
    if (known !== undefined) return known;
    const { channel } = await answers.conversations.open({ users: userId });
    if (channel?.id === undefined) throw new Error('conversations.open named no channel');
    directChannels.set(userId, channel.id);
    return channel.id;
  };
  return {
    /** Messages owed to conversations. */
    posts: client(TIMEOUT_MS),
    /** Answers for which a person waits. */
    answers,
    /** Modals, which must open within 3 s. */
    views: client(VIEW_TIMEOUT_MS),
    /** Questions for which a person or a message waits, and which may stay without an answer. */
    quick: client(SHORT_TIMEOUT_MS),
    /** Home tabs, for which nothing else waits. */
    homes: client(TIMEOUT_MS),
    directChannelOf,
  };
};

/** Gives every 429 a `retry-after`. */
const fetchWithWaits = async (url: unknown, wanted?: WantedAnswer): Promise<QuickResponse> => {
  const answer = await quickFetch(url, wanted);
  if (answer.status === 429 && !/^\d+$/.test(answer.headers.get('retry-after') ?? ''))
    answer.headers.set('retry-after', String(WAIT_UNSAID_SECONDS));
  return answer;
};

/** The SDK's log within the program's. Its debug lines hold payloads with customers' numbers, so they are dropped. */
export const sdkLog = (log: Log): Logger => ({
  debug: () => {},
  info: (...words) => log.debug({ sdk: textOf(words) }, 'slack sdk'),
  warn: (...words) => log.warn({ sdk: textOf(words) }, 'slack sdk'),
  error: (...words) => log.warn({ sdk: textOf(words) }, 'slack sdk'),
  setLevel: () => {},
  getLevel: () => LogLevel.INFO,
  setName: () => {},
});

const LONGEST_LOGGED = 500;

/** Messages of errors only: their other properties may hold requests and answers. */
const textOf = (words: readonly unknown[]): string => {
  const text = words
    .map((word) => (word instanceof Error ? `${word.name}: ${word.message}` : String(word)))
    .join(' ');
  // Cut between words: the log's mask would not recognise half a token.
  return text.length <= LONGEST_LOGGED
    ? text
    : `${text.slice(0, LONGEST_LOGGED).replace(/\S+$/, '')}…`;
};
