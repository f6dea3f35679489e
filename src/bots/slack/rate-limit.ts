import type { PaceLimit } from '../../core/cluster/pace-book.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { failureOf } from './failure.ts';

/** Slack's limits: about one message a second in a channel. */
export const channelPace = (channel: string): PaceLimit => ({
  key: `slack ${channel}`,
  burst: 3,
  perMs: 1_000,
});

const MOST_ANSWER_TRIES = 3;
/** The longest wait of an answer after a 429. */
const LONGEST_ANSWER_WAIT_MS = 10_000;

/** Calls Slack for a person who waits: again after a 429, three times in all. Rejects as the last call does. */
export const waitingOut = async <T>(clock: Clock, call: () => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await call();
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind !== 'rateLimited' || attempt >= MOST_ANSWER_TRIES) throw error;
      await clock.sleep(Math.min(failure.retryAfterMs, LONGEST_ANSWER_WAIT_MS));
    }
  }
};
