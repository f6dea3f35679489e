import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Update } from 'grammy/types';
import { type Answer, answer } from '../../core/http/answer.ts';
import type { Log } from '../../core/runtime/log.ts';
import { LIMITS } from './limits.ts';
import { safeError } from './safe-error.ts';

const SECRET_HEADER = 'x-telegram-bot-api-secret-token';
const NOT_READY: Answer = {
  status: 503,
  text: 'not ready, please deliver again',
  headers: { 'retry-after': '5' },
};

/**
 * The webhook as a Node request handler. Telegram delivers again what is not answered with 200, so the answer
 * waits for `take` to resolve. Every request gets an answer.
 */
export const webhookHandler =
  (options: {
    secret: string;
    /** Undefined: not now (still connecting, or stopping). */
    taker: () => ((update: Update) => Promise<void>) | undefined;
    log: Log;
  }) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    void answerTo(request, options)
      .catch((error): Answer => {
        options.log.warn({ error: safeError(error) }, 'a webhook request broke off');
        return { status: 400, text: 'the request broke off' };
      })
      .then((given) => send(request, response, given));
  };

const answerTo = async (
  request: IncomingMessage,
  { secret, taker }: Parameters<typeof webhookHandler>[0],
): Promise<Answer> => {
  if (request.method !== 'POST') return { status: 405, text: 'POST only' };
  // Checked before the body is read, so that a request without the secret costs nothing.
  if (!sameSecret(request.headers[SECRET_HEADER], secret))
    return { status: 401, text: 'not for you' };
  const body = await readBody(request);
  if (body === undefined) return { status: 413, text: 'too large' };
  const update = updateOf(body);
  if (update === undefined) return { status: 400, text: 'not an update' };
  const take = taker();
  if (take === undefined) return NOT_READY;
  await take(update);
  return { status: 200, text: '' };
};

/** Constant time: hashes have one length, so neither the secret's length nor its beginning leaks. */
const sameSecret = (given: string | string[] | undefined, secret: string): boolean =>
  typeof given === 'string' && secret !== '' && timingSafeEqual(hash(given), hash(secret));

const hash = (text: string): Buffer => createHash('sha256').update(text).digest();

const readBody = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += (chunk as Buffer).length;
    if (bytes > LIMITS.webhookBodyBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks).toString('utf8');
};

const updateOf = (body: string): Update | undefined => {
  try {
    const value: unknown = JSON.parse(body);
    const isUpdate =
      typeof value === 'object' &&
      value !== null &&
      'update_id' in value &&
      Number.isSafeInteger(value.update_id);
    return isUpdate ? (value as Update) : undefined;
  } catch {
    // Not JSON; the caller answers 400.
    return undefined;
  }
};

const send = (request: IncomingMessage, response: ServerResponse, given: Answer): void => {
  if (response.headersSent || response.destroyed) return;
  // An unread body would be parsed as the next request on this connection.
  const headers: Record<string, string> = request.readableEnded ? {} : { connection: 'close' };
  answer(response, { ...given, headers: { ...given.headers, ...headers } });
};
