import type { Clock } from '../../runtime/clock.ts';
import type { Log } from '../../runtime/log.ts';
import type { Database } from './database.ts';

const EVERY_MS = 10 * 60_000;
/** Longer than any commit can still be looked up, or still be under way. */
const MARKS_KEPT = '1 hour';
/** A bucket that has been full this long is as good as none, and no request is about to take from it. */
const FULL_FOR_MS = 60_000;

/** Now and then removes what has served its time. Each instance does it; twice does no harm. */
export const keepHouse = async (
  { database, clock, log }: { database: Database; clock: Clock; log: Log },
  stop: AbortSignal,
): Promise<void> => {
  while (!stop.aborted) {
    try {
      await database.rows({
        text: `DELETE FROM commit_marks WHERE seen_at < now() - interval '${MARKS_KEPT}'`,
      });
      await database.rows({
        text: 'DELETE FROM paces WHERE greatest(full_at_ms, blocked_until_ms) < now_ms($1) - $2',
        values: [database.now().givenMs, FULL_FOR_MS],
      });
    } catch (error) {
      if (!stop.aborted) log.warn({ err: error }, 'could not tidy up in the database');
    }
    await clock.sleep(EVERY_MS, stop);
  }
};
