import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Callbacks } from '../callbacks/callbacks.ts';
import type { Log } from '../runtime/log.ts';
import { type Answer, answer, NOT_FOUND } from './answer.ts';

const LARGEST_CALLBACK_BYTES = 64 * 1024;
const LONGEST_CONTENT_TYPE = 200;
const ADDRESS = /^\/callbacks\/([^/]+)\/([^/]+)$/;

const OK: Answer = { status: 200, text: 'ok' };
const NOT_STORED: Answer = { status: 503, text: 'not stored, please send it again' };
const TOO_LARGE: Answer = {
  status: 413,
  text: 'larger than 64 KiB',
  // The rest of the body is not read.
  headers: { connection: 'close' },
};

/** Whether an address looks like those that are issued. */
export const isCallbackPath = (path: string): boolean => ADDRESS.test(path);

/**
 * Takes a POST to a callback address. On bare requests, because this is the one route that a whole shop's
 * payments come through at once: a web framework's own objects for request, body and answer cost more than
 * storing the callback.
 */
export const takeCallback = (
  request: IncomingMessage,
  response: ServerResponse,
  {
    path,
    callbacks,
    isAllowed,
    log,
  }: {
    path: string;
    callbacks: Pick<Callbacks, 'issued' | 'receive'>;
    /** Whether its sender is one that callbacks may come from. */
    isAllowed: boolean;
    log: Log;
  },
): void => {
  const [, id = '', token = ''] = ADDRESS.exec(path) ?? [];
  // Checked first, and also for a sender that is not allowed: for an address that was not issued no body is read, and
  // the time of the answer tells nothing.
  const isIssued = callbacks.issued(id, token);
  if (!isIssued || !isAllowed) {
    answer(response, NOT_FOUND);
    return;
  }
  readBody(request, {
    whole: (body) => {
      const contentType = (request.headers['content-type'] ?? '').slice(0, LONGEST_CONTENT_TYPE);
      callbacks.receive(id, body, contentType).then(
        (status) => answer(response, answerFor(status)),
        (error) => {
          log.error({ err: error }, 'a callback failed');
          answer(response, NOT_STORED);
        },
      );
    },
    tooLarge: () => answer(response, TOO_LARGE),
    // The client aborted: there is no one to send a response to.
    broken: (error) => log.warn({ err: error }, 'a callback broke off'),
  });
};

const answerFor = (status: 200 | 404 | 503): Answer =>
  status === 200 ? OK : status === 404 ? NOT_FOUND : NOT_STORED;

/** Calls exactly one of the three. */
const readBody = (
  request: IncomingMessage,
  then: { whole(body: string): void; tooLarge(): void; broken(error: Error): void },
): void => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const take = (chunk: Buffer): void => {
    bytes += chunk.length;
    chunks.push(chunk);
    if (bytes <= LARGEST_CALLBACK_BYTES) return;
    request.off('data', take).off('end', finish);
    then.tooLarge();
  };
  const finish = (): void => then.whole(Buffer.concat(chunks, bytes).toString());
  if (Number(request.headers['content-length']) > LARGEST_CALLBACK_BYTES) then.tooLarge();
  else request.on('data', take).on('end', finish);
  request.on('error', then.broken);
};
