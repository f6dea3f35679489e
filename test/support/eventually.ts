import { PATIENCE_MS } from './patience.ts';

/** Tries every `everyMs` until `attempt` stops throwing, and gives its value; after `withinMs` the last error is thrown. */
export const eventually = async <T>(
  attempt: () => T | Promise<T>,
  withinMs = PATIENCE_MS,
  everyMs = 10,
): Promise<T> => {
  const deadlineMs = Date.now() + withinMs;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadlineMs) throw error;
      await new Promise((resolve) => setTimeout(resolve, everyMs));
    }
  }
};
