import type { Clock } from '../runtime/clock.ts';
import type { Cluster } from './cluster.ts';
import { leaderLoop, runRoleWork } from './leader-loop.ts';
import { limitWaitMs, NOTHING_TAKEN, type Usage, withOneTaken } from './limit.ts';
import { RateLimiter } from './rate-limiter.ts';

/** A cluster of one: its pace is kept in memory, and every role is its own. */
export const localCluster = (clock: Clock): Cluster => {
  const pacer = new RateLimiter(clock);
  const reserved = new Map<string, Usage>();
  return {
    take: async (limits, turn) => pacer.take(limits, turn),
    spend: async (limits) => pacer.spend(limits),
    block: async (key, ms) => pacer.block(key, ms),
    reserve: async (key, perMs) => {
      const nowMs = clock.monotonic();
      const limit = { burst: 1, perMs };
      const usage = reserved.get(key) ?? NOTHING_TAKEN;
      // Taken whether it is free or not: the turn comes after the wait.
      reserved.set(key, withOneTaken(limit, usage, nowMs));
      return limitWaitMs(limit, usage, nowMs);
    },
    lead: (_role, work, stop) => leaderLoop(clock, stop, () => runRoleWork(work, stop)),
  };
};
