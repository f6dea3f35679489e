import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';

/** Stands where Paythread will listen, and answers everything with a mark that nobody else knows. */
export type OwnListener = { readonly mark: string; stop(): Promise<void> };

/** Undefined: the port is taken. A refusal: the address cannot be listened on at all. */
export const listenForOurselves = async (
  host: string,
  port: number,
): Promise<OwnListener | { readonly refusal: string } | undefined> => {
  const mark = randomUUID();
  const server = createServer((request, response) => {
    request.resume();
    response.end(mark);
  });
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject).listen(port, host, resolve);
    });
  } catch (error) {
    const { code = 'unknown' } = error as NodeJS.ErrnoException;
    return code === 'EADDRINUSE' ? undefined : { refusal: code };
  }
  return {
    mark,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
