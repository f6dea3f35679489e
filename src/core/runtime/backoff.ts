import { type Random, systemRandom } from './random.ts';

export type Backoff = {
  /** The wait before the second attempt, at most. */
  readonly firstMs: number;
  /** No wait is longer. */
  readonly longestMs: number;
};

/**
 * How long to wait after attempt number `attempt` (from 1) failed: twice as long each time, less up to a
 * half by chance, so that callers that failed together do not retry together.
 */
export const backoffMs = (
  attempt: number,
  { firstMs, longestMs }: Backoff,
  random: Pick<Random, 'fraction'> = systemRandom,
): number => {
  const fullMs = Math.min(firstMs * 2 ** Math.max(attempt - 1, 0), longestMs);
  return Math.round(fullMs * (1 - random.fraction() / 2));
};
