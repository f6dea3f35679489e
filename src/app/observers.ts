import type { AroundCommand } from '../commands/router.ts';
import type { Config } from '../config/config.ts';
import type { Callbacks } from '../core/callbacks/callbacks.ts';
import type { Gateway } from '../core/gateway/gateway.ts';
import type { Clock } from '../core/runtime/clock.ts';
import type { Log } from '../core/runtime/log.ts';
import { programVersion } from '../core/runtime/version.ts';
import type { Store } from '../core/store/store.ts';
import { Metrics } from '../core/telemetry/metrics.ts';
import { observedGateway, observedStore } from '../core/telemetry/observer.ts';
import { startTracing } from '../core/telemetry/tracing.ts';
import type { WorkObserver } from './engine.ts';

/** Starts metrics and traces, and puts them around the parts of the program, which know nothing of them. */
export const startObservers = async (
  { tracesEndpoint, databaseUrl }: Config,
  opened: { readonly store: Store; readonly clock: Clock; readonly log: Log },
) => {
  const version = programVersion();
  const tracing = await startTracing(tracesEndpoint, { ...opened, version });
  const info = { version, store: databaseUrl === undefined ? 'embedded' : 'postgres' } as const;
  const { store, clock } = opened;
  const metrics = new Metrics({ nowMs: () => clock.now(), info, store });
  const aroundCommand: AroundCommand = async ({ command, by, platform }, work) => {
    const ended = metrics.command(command, by);
    const wasForUs = await tracing.event(`${command} ${by}`, { platform }, work);
    if (wasForUs) ended();
    return wasForUs;
  };
  const work: WorkObserver = {
    noticeTried: (notice, what, result) => metrics.noticeTried(notice, what, result),
    aroundWork: (due, serve) => tracing.due(due, serve),
  };
  return {
    metrics,
    aroundCommand,
    work,
    store: observedStore(store, (change) => {
      const ends = [metrics.onCommit(change), tracing.onCommit(change)];
      return (result) => {
        for (const ended of ends) ended(result);
      };
    }),
    gateway: (gateway: Gateway): Gateway =>
      observedGateway(gateway, (operation, call) =>
        tracing.aroundCall(operation, () => metrics.aroundCall(operation, call)),
      ),
    callbacks: (callbacks: Callbacks): Pick<Callbacks, 'issued' | 'receive'> => ({
      issued: (id, token) => callbacks.issued(id, token),
      receive: (id, ...rest) => tracing.callback(id, () => callbacks.receive(id, ...rest)),
    }),
    stop: () => tracing.stop(),
  };
};

export type Observers = Awaited<ReturnType<typeof startObservers>>;
