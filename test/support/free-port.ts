import { createServer } from 'node:http';

/** Below the ports that the system itself gives to connections and servers, which would take one in between. */
const FIRST = 15_000;
const LAST = 31_999;

/** A port of 127.0.0.1 that nobody uses right now. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST + Math.floor(Math.random() * (LAST - FIRST + 1));
    if (await isFree(port)) return port;
  }
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
