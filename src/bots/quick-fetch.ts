import { type IncomingHttpHeaders, STATUS_CODES } from 'node:http';
import type { Readable } from 'node:stream';
import { getGlobalDispatcher } from 'undici';
import { httpExchange } from '../core/runtime/http-exchange.ts';

/** What the SDKs pass to `fetch`; a body is text, or a stream with a file in it. */
type Wanted = {
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
  { method, headers, body, signal }: Wanted = {},
): Promise<QuickResponse> => {
  const { origin, pathname, search } = new URL(String(url));
  const {
    status,
    headers: named,
    body: bytes,
  } = await httpExchange(getGlobalDispatcher(), {
    origin,
    path: `${pathname}${search}`,
    method: method === 'GET' ? 'GET' : 'POST',
    headers: headers as Record<string, string>,
    body: (body ?? null) as string | Readable | null,
    signal: (signal ?? null) as AbortSignal | null,
  });
  if (!Buffer.isBuffer(bytes)) throw bytes.missing;
  const text = bytes.toString();
  return {
    url: String(url),
    status,
    statusText: STATUS_CODES[status] ?? '',
    headers: new QuickHeaders(named),
    text: async () => text,
    json: async () => JSON.parse(text),
  };
};

/** What the SDKs read of a `Response`, whose own body would be a web stream. */
export type QuickResponse = Pick<Response, 'url' | 'status' | 'statusText' | 'text' | 'json'> & {
  readonly headers: QuickHeaders;
};

/** What the SDKs read of `Headers`. Names are in small letters. */
class QuickHeaders {
  readonly #values: Map<string, string>;

  constructor(named: IncomingHttpHeaders) {
    this.#values = new Map(Object.entries(named).map(([name, value]) => [name, String(value)]));
  }

  get(name: string): string | null {
    return this.#values.get(name) ?? null;
  }

  set(name: string, value: string): void {
    this.#values.set(name, value);
  }

  entries(): IterableIterator<[string, string]> {
    return this.#values.entries();
  }
}

/**
 * The bytes at an address, `mostBytes` at most. Follows no redirect: the token of a platform goes to no other host.
 * Rejects with the network's own error, when there are more bytes, and with any status but 200.
 */
export const downloadBytes = async (
  url: string,
  {
    headers = {},
    mostBytes,
    signal,
  }: {
    readonly headers?: Readonly<Record<string, string>>;
    readonly mostBytes: number;
    readonly signal: AbortSignal;
  },
): Promise<Buffer> => {
  const { origin, pathname, search } = new URL(url);
  const { status, body } = await httpExchange(getGlobalDispatcher(), {
    origin,
    path: `${pathname}${search}`,
    method: 'GET',
    headers,
    body: null,
    signal,
    maxBodyBytes: mostBytes,
  });
  if (status !== 200) throw new Error(`A file was answered with HTTP ${status}.`);
  if (!Buffer.isBuffer(body)) throw body.missing;
  return body;
};
