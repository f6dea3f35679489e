import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A connection on which a test sends bytes that no client would. */
export type Attack = {
  readonly socket: Socket;
  /** All that was answered until it was shut. */
  readonly closed: Promise<string>;
};

/** A connection with its first bytes sent; it ends with the test. */
export const attack = (port: number, ...chunks: readonly (string | Buffer)[]): Attack => {
  const socket = connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  let answer = '';
  const closed = new Promise<string>((resolve) => {
    socket.on('data', (data) => {
      answer += data.toString('latin1');
    });
    // A reset after the answer is one way of shutting the door.
    socket.on('error', () => {});
    socket.on('close', () => resolve(answer));
  });
  for (const chunk of chunks) socket.write(chunk);
  return { socket, closed };
};

/** The head of a POST. */
export const head = (path: string, ...headers: readonly string[]): string =>
  [`POST ${path} HTTP/1.1`, 'host: x', ...headers, '', ''].join('\r\n');

export const statusOf = (answer: string): string =>
  /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'closed';

/** Of requests in a row on one connection. */
export const statusesOf = (answers: string): string[] =>
  [...answers.matchAll(/HTTP\/1\.1 (\d{3})/g)].map(([, status = '']) => status);
