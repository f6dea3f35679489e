import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import { getGlobalDispatcher } from 'undici';
import { type HttpRequest, httpExchange } from '../core/runtime/http-exchange.ts';

/** What the SDKs pass to `fetch`; a body is text, or a stream with a file in it. */
export type WantedAnswer = {
  readonly method?: string | undefined;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly signal?: unknown;
};

/**
 * The part of `fetch` that the SDKs use, without its cost. Follows no redirect: neither API has any, and an SDK
 * treats one as a refusal. Rejects with the network's own error and its `code`.
 */
export const quickFetch = async (
  url: unknown,
  { method, headers, body, signal }: WantedAnswer = {},
): Promise<QuickResponse> => {
  const answer = await exchangeAt(String(url), {
    method: method === 'GET' ? 'GET' : 'POST',
    headers: headers as Record<string, string>,
    body: (body ?? null) as string | Readable | null,
    signal: (signal ?? null) as AbortSignal | null,
  });
  if (!Buffer.isBuffer(answer.body)) throw answer.body.missing;
  const text = answer.body.toString();
  return {
    url: String(url),
    status: answer.status,
    statusText: STATUS_CODES[answer.status] ?? '',
    headers: quickHeaders(answer.headers),
    text: async () => text,
    json: async () => JSON.parse(text),
  };
};

/** What the SDKs read of a `Response`, whose own body would be a web stream. */
export type QuickResponse = Pick<Response, 'url' | 'status' | 'statusText' | 'text' | 'json'> & {
  readonly headers: ReturnType<typeof quickHeaders>;
};

/** What the SDKs read of `Headers`. Names are in small letters. */
const quickHeaders = (named: IncomingHttpHeaders) => {
  const values = new Map(Object.entries(named).map(([name, value]) => [name, String(value)]));
  return {
    get: (name: string) => values.get(name) ?? null,
    set: (name: string, value: string) => void values.set(name, value),
    entries: () => values.entries(),
  };
};

const exchangeAt = (url: string, request: Omit<HttpRequest, 'origin' | 'path'>) => {
  const { origin, pathname, search } = new URL(url);
  return httpExchange(getGlobalDispatcher(), { origin, path: `${pathname}${search}`, ...request });
};

/**
 * The bytes at an address, `mostBytes` at most. Follows no redirect: the token of a platform goes to no other host.
 * Rejects with the network's own error, when there are more bytes, and with any status but 200.
 */
export const downloadBytes = async (
  url: string,
  mostBytes: number,
  signal: AbortSignal,
  headers: Readonly<Record<string, string>> = {},
): Promise<Buffer> => {
  const request = { method: 'GET', headers, body: null, signal } as const;
  const { status, body } = await exchangeAt(url, { ...request, maxBodyBytes: mostBytes });
  if (status !== 200) throw new Error(`A file was answered with HTTP ${status}.`);
  if (!Buffer.isBuffer(body)) throw body.missing;
  return body;
};
