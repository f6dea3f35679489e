import type { Clock } from '../runtime/clock.ts';
import type { Log } from '../runtime/log.ts';
import { limitWaitMs, NOTHING_TAKEN, type Usage, withOneTaken } from './limit.ts';
import type { PaceLimit, Turn } from './pace-book.ts';
import { type Pace, RateLimiter } from './rate-limiter.ts';

/** What the instances that share a store agree on, to keep to one pace and do once what must be done once. */
export interface Cluster {
  /** Takes one from every limit and returns 0; or takes none and returns how many ms to wait. */
  take(limits: readonly PaceLimit[], turn: Turn): Promise<number>;
  /** Counts a message that goes out at once. */
  spend(limits: readonly PaceLimit[]): Promise<void>;
  /** Nothing under this key for `ms`. */
  block(key: string, ms: number): Promise<void>;
  /** Reserves the next turn under this key, one every `perMs`, and returns in how many ms it comes. */
  reserve(key: string, perMs: number): Promise<number>;
  /**
   * Runs `work` while this instance alone holds the role, and waits for the role until then. The signal
   * aborts when the role is lost or `stop` aborts. A role that was lost, or whose work ended by itself, is
   * sought again. Resolves once `stop` has aborted and the work has ended; rejects with what the work
   * throws of itself.
   */
  lead(role: string, work: RoleWork, stop: AbortSignal): Promise<void>;
}

/** What an instance does while it holds a role; it should end soon after the signal aborts. */
export type RoleWork = (signal: AbortSignal) => Promise<void>;

/** A cluster of one: its pace is kept in memory, and every role is its own. */
export const localCluster = (clock: Clock): Cluster => {
  const limiter = new RateLimiter(clock);
  const reserved = new Map<string, Usage>();
  return {
    take: async (limits, turn) => limiter.take(limits, turn),
    spend: async (limits) => limiter.spend(limits),
    block: async (key, ms) => limiter.block(key, ms),
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

/** After a term that ended by itself; others who want the role get their chance meanwhile. */
const PAUSE_MS = 1_000;

/** One term of a role after the other until `stop` aborts. */
export const leaderLoop = async (
  clock: Clock,
  stop: AbortSignal,
  term: () => Promise<void>,
): Promise<void> => {
  while (!stop.aborted) {
    await term();
    await clock.sleep(PAUSE_MS, stop);
  }
};

/**
 * Runs work to its end. What it throws once the signal has aborted is only its way of ending. With a signal
 * that has aborted already it is not begun: it may only listen, and would never hear of it.
 */
export const runRoleWork = async (work: RoleWork, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return;
  try {
    await work(signal);
  } catch (error) {
    if (!signal.aborted) throw error;
  }
};

/** A place is asked for again after this long when the store cannot be reached. */
const STORE_TROUBLE_MS = 1_000;

/** The cluster's pace, for bots: what cannot be counted right now must not keep an answer from going out. */
export const clusterPace = (cluster: Cluster, log: Log): Pace => {
  const report = (error: unknown): void =>
    log.warn({ err: error }, 'the shared pace could not be reached');
  return {
    take: (limits, turn) =>
      cluster.take(limits, turn).catch((error) => {
        report(error);
        return STORE_TROUBLE_MS;
      }),
    spend: (limits) => void cluster.spend(limits).catch(report),
    block: (key, ms) => void cluster.block(key, ms).catch(report),
  };
};
