import type { RoleWork } from './leader-loop.ts';
import type { PaceLimit, Turn } from './pace-book.ts';

/**
 * What the instances that share a store agree on, so that together they keep to one pace, and do once
 * what must be done once.
 */
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
