import {
  type IncomingMessage,
  type OutgoingHttpHeader,
  type OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { KeyedLimiter } from '../cluster/limit.ts';
import type { Clock } from '../runtime/clock.ts';
import { networkOf } from './address-range.ts';

/** No answer is for a browser, so a browser is allowed nothing with it. */
const SECURITY_HEADERS = {
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
 * Every answer of the listener: its own, the chat libraries', those of Node. All have the
 * security headers, and a refusal becomes 429 for a sender that had too many of them.
 * @param refused counts a refusal and returns 0, or counts none and returns in how many ms one is allowed again.
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

/** Whether more of the body may follow than is read over. */
const isEndless = ({ complete, headers }: IncomingMessage): boolean =>
  !complete &&
  (headers['transfer-encoding'] !== undefined ||
    Number(headers['content-length'] ?? 0) > READ_OVER_BYTES);

/** A secret changed too early, a doctor or a scanner of our own make as many mistakes. */
const ERROR_LIMIT = { burst: 100, perMs: 1_000 } as const;
/** A few megabytes. */
const MAX_CLIENTS = 20_000;

/** How often a client may be answered with 4xx. Other answers are not counted: callbacks come by the thousand. */
export class ClientErrorLimit extends KeyedLimiter {
  constructor(clock: Pick<Clock, 'monotonic'>) {
    super(clock, ERROR_LIMIT, MAX_CLIENTS);
  }

  override spend(address: string): number {
    return super.spend(networkOf(address));
  }
}

/** What Node's parser says of bytes that are no proper request; any other is 400. */
const STATUS_LINES: Readonly<Record<string, string>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_CHUNK_EXTENSIONS_OVERFLOW: '413 Payload Too Large',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

/**
 * Ends a connection whose bytes cannot be understood, or did not come in time. As Node does it, but with the
 * headers of every other answer. It cannot land in the middle of one, because ours are written in one piece.
 */
export const endBadRequest = (error: NodeJS.ErrnoException, socket: Duplex): void => {
  const headers = Object.entries({ ...SECURITY_HEADERS, connection: 'close' });
  if (socket.writable)
    socket.write(
      [
        `HTTP/1.1 ${STATUS_LINES[error.code ?? ''] ?? '400 Bad Request'}`,
        ...headers.map(([name, value]) => `${name}: ${value}`),
        'content-length: 0',
        '\r\n',
      ].join('\r\n'),
    );
  socket.destroy();
};
