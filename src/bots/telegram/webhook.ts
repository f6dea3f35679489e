import type { IncomingMessage } from 'node:http';
import type { Update } from 'grammy/types';
import { z } from 'zod';
import { type Answer, answer } from '../../core/http/answer.ts';
import { UnverifiedBodies } from '../../core/http/unverified-bodies.ts';
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
 * waits for `take` to resolve. Every request gets an answer unless its sender is gone.
 */
export const webhookHandler = (options: WebhookOptions): HandleRequest => {
  const bodies = new UnverifiedBodies(LIMITS.webhookBodiesBytes);
  return async (request, response) => {
    try {
      const given = await answerTo(request, bodies, options);
      if (given !== undefined) answer(response, given);
    } catch (error) {
      options.log.error({ error: safeError(error) }, 'a webhook request could not be answered');
    }
  };
};

const answerTo = async (
  request: IncomingMessage,
  bodies: UnverifiedBodies,
  { secret, taker }: WebhookOptions,
): Promise<Answer | undefined> => {
  if (request.method !== 'POST') return { status: 405, text: 'POST only' };
  // Checked before the body is read, so that a request without the secret costs nothing.
  const given = request.headers[SECRET_HEADER];
  if (typeof given !== 'string' || secret === '' || !isSameSecret(secret, given))
    return { status: 401, text: 'not for you' };
  const read = await bodies.read(request, LIMITS.webhookBodyBytes);
  if (!read.ok) return read.answer;
  const update = anUpdate.safeParse(jsonOf(read.body.toString()));
  if (!update.success) return { status: 400, text: 'not an update' };
  const take = taker();
  if (take === undefined) return NOT_READY;
  await take(update.data as Update);
  return { status: 200, text: '' };
};
