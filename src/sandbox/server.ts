import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Clock } from '../core/runtime/clock.ts';
import { envelope, type Operation, type Reply } from './operations.ts';

/** One request as the sandbox received it, without its credentials. */
export type SandboxRequest = {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Parsed JSON; the text itself when it is none. */
  readonly body: unknown;
  readonly atMs: number;
};

type Settings = {
  readonly clientKey: string;
  readonly secretKey: string;
  readonly operations: ReadonlyMap<string, Operation>;
  /** Where requests are noted. */
  readonly requests: SandboxRequest[];
  readonly clock: Clock;
};

const MAX_BODY_BYTES = 64 * 1024;
const MAX_REQUESTS_KEPT = 5000;

/** HTTP in front of the operations: credentials, method, size and JSON are checked here. */
export const serveSandbox = (settings: Settings): RequestListener => {
  const answer = async (request: IncomingMessage): Promise<Reply> => {
    const text = await readText(request);
    if (text === undefined) return envelope('413', 'Request too large', {}, 413);
    const body = parseJson(text);
    note(settings, request, body ?? text);
    if (!isAuthorised(request, settings))
      return envelope('401', 'Invalid credentials, or missing authentication', {}, 401);
    const operation = settings.operations.get(pathOf(request));
    if (operation === undefined) return envelope('404', 'Not found', {}, 404);
    if (request.method !== 'POST') return envelope('405', 'Method not allowed', {}, 405);
    if (!isJson(request)) return envelope('415', 'Content-Type must be application/json', {}, 415);
    if (body === undefined) return envelope('400', 'The body is no JSON', {}, 400);
    return operation(body);
  };
  return (request, response) => {
    answer(request)
      .then((reply) => deliver(reply, response))
      // The caller went away, or the file could not be written: a service breaks off just so.
      .catch(() => response.destroy());
  };
};

/** `undefined` when it is too long. */
const readText = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes <= MAX_BODY_BYTES) chunks.push(chunk);
  }
  return bytes > MAX_BODY_BYTES ? undefined : Buffer.concat(chunks).toString('utf8');
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

const pathOf = (request: IncomingMessage): string => (request.url ?? '/').split('?', 1)[0] ?? '/';

const isJson = (request: IncomingMessage): boolean =>
  /^application\/json\b/i.test(request.headers['content-type'] ?? '');

const isAuthorised = (request: IncomingMessage, { clientKey, secretKey }: Settings): boolean => {
  const expected = `Basic ${Buffer.from(`${clientKey}:${secretKey}`).toString('base64')}`;
  // Hashes have one length, as the comparison demands.
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(request.headers.authorization ?? ''), hash(expected));
};

const note = ({ requests, clock }: Settings, request: IncomingMessage, body: unknown): void => {
  const { authorization: _secret, ...headers } = request.headers;
  const { method = '' } = request;
  requests.push({ method, path: pathOf(request), headers, body, atMs: clock.now() });
  if (requests.length > MAX_REQUESTS_KEPT) requests.shift();
};

const deliver = (reply: Reply, response: ServerResponse): void => {
  if (reply.kind === 'cut') {
    response.destroy();
    return;
  }
  if (reply.kind === 'html') {
    response.writeHead(reply.httpStatus, { 'content-type': 'text/html' }).end(reply.page);
    return;
  }
  response
    .writeHead(reply.httpStatus, { 'content-type': 'application/json', ...reply.headers })
    .end(JSON.stringify(reply.body));
};
