import type { Cluster } from '../../cluster/cluster.ts';
import type { Clock } from '../../runtime/clock.ts';
import { StartError } from '../../runtime/errors.ts';
import type { Log } from '../../runtime/log.ts';
import type { Store } from '../store.ts';
import { connectionSettings } from './connection-settings.ts';
import { Database } from './database.ts';
import { PostgresCluster } from './postgres-cluster.ts';
import { PostgresStore } from './postgres-store.ts';
import { prepareDatabase } from './prepare-database.ts';
import { noticeRestore } from './restore-detection.ts';
import { checkServer } from './server-checks.ts';

export type PostgresStoreOptions = {
  /** `postgres://…`. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The server came back as one that must not keep payments: the caller has to end the process. */
  readonly onFatal?: (error: Error) => void;
  /** Whether `clock` says when work is due. @default false: the database's does */
  readonly isTimeGiven?: boolean;
};

/**
 * Opens the store in a PostgreSQL database, whose schema it makes or brings up to date. Closing the store
 * ends the cluster's roles as well.
 * @throws {StartError} when the database cannot be had, or must not be used; it never shows the password.
 */
export const openPostgresStore = async (
  options: PostgresStoreOptions,
): Promise<{ store: Store; cluster: Cluster }> => {
  const { url, clock, log, onFatal, isTimeGiven = false } = options;
  const settings = connectionSettings(url);
  await prepareDatabase(settings, clock);
  const database = new Database(settings, {
    clock,
    log,
    isTimeGiven,
    // Each of them: behind the same address there may be another server by now, or one with other settings.
    onConnect: async (client) => {
      try {
        await checkServer(client, settings.place);
      } catch (error) {
        if (error instanceof StartError) onFatal?.(error);
        throw error;
      }
      await noticeRestore(client, { clock, log, place: settings.place });
    },
  });
  const cluster = new PostgresCluster(database, { clock, log });
  const stopping = new AbortController();
  void keepExpiring({ database, clock, log }, stopping.signal);
  const stop = (): Promise<void> => {
    stopping.abort();
    return cluster.close();
  };
  log.info({ place: settings.place }, 'the store is open');
  return { store: new PostgresStore({ clock, log, database, stop }), cluster };
};

const HOUSEKEEPING_EVERY_MS = 10 * 60_000;
/** Longer than any commit can still be looked up, or still be under way. */
const MARKS_KEPT = '1 hour';
/** A bucket that has been full this long means the same as no bucket, and no request is about to take from it. */
const FULL_FOR_MS = 60_000;

/** Now and then removes what has served its time. Each instance does it; twice does no harm. */
const keepExpiring = async (
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
    await clock.sleep(HOUSEKEEPING_EVERY_MS, stop);
  }
};
