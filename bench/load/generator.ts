import { readFileSync } from 'node:fs';
import { Connection } from './connection.ts';
import type { LoadPlan, LoadResult } from './plan.ts';

/**
 * A process of its own that puts load on a server over bare sockets: about a quarter of what the server
 * spends on a request, so it is not itself the limit.
 */
const run = async (plan: LoadPlan): Promise<LoadResult> => {
  const requests = JSON.parse(readFileSync(plan.requestsFile, 'utf8')) as string[];
  const latenciesMs: number[] = [];
  const refused: Record<string, number> = {};
  const all: Connection[] = [];
  const { promise: over, resolve: finish, reject } = Promise.withResolvers<void>();
  let sent = 0;
  let open = true;

  const sendNext = (connection: Connection): void => {
    const request = requests[sent % requests.length];
    const isLast = plan.durationMs === undefined && sent >= requests.length;
    if (request === undefined || isLast || !open) {
      if (all.every(({ busy }) => !busy)) finish();
      return;
    }
    sent++;
    connection.send(request);
  };
  for (let count = 0; count < plan.connections; count++) {
    const connection: Connection = new Connection(
      plan.port,
      (status, tookMs) => {
        latenciesMs.push(tookMs);
        if (status !== 200) refused[status] = (refused[status] ?? 0) + 1;
        if (plan.reconnect) connection.close();
        if (plan.perSecond === undefined || !open) sendNext(connection);
      },
      (error) => open && reject(error),
    );
    all.push(connection);
  }

  const startedAtMs = performance.now();
  const ticker = plan.perSecond === undefined ? undefined : pace(plan.perSecond, all, sendNext);
  if (ticker === undefined) for (const connection of all) sendNext(connection);
  if (plan.durationMs !== undefined)
    setTimeout(() => {
      open = false;
      if (all.every(({ busy }) => !busy)) finish();
    }, plan.durationMs);
  await over;
  const seconds = (performance.now() - startedAtMs) / 1000;
  clearInterval(ticker);
  for (const connection of all) connection.close();
  latenciesMs.sort((a, b) => a - b);
  const answers = latenciesMs.length;
  return {
    answers,
    refused,
    seconds,
    perSecond: answers / seconds,
    p50Ms: latenciesMs[Math.floor(answers * 0.5)] ?? Number.NaN,
    p99Ms: latenciesMs[Math.floor(answers * 0.99)] ?? Number.NaN,
  };
};

/** Sends on idle connections; without one the request is late, and its server too slow. */
const pace = (perSecond: number, all: readonly Connection[], send: (on: Connection) => void) => {
  const startedAtMs = performance.now();
  let sent = 0;
  return setInterval(() => {
    const owed = ((performance.now() - startedAtMs) / 1000) * perSecond;
    for (const connection of all) {
      if (sent >= owed) return;
      if (connection.busy) continue;
      sent++;
      send(connection);
    }
  }, 5);
};

process.on('message', (plan: LoadPlan) => {
  run(plan).then(
    (result) => process.send?.({ result }),
    (error: Error) => process.send?.({ error: error.message }),
  );
});
process.on('disconnect', () => process.exit(0));
process.send?.({ ready: true });
