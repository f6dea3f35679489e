import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Update } from 'grammy/types';
import { z } from 'zod';
import { type Answer, answer } from '../../core/http/answer.ts';
import type { Log } from '../../core/runtime/log.ts';
import { isSameSecret } from '../../core/runtime/same-secret.ts';
import { jsonOf } from '../../core/values/json-of.ts';
import type { HandleRequest } from '../bot.ts';
import { safeError } from './failure.ts';
import { LIMITS } from './limits.ts';

const SECRET_HEADER = 'x-telegram-bot-api-secret-token';
/** What of an update is checked: grammY's types describe the rest. */
const anUpdate = z.looseObject({ update_id: z.int() });
const NOT_READY: Answer = {
  status: 503,
  text: 'not ready, please deliver again',
  headers: { 'retry-after': '5' },
};

type WebhookOptions = {
  readonly secret: string;
  /** Undefined: not now (still connecting, or stopping). */
  readonly taker: () => ((update: Update) => Promise<void>) | undefined;
  readonly log: Log;
};

/**
 * The webhook as a Node request handler. Telegram delivers again what is not answered with 200, so the answer
 * waits for `take` to resolve. Every request gets an answer.
 */
export const webhookHandler =
  (options: WebhookOptions): HandleRequest =>
  (request, response) => {
    void answerTo(request, options)
      .catch((error): Answer => {
        options.log.warn({ error: safeError(error) }, 'a webhook request broke off');
        return { status: 400, text: 'the request broke off' };
      })
      .then((given) => send(request, response, given));
  };

const answerTo = async (
  request: IncomingMessage,
  { secret, taker }: WebhookOptions,
): Promise<Answer> => {
  if (request.method !== 'POST') return { status: 405, text: 'POST only' };
  // Checked before the body is read, so that a request without the secret costs nothing.
  const given = request.headers[SECRET_HEADER];
  if (typeof given !== 'string' || secret === '' || !isSameSecret(secret, given))
    return { status: 401, text: 'not for you' };
  const body = await readBody(request);
  if (body === undefined) return { status: 413, text: 'too large' };
  const update = anUpdate.safeParse(jsonOf(body));
  if (!update.success) return { status: 400, text: 'not an update' };
  const take = taker();
  if (take === undefined) return NOT_READY;
  await take(update.data as Update);
  return { status: 200, text: '' };
};

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

const send = (request: IncomingMessage, response: ServerResponse, given: Answer): void => {
  if (response.headersSent || response.destroyed) return;
  // An unread body would be parsed as the next request on this connection.
  const headers: Record<string, string> = request.readableEnded ? {} : { connection: 'close' };
  answer(response, { ...given, headers: { ...given.headers, ...headers } });
};
