/** The time as the program sees it. Tests hold one of their own, so nothing in Paythread asks `Date` or `setTimeout` directly. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Milliseconds since some moment: how long something took, even when the clock is set meanwhile. */
  monotonic(): number;
  /** Resolves after `ms`, or at once when `signal` aborts (never rejects). */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** Whether a stored moment is further off than anything is put off: the clock was ahead then, perhaps by years. */
export const isFromClockAhead = (atMs: number, nowMs: number, longestMs: number): boolean =>
  atMs - nowMs > longestMs;

/** What `work` resolves with; undefined after `ms`, or once `stop` aborts. Rejects as `work` does. */
export const inTime = async <T>(
  clock: Pick<Clock, 'sleep'>,
  work: Promise<T>,
  ms: number,
  stop?: AbortSignal,
): Promise<T | undefined> => {
  // A sleep that is not waited for would keep the process from ending.
  const over = new AbortController();
  const signal = stop === undefined ? over.signal : AbortSignal.any([over.signal, stop]);
  const late = clock.sleep(ms, signal).then(() => undefined);
  try {
    return await Promise.race([work, late]);
  } finally {
    over.abort();
  }
};

/** `setTimeout` takes a signed 32-bit delay; anything longer would fire at once. */
const LONGEST_TIMEOUT_MS = 2 ** 31 - 1;

export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  sleep: (ms, signal) =>
    new Promise((resolve) => {
      if (signal?.aborted) return resolve();
      const finish = () => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', finish);
        resolve();
      };
      const timer = setTimeout(finish, Math.min(Math.max(ms, 0), LONGEST_TIMEOUT_MS));
      signal?.addEventListener('abort', finish, { once: true });
    }),
};
