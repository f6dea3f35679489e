import { mkdir } from 'node:fs/promises';
import type { Config } from './config.ts';
import { type Clock, systemClock } from './core/clock.ts';
import type { Cluster } from './core/cluster.ts';
import { localCluster } from './core/local-cluster.ts';
import type { Log } from './core/log.ts';
import { openEmbeddedStore } from './core/store/embedded-store.ts';
import type { Store } from './core/store/store.ts';

/** The store is this process's own, or shared with other instances, which then agree on pace and roles through it. */
export const openStore = async (
  { dataDir, databaseUrl: url }: Config,
  { clock, log, onFatal }: { clock: Clock; log: Log; onFatal: (error: unknown) => void },
): Promise<{ store: Store; cluster: Cluster; isShared: boolean }> => {
  if (url === undefined) {
    const store = await openEmbeddedStore({ dir: dataDir, clock, log, onFatal });
    return { store, cluster: localCluster(clock), isShared: false };
  }
  const { mustNotBeLeftBehind } = await import('./core/store/postgres/left-behind.ts');
  await mustNotBeLeftBehind(dataDir);
  // The folder still holds what is this machine's own, such as the sandbox's books.
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const { openPostgresStore } = await import('./core/store/postgres/open-postgres-store.ts');
  const { timeInHand } = await import('./core/store/postgres/given-time.ts');
  // Instances share the database's clock; only whoever brings a clock of their own wants another.
  const time = clock === systemClock ? {} : { time: timeInHand };
  return { ...(await openPostgresStore({ url, clock, log, onFatal, ...time })), isShared: true };
};
