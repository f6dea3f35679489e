import type { Clock } from '../runtime/clock.ts';

/** What an instance does while it holds a role; it should end soon after the signal aborts. */
export type RoleWork = (signal: AbortSignal) => Promise<void>;

/** After a turn that ended by itself; others who want the role get their chance meanwhile. */
const PAUSE_MS = 1_000;

/** One turn after the other until `stop` aborts. */
export const leaderLoop = async (
  clock: Clock,
  stop: AbortSignal,
  turn: () => Promise<void>,
): Promise<void> => {
  while (!stop.aborted) {
    await turn();
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
