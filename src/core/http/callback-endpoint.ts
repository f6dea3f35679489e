import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Callbacks } from '../callbacks/callbacks.ts';
import type { Log } from '../runtime/log.ts';
import { type Answer, answer, NOT_FOUND } from './answer.ts';
import type { UnverifiedBodies } from './unverified-bodies.ts';

const LARGEST_CALLBACK_BYTES = 64 * 1024;
const LONGEST_CONTENT_TYPE = 200;
const ADDRESS = /^\/callbacks\/([^/]+)\/([^/]+)$/;

const OK: Answer = { status: 200, text: 'ok' };
const NOT_STORED: Answer = { status: 503, text: 'not stored, please send it again' };

/** Whether an address looks like those that are issued. */
export const isCallbackPath = (path: string): boolean => ADDRESS.test(path);

/**
 * Takes a POST to a callback address. On bare requests, because this is the one route that a whole shop's
 * payments come through at once: a web framework's own objects for request, body and answer cost more than
 * storing the callback.
 */
export const takeCallback = async (
  request: IncomingMessage,
  response: ServerResponse,
  {
    path,
    callbacks,
    isAllowed,
    bodies,
    log,
  }: {
    path: string;
    callbacks: Pick<Callbacks, 'issued' | 'receive'>;
    /** Whether its sender is one that callbacks may come from. */
    isAllowed: boolean;
    bodies: UnverifiedBodies;
    log: Log;
  },
): Promise<void> => {
  const [, id = '', token = ''] = ADDRESS.exec(path) ?? [];
  // Checked first, and also for a sender that is not allowed: for an address that was not issued no body is read, and
  // the time of the answer tells nothing.
  const isIssued = callbacks.issued(id, token);
  if (!isIssued || !isAllowed) return answer(response, NOT_FOUND);
  const read = await bodies.read(request, LARGEST_CALLBACK_BYTES);
  if (!read.ok) {
    if (read.answer !== undefined) return answer(response, read.answer);
    // The client aborted: there is no one to send a response to.
    return log.warn({}, 'a callback broke off');
  }
  const contentType = (request.headers['content-type'] ?? '').slice(0, LONGEST_CONTENT_TYPE);
  try {
    const status = await callbacks.receive(id, read.body.toString(), contentType);
    answer(response, status === 200 ? OK : status === 404 ? NOT_FOUND : NOT_STORED);
  } catch (error) {
    log.error({ err: error }, 'a callback failed');
    answer(response, NOT_STORED);
  }
};
