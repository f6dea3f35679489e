import { PATIENCE_MS } from './patience.ts';

const LOOK_EVERY_MS = 10;

/** Tries until `attempt` stops throwing, and gives its value; after `withinMs` the last error is thrown. */
export const eventually = async <T>(
  attempt: () => T | Promise<T>,
  withinMs = PATIENCE_MS,
): Promise<T> => {
  const deadlineMs = Date.now() + withinMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
    }
  }
};
