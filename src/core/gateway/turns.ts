import type { Cluster } from '../cluster/cluster.ts';
import { KeyedLimiter } from '../cluster/limit.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';

/** Resolves when one more request may be sent; never rejects, and is called once at a time. */
export type NextTurn = () => Promise<void>;

/** While the store cannot be reached, it is asked again after this long. */
const STORE_RETRY_MS = 1_000;

/**
 * The whole rate for this process: a sliding window of about a second, so that no stretch of that length sees
 * more requests than the rate allows. A token bucket would let burst and refill through together.
 * @param requestsPerSecond may be below one, such as 0.5 for a request every two seconds
 */
export const localTurns = (clock: Clock, requestsPerSecond: number): NextTurn => {
  const most = Math.max(1, Math.floor(requestsPerSecond));
  const windowMs = (most / requestsPerSecond) * 1000;
  const limiter = new KeyedLimiter(clock, { most, windowMs }, 1);
  return async () => {
    for (;;) {
      const waitMs = limiter.spend('gateway');
      if (waitMs === 0) return;
      await clock.sleep(waitMs);
    }
  };
};

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
}): NextTurn => {
  const reserved = async (): Promise<number> => {
    for (;;) {
      try {
        return await cluster.reserve('gateway', 1_000 / requestsPerSecond);
      } catch (error) {
        log.warn({ err: error }, 'the shared rate could not be reached');
        await clock.sleep(STORE_RETRY_MS);
      }
    }
  };
  return async () => {
    const waitMs = await reserved();
    if (waitMs > 0) await clock.sleep(waitMs);
  };
};
