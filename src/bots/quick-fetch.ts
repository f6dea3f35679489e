import type { IncomingHttpHeaders } from 'node:http';
import { request } from 'undici';

/** What the SDKs pass to `fetch`; the bots send no files, so a body is text. */
type Wanted = {
  readonly method?: string | undefined;
  readonly headers?: unknown;
  readonly body?: unknown;
  readonly signal?: unknown;
};

/**
 * The part of `fetch` that the SDKs use, on undici's `request`, which costs a fraction. Follows no redirect: neither
 * API has any, and an SDK treats one as a refusal. Rejects with the network's own error and its `code`.
 */
export const quickFetch = async (
  url: unknown,
  { method, headers, body, signal }: Wanted = {},
): Promise<Response> => {
  const answer = await request(String(url), {
    method: method === 'GET' ? 'GET' : 'POST',
    headers: headers as Record<string, string>,
    body: (body ?? null) as string | null,
    signal: (signal ?? null) as AbortSignal | null,
  });
  const text = await answer.body.text();
  return new Response(text === '' ? null : text, {
    status: answer.statusCode,
    headers: asPairs(answer.headers),
  });
};

const asPairs = (headers: IncomingHttpHeaders): [string, string][] =>
  Object.entries(headers).flatMap(([name, values]) =>
    [values ?? []].flat().map((value): [string, string] => [name, value]),
  );
