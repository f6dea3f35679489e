import { mkdir } from 'node:fs/promises';
import type { Config } from '../config/config.ts';
import { type Cluster, localCluster } from '../core/cluster/cluster.ts';
import { type Retire, retire } from '../core/privacy/retention.ts';
import { type Clock, systemClock } from '../core/runtime/clock.ts';
import type { Log } from '../core/runtime/log.ts';
import type { InErasure } from '../core/store/sql/customer-erasure.ts';
import { openSqliteStore } from '../core/store/sqlite/open-sqlite-store.ts';
import type { Store } from '../core/store/store.ts';

/** The store is this process's own, or shared with other instances, which then agree on pace and roles through it. */
export const openStore = async (
  { dataDir, databaseUrl: url }: Config,
  { clock, log, onFatal }: { clock: Clock; log: Log; onFatal: (error: unknown) => void },
): Promise<{ store: Store; cluster: Cluster; isShared: boolean; retire: Retire }> => {
  const retireIn =
    (inErasure: InErasure): Retire =>
    (request) =>
      retire(inErasure, request, clock);
  if (url === undefined) {
    const { store, inErasure } = await openSqliteStore({ dir: dataDir, log, onFatal });
    return { store, retire: retireIn(inErasure), cluster: localCluster(clock), isShared: false };
  }
  const { mustNotBeLeftBehind } = await import('../core/store/postgres/left-behind.ts');
  await mustNotBeLeftBehind(dataDir);
  // The folder still holds what is this machine's own, such as the sandbox's books.
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { openPostgresStore } = await import('../core/store/postgres/open-postgres-store.ts');
  // Instances share the database's clock; only a caller with a clock of its own wants another.
  const isTimeGiven = clock !== systemClock;
  const opened = await openPostgresStore({ url, clock, log, onFatal, isTimeGiven });
  const { eraseInDatabase } = await import('../core/store/postgres/erase-in-database.ts');
  return { ...opened, isShared: true, retire: retireIn(eraseInDatabase({ url, clock })) };
};
