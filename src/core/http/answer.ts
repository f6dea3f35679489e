import type { ServerResponse } from 'node:http';

export type Answer = {
  readonly status: number;
  readonly text: string;
  /** @default plain text */
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
};

/** Of everything that is not there, and of everything that must not be told apart from it. */
export const NOT_FOUND: Answer = { status: 404, text: 'not found' };

/** The last answer on a connection. */
export const closing = (status: number, text: string): Answer => ({
  status,
  text,
  headers: { connection: 'close' },
});

/** Nothing was taken: the sender has to deliver it again. */
export const NOT_READY = closing(503, 'not ready, please send it again');

/** A path that is there, asked in a way that it is not for. */
export const notAllowed = (allow: string): Answer => ({
  status: 405,
  text: 'method not allowed',
  headers: { allow },
});

export const answer = (
  response: ServerResponse,
  { status, text, type = 'text/plain; charset=utf-8', headers }: Answer,
): void => {
  response.writeHead(status, {
    'content-type': type,
    'content-length': Buffer.byteLength(text),
    ...headers,
  });
  response.end(text);
};
