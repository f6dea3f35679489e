import ky from 'ky';
import { fetch } from 'undici';
import { explainFailure, type Failure } from './failure.ts';
import { type SingleUseConnection, singleUseConnections } from './single-use-connection.ts';

/** No answer of the service is longer than a few hundred bytes. Counted after decompression. */
const MAX_BODY_BYTES = 64 * 1024;

/** A host that takes no connection for so long is not there, however long an answer may take. */
const MAX_CONNECT_TIMEOUT_MS = 10_000;

/** What came of one POST. */
export type PostResult =
  | {
      readonly kind: 'answered';
      readonly httpStatus: number;
      readonly retryAfter?: string;
      /** Absent when it broke off, came too late, was too long or is no UTF-8. */
      readonly body?: string;
    }
  | ({ readonly kind: 'unanswered' } & Failure);

/** Sends one JSON body to one path. Never rejects, never follows a redirect, never sends twice. */
export type PostJson = (
  path: string,
  body: Readonly<Record<string, unknown>>,
) => Promise<PostResult>;

export type PostJsonSettings = {
  /** May have a path, with or without a slash at its end. */
  readonly baseUrl: string;
  readonly clientKey: string;
  readonly secretKey: string;
  /** Patience from the first attempt to connect to the last byte of the answer. */
  readonly timeoutMs: number;
};

/** The two keys as they travel. */
export const basicCredentials = ({
  clientKey,
  secretKey,
}: Pick<PostJsonSettings, 'clientKey' | 'secretKey'>): string =>
  Buffer.from(`${clientKey}:${secretKey}`).toString('base64');

export const createPostJson = (settings: PostJsonSettings): PostJson => {
  const base = new URL(settings.baseUrl);
  const { timeoutMs } = settings;
  const openConnection = singleUseConnections(
    base.origin,
    Math.min(MAX_CONNECT_TIMEOUT_MS, timeoutMs),
  );
  const headers = {
    accept: 'application/json',
    authorization: `Basic ${basicCredentials(settings)}`,
    'user-agent': 'Paythread',
  };

  return async (path, body) => {
    const connection = openConnection();
    const signal = AbortSignal.timeout(timeoutMs);
    let failure: unknown;
    try {
      const response = await send(connection, urlOf(base, path), { headers, body, signal });
      return await readAnswer(response);
    } catch (error) {
      failure = error;
    } finally {
      await connection.close();
    }
    // Only now, with the connection closed, is its phase final.
    const deadline = { passed: signal.aborted, timeoutMs };
    return { kind: 'unanswered', ...explainFailure(failure, connection.phase(), deadline) };
  };
};

const urlOf = (base: URL, path: string): URL => {
  const url = new URL(base);
  url.pathname = `${base.pathname.replace(/\/+$/, '')}${path}`;
  return url;
};

type Parcel = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
  readonly signal: AbortSignal;
};

const send = (
  connection: SingleUseConnection,
  url: URL,
  { headers, body, signal }: Parcel,
): Promise<Response> =>
  ky.post(url, {
    headers,
    json: body,
    retry: 0,
    throwHttpErrors: false,
    // The signal alone ends the call: ky's timeouts stop at the head of the answer.
    timeout: false,
    // Node's own fetch takes no dispatcher of another undici, so the request is taken apart here.
    fetch: async (input) => {
      const request = new Request(input);
      return fetch(request.url, {
        method: request.method,
        headers: [...request.headers],
        body: await request.text(),
        redirect: 'manual',
        dispatcher: connection.dispatcher,
        signal,
      });
    },
  });

const readAnswer = async (response: Response): Promise<PostResult> => {
  const retryAfter = response.headers.get('retry-after');
  const body = await readBody(response);
  return {
    kind: 'answered',
    httpStatus: response.status,
    ...(retryAfter !== null && { retryAfter }),
    ...(body !== undefined && { body }),
  };
};

/** The head has come, so a body that breaks off is no failure of the whole: the status may say enough. */
const readBody = async (response: Response): Promise<string | undefined> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  try {
    for await (const chunk of response.body ?? []) {
      bytes += chunk.byteLength;
      if (bytes > MAX_BODY_BYTES) return undefined;
      chunks.push(chunk);
    }
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    return undefined;
  }
};
