import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';

export type HttpRequest = {
  /** Scheme, host and port; needed where the dispatcher serves several. */
  readonly origin?: string;
  readonly path: string;
  readonly method: 'GET' | 'POST';
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Readable | null;
  /** Ends the exchange with its reason as the error. */
  readonly signal?: AbortSignal | null | undefined;
  /** @default unlimited */
  readonly maxBodyBytes?: number;
};

export type HttpAnswer = {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** The whole body as it came, without decompression; else why there is none. */
  readonly body: Buffer | { readonly missing: unknown };
};

/**
 * Sends one request and reads the whole answer, with undici's `dispatch` alone: its `fetch`, made of web streams,
 * takes several times the CPU. Follows no redirect and sends nothing twice. Resolves once the head has come, even
 * when the body breaks off or is too long; rejects with the network's own error or the signal's reason before that.
 */
export const httpExchange = (
  dispatcher: Dispatcher,
  { signal, maxBodyBytes = Number.POSITIVE_INFINITY, ...request }: HttpRequest,
): Promise<HttpAnswer> => {
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  const chunks: Buffer[] = [];
  let bytes = 0;
  let head: Pick<HttpAnswer, 'status' | 'headers'> | undefined;
  let control: Dispatcher.DispatchController | undefined;
  let isOver = false;
  const end = (missing?: { readonly missing: unknown }): void => {
    if (isOver) return;
    isOver = true;
    signal?.removeEventListener('abort', abort);
    if (head === undefined) reject(missing?.missing);
    else resolve({ ...head, body: missing ?? wholeOf(chunks) });
  };
  const endEarly = (reason: unknown): void => {
    const error = reason instanceof Error ? reason : new Error('The exchange was ended.');
    end({ missing: error });
    control?.abort(error);
  };
  const abort = (): void => endEarly(signal?.reason);
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort, { once: true });
  if (isOver) return promise;
  dispatcher.dispatch(request, {
    onRequestStart: (controller) => {
      control = controller;
      // Ended while it waited for a connection: it must not be sent any more.
      if (isOver) controller.abort(new Error('The exchange was ended.'));
    },
    onResponseStart: (_, status, headers) => {
      if (status >= 200) head = { status, headers: headers as IncomingHttpHeaders };
    },
    onResponseData: (_, chunk) => {
      bytes += chunk.byteLength;
      if (bytes > maxBodyBytes) endEarly(new Error('The answer is too long.'));
      else chunks.push(chunk);
    },
    onResponseEnd: () => end(),
    onResponseError: (_, error) => end({ missing: error }),
  });
  return promise;
};

const wholeOf = (chunks: readonly Buffer[]): Buffer => {
  const [only] = chunks;
  return chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks);
};
