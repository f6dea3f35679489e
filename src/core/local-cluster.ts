import type { Clock } from './clock.ts';
import type { Cluster } from './cluster.ts';
import { inTurns, workUntilEnd } from './leading.ts';
import { Pacer } from './pacer.ts';

/** A cluster of one: its pace is kept in memory, and every role is its own. */
export const localCluster = (clock: Clock): Cluster => {
  const pacer = new Pacer(clock);
  return {
    take: async (limits) => pacer.take(limits),
    spend: async (limits) => pacer.spend(limits),
    block: async (key, ms) => pacer.block(key, ms),
    lead: (_role, work, stop) => inTurns(clock, stop, () => workUntilEnd(work, stop)),
  };
};
