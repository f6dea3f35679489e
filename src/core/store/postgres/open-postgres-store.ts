import type { Client } from 'pg';
import type { Cluster } from '../../cluster/cluster.ts';
import type { Clock } from '../../runtime/clock.ts';
import { StartError } from '../../runtime/errors.ts';
import type { Log } from '../../runtime/log.ts';
import { DueListeners } from '../due-listeners.ts';
import type { Store } from '../store.ts';
import { Claims } from './claims.ts';
import { Commits } from './commits.ts';
import { type ConnectionSettings, connectionSettings } from './connection-settings.ts';
import { Database, openClient } from './database.ts';
import { keepHouse } from './housekeeping.ts';
import { migrate } from './migrations.ts';
import { postgresCluster } from './postgres-cluster.ts';
import { PostgresStore } from './postgres-store.ts';
import { noticeRestore } from './restore-detection.ts';
import { Roles } from './roles.ts';
import { checkRights, checkServer } from './server-checks.ts';
import { asStartError, isFinal } from './start-refusals.ts';
import { databaseTime, type GivenTime } from './time-source.ts';
import { DueSignals } from './wake-ups.ts';

/** A server that starts together with this program gets this long. */
const REACH_WITHIN_MS = 10_000;
const REACH_AGAIN_MS = 500;

export type PostgresStoreOptions = {
  /** `postgres://…`. */
  readonly url: string;
  readonly clock: Clock;
  readonly log: Log;
  /** The server came back as one that must not keep payments: whoever opened the store has to end the process. Called once. */
  readonly onFatal?: (error: Error) => void;
  /** Whose clock says when work is due. @default databaseTime */
  readonly time?: GivenTime;
};

/**
 * Opens the store in a PostgreSQL database, whose schema it makes or brings up to date. Closing the store
 * ends the cluster's roles as well.
 * @throws {StartError} when the database cannot be had, or must not be used; it never shows the password.
 */
export const openPostgresStore = async (
  options: PostgresStoreOptions,
): Promise<{ store: Store; cluster: Cluster }> => {
  const settings = connectionSettings(options.url);
  try {
    await prepareDatabase(settings, options.clock);
    return await start(settings, options);
  } catch (error) {
    throw asStartError(error, settings.place);
  }
};

/** Checks the server and brings the schema up to date, on a connection of its own. */
export const prepareDatabase = async (
  settings: ConnectionSettings,
  clock: Clock,
): Promise<void> => {
  const client = await reach(settings, clock);
  try {
    await checkServer(client, settings.place);
    await migrate(client);
    await checkRights(client, settings.place);
  } finally {
    // Where connections are few, the next one needs its place.
    await client.end();
  }
};

const reach = async (settings: ConnectionSettings, clock: Clock): Promise<Client> => {
  let late = false;
  const done = new AbortController();
  void clock.sleep(REACH_WITHIN_MS, done.signal).then(() => {
    late = true;
  });
  try {
    for (;;) {
      try {
        // A migration may take longer than any other statement.
        return await openClient(settings, { query_timeout: 0 });
      } catch (error) {
        if (late || isFinal(error)) throw error;
      }
      await clock.sleep(REACH_AGAIN_MS);
    }
  } finally {
    done.abort();
  }
};

const start = async (
  settings: ConnectionSettings,
  { clock, log, onFatal, time = databaseTime }: PostgresStoreOptions,
): Promise<{ store: Store; cluster: Cluster }> => {
  const database = new Database(settings, {
    clock,
    log,
    // Each of them: behind the same address there may be another server by now.
    onConnect: (client) => noticeRestore(client, { clock, log, place: settings.place }),
  });
  const listeners = new DueListeners(log);
  const signals = new DueSignals({
    connect: () => openCheckedClient(settings, onFatal),
    listeners,
    clock,
    log,
  });
  const roles = new Roles({ connect: (changes) => openClient(settings, changes), clock, log });
  await signals.start();
  const stopping = new AbortController();
  const house = keepHouse({ database, time, clock, log }, stopping.signal);
  const stop = async (): Promise<void> => {
    stopping.abort();
    await Promise.all([roles.close(), signals.stop(), house]);
  };
  log.info({ place: settings.place }, 'the store is open');
  return {
    store: new PostgresStore({
      clock,
      database,
      commits: new Commits({ database, time, clock, log }),
      claims: new Claims({ database, time, clock }),
      listeners,
      signals,
      stop,
    }),
    cluster: postgresCluster({ database, time, clock, roles }),
  };
};

/** Behind the same address there may be another server by now, or one with other settings. */
const openCheckedClient = async (
  settings: ConnectionSettings,
  onFatal: ((error: Error) => void) | undefined,
): Promise<Client> => {
  const client = await openClient(settings);
  try {
    await checkServer(client, settings.place);
    return client;
  } catch (error) {
    void client.end();
    if (error instanceof StartError) onFatal?.(error);
    throw error;
  }
};
