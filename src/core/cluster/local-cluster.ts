import type { Clock } from '../runtime/clock.ts';
import type { Cluster } from './cluster.ts';
import { leaderLoop, runRoleWork } from './leader-loop.ts';
import { RateLimiter } from './rate-limiter.ts';

/** A cluster of one: its pace is kept in memory, and every role is its own. */
export const localCluster = (clock: Clock): Cluster => {
  const pacer = new RateLimiter(clock);
  const nextTurnAtMs = new Map<string, number>();
  return {
    take: async (limits, turn) => pacer.take(limits, turn),
    spend: async (limits) => pacer.spend(limits),
    block: async (key, ms) => pacer.block(key, ms),
    reserve: async (key, perMs) => {
      const nowMs = clock.monotonic();
      const turnAtMs = Math.max(nowMs, nextTurnAtMs.get(key) ?? nowMs);
      nextTurnAtMs.set(key, turnAtMs + perMs);
      return turnAtMs - nowMs;
    },
    lead: (_role, work, stop) => leaderLoop(clock, stop, () => runRoleWork(work, stop)),
  };
};
