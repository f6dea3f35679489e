import { gunzipSync } from 'node:zlib';
import ky from 'ky';
import { connectFailure } from '../runtime/connect-failure.ts';
import { defined } from '../runtime/defined.ts';
import { type HttpRequest, httpExchange } from '../runtime/http-exchange.ts';
import {
  type Connection,
  type ConnectPhase,
  createConnector,
  KeptConnections,
  openSingleUse,
} from './connections.ts';

/** No answer of the service is longer than a few hundred bytes. Counted after decompression. */
const MAX_BODY_BYTES = 64 * 1024;

/** A host that takes no connection for so long is not there, however long an answer may take. */
const MAX_CONNECT_TIMEOUT_MS = 10_000;

export type PostResult =
  | {
      readonly kind: 'answered';
      readonly httpStatus: number;
      readonly retryAfter?: string;
      /** Absent when it broke off, came too late, was too long, or cannot be decoded. */
      readonly body?: string;
    }
  | ({ readonly kind: 'unanswered' } & Failure);

/**
 * `order`: moves money or sends an SMS; sent once at most, on a connection of its own. `question`: goes over a
 * kept connection, and is sent once more if that one turns out to be closed by the server.
 */
export type RequestKind = 'order' | 'question';

/** Sends one JSON body to one path. Never rejects, never follows a redirect. */
export type PostJson = (
  path: string,
  body: Readonly<Record<string, unknown>>,
  kind: RequestKind,
) => Promise<PostResult>;

export type PostJsonSettings = {
  /** May have a path, with or without a slash at its end. */
  readonly baseUrl: string;
  /** The header of this name. */
  readonly authorization: string;
  /** Patience from the first attempt to connect to the last byte of the answer. */
  readonly timeoutMs: number;
};

type Sent = Required<HttpRequest> & { readonly body: string; readonly signal: AbortSignal };
type Answered = Extract<PostResult, { kind: 'answered' }>;

export const createPostJson = (settings: PostJsonSettings): PostJson => {
  const { origin, pathname } = new URL(settings.baseUrl);
  const { timeoutMs } = settings;
  const connect = createConnector(Math.min(MAX_CONNECT_TIMEOUT_MS, timeoutMs));
  const kept = new KeptConnections(origin, connect);
  const headers = {
    accept: 'application/json',
    'accept-encoding': 'identity',
    'content-type': 'application/json',
    authorization: settings.authorization,
    'user-agent': 'Paythread',
  };
  const unanswered = (error: unknown, connection: Connection, passed: boolean): PostResult => ({
    kind: 'unanswered',
    ...explainFailure(error, connection.phase, { passed, timeoutMs }),
  });

  const order = async (request: Sent): Promise<PostResult> => {
    const connection = openSingleUse(origin, connect);
    let failure: unknown;
    try {
      return await sendOrder(request, connection);
    } catch (error) {
      failure = error;
    } finally {
      await connection.close();
    }
    // Only now, with the connection closed, is its phase final.
    return unanswered(failure, connection, request.signal.aborted);
  };

  const question = async (request: Sent, connection = kept.take()): Promise<PostResult> => {
    try {
      // Status checks are the bulk of all requests, so their way is the short one, without ky.
      const answer = await exchange(request, connection);
      kept.giveBack(connection);
      return answer;
    } catch (error) {
      const { aborted } = request.signal;
      const isStale = connection.hasAnswered && !aborted;
      await connection.close();
      // A new connection has not answered yet, so this happens once.
      return isStale ? question(request, kept.open()) : unanswered(error, connection, aborted);
    }
  };

  return (path, json, kind) => {
    const request: Sent = {
      origin,
      path: `${pathname.replace(/\/+$/, '')}${path}`,
      method: 'POST',
      headers,
      body: JSON.stringify(json),
      signal: AbortSignal.timeout(timeoutMs),
      maxBodyBytes: MAX_BODY_BYTES,
    };
    return kind === 'question' ? question(request) : order(request);
  };
};

/** ky sends an order once, without time limits of its own: the signal alone ends the call. */
const sendOrder = async (request: Sent, connection: Connection): Promise<Answered> => {
  const { origin, path, headers, body } = request;
  let answer: Answered | undefined;
  await ky.post(`${origin}${path}`, {
    headers,
    body,
    retry: 0,
    throwHttpErrors: false,
    timeout: false,
    // A `fetch` would follow redirects, and send the order again after HTTP 421.
    fetch: async () => {
      answer = await exchange(request, connection);
      return new Response();
    },
  });
  if (answer === undefined) throw new Error('ky sent nothing.');
  return answer;
};

/** Resolves once the head has come: a body that breaks off is no failure of the whole, the status may say enough. */
const exchange = async (request: Sent, { dispatcher }: Connection): Promise<Answered> => {
  const answer = await httpExchange(dispatcher, request);
  const { 'retry-after': retryAfter, 'content-encoding': coding } = answer.headers;
  const text = Buffer.isBuffer(answer.body) ? decoded(answer.body, coding) : undefined;
  return { kind: 'answered', httpStatus: answer.status, ...defined({ retryAfter, body: text }) };
};

const strictDecoder = new TextDecoder('utf-8', { fatal: true });

/** Some proxies compress although they were asked for `identity`. */
const decoded = (bytes: Uint8Array, coding: string | undefined): string | undefined => {
  try {
    const plain =
      coding === 'gzip' ? gunzipSync(bytes, { maxOutputLength: MAX_BODY_BYTES }) : bytes;
    return strictDecoder.decode(plain);
  } catch {
    return undefined;
  }
};

/** What became of a request that got no answer. */
type Failure = {
  /** Proven that not one byte of the request was sent. */
  readonly unsent: boolean;
  readonly reason: string;
};

/**
 * Classifies a request without an answer. `unsent` only on proof: the connection was not established, and
 * either the error proves why ({@link connectFailure}) or the deadline ended the attempt. Otherwise the request
 * may have arrived.
 */
export const explainFailure = (
  error: unknown,
  phase: ConnectPhase,
  deadline: { readonly passed: boolean; readonly timeoutMs: number },
): Failure => {
  const why = deadline.passed
    ? 'it did not answer.'
    : connectFailure(error, { isConnecting: true })?.why;
  if (phase === 'idle') return unsent('its address cannot be used.');
  if (phase === 'connecting' && why !== undefined) return unsent(why);
  const reason = deadline.passed
    ? `No answer came within ${deadline.timeoutMs / 1000} seconds.`
    : 'The connection broke before an answer had come.';
  return { unsent: false, reason };
};

const unsent = (why: string): Failure => ({
  unsent: true,
  reason: `The payment service could not be reached: ${why}`,
});
