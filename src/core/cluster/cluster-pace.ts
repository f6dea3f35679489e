import type { Log } from '../runtime/log.ts';
import type { Cluster } from './cluster.ts';
import type { Pace } from './rate-limiter.ts';

/** Asked again after this long when the store cannot be reached. */
const STORE_TROUBLE_MS = 1_000;

/** The cluster's pace, for bots: what cannot be counted right now must not keep an answer from going out. */
export const clusterPace = (cluster: Cluster, log: Log): Pace => {
  const report = (error: unknown): void =>
    log.warn({ err: error }, 'the shared pace could not be reached');
  return {
    take: async (limits, turn) => {
      try {
        return await cluster.take(limits, turn);
      } catch (error) {
        report(error);
        return STORE_TROUBLE_MS;
      }
    },
    spend: (limits) => void cluster.spend(limits).catch(report),
    block: (key, ms) => void cluster.block(key, ms).catch(report),
  };
};
