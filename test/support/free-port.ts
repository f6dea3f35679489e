import { createServer } from 'node:http';

/** Below the ports that the system itself gives to connections and servers, which would take one in between. */
const FIRST = 15_000;
const PORTS_EACH = 2_000;
/** More than workers run side by side: each has ports of its own, since a port that is free now may be taken by another. */
const SHARES = 8;
const share = Number(process.env['VITEST_POOL_ID'] ?? 0) % SHARES;
const given = new Set<number>();

/** A port of 127.0.0.1 that nobody uses right now. */
export const freePort = async (): Promise<number> => {
  for (;;) {
    const port = FIRST + share * PORTS_EACH + Math.floor(Math.random() * PORTS_EACH);
    if (given.has(port)) continue;
    // After so many the first ones have been taken, and are perhaps free again.
    if (given.size > PORTS_EACH / 2) given.clear();
    given.add(port);
    if (await isFree(port)) return port;
  }
};

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
