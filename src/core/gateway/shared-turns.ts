import type { Cluster } from '../cluster/cluster.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/** While the store is away, it is asked again after this long. */
const STORE_TROUBLE_MS = 1_000;

/**
 * The rate of several instances: each reserves one request at a time, so the store serves the instances
 * in the order they asked. Polling for a free token would always favour the one nearest to the store.
 */
export const sharedTurns = ({
  cluster,
  clock,
  log,
  requestsPerSecond,
}: {
  cluster: Pick<Cluster, 'reserve'>;
  clock: Clock;
  log: Log;
  requestsPerSecond: number;
}): (() => Promise<void>) => {
  const reserved = async (): Promise<number> => {
    for (;;) {
      try {
        return await cluster.reserve('gateway', 1_000 / requestsPerSecond);
      } catch (error) {
        log.warn({ err: error }, 'the shared rate could not be reached');
        await clock.sleep(STORE_TROUBLE_MS);
      }
    }
  };
  return async () => {
    const waitMs = await reserved();
    if (waitMs > 0) await clock.sleep(waitMs);
  };
};
