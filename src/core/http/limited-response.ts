import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';

/** Nothing that is answered here is for a browser, so a browser is allowed nothing with it. */
export const SECURITY_HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy':
    "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
} as const;

/** A refused body up to here is read over, so that the connection can be used again. */
const READ_OVER_BYTES = 64 * 1024;

type Headers = OutgoingHttpHeaders | OutgoingHttpHeader[];

/**
 * Answers of the listener, whoever makes them: its own, the chat libraries', those of Node. All have the
 * security headers, and a refusal becomes 429 for a sender who had too many of them.
 * `refused` counts one and gives 0, or else for how many ms its sender has to wait.
 */
export const limitedResponse = (refused: (request: IncomingMessage) => number) =>
  class<R extends IncomingMessage = IncomingMessage> extends ServerResponse<R> {
    #isLimited = false;

    override writeHead(status: number, reason?: string | Headers, more?: Headers): this {
      const given = asRecord(typeof reason === 'string' ? more : reason);
      if (!isRefusal(status)) return super.writeHead(status, { ...SECURITY_HEADERS, ...given });
      const closing = isEndless(this.req) ? { connection: 'close' } : {};
      const waitMs = refused(this.req);
      this.#isLimited = waitMs > 0;
      return this.#isLimited
        ? super.writeHead(429, { ...SECURITY_HEADERS, ...patience(waitMs), ...closing })
        : super.writeHead(status, { ...SECURITY_HEADERS, ...given, ...closing });
    }

    /** The words of a refusal do not fit the one that it became. */
    override end(...args: unknown[]): this {
      if (!this.headersSent && isRefusal(this.statusCode)) this.writeHead(this.statusCode);
      return this.#isLimited ? super.end() : Reflect.apply(super.end, this, args);
    }
  };

const isRefusal = (status: number): boolean => status >= 400 && status <= 499;

const patience = (waitMs: number): OutgoingHttpHeaders => ({
  'content-length': 0,
  'retry-after': String(Math.ceil(waitMs / 1_000)),
});

/** Node itself gives them as a list of names and values. */
const asRecord = (headers: Headers = {}): OutgoingHttpHeaders =>
  Array.isArray(headers)
    ? Object.fromEntries(
        headers.flatMap((name, at) => (at % 2 === 0 ? [[String(name), headers[at + 1]]] : [])),
      )
    : headers;

/** Whether more may follow than anybody would read over. */
const isEndless = ({ complete, headers }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > READ_OVER_BYTES);
