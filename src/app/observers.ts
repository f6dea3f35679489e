import type { AroundCommand } from '../commands/watched-inbound.ts';
import type { Config } from '../config/config.ts';
import type { Callbacks } from '../core/callbacks/callbacks.ts';
import type { Gateway } from '../core/gateway/gateway.ts';
import type { Clock } from '../core/runtime/clock.ts';
import type { Log } from '../core/runtime/log.ts';
import { programVersion } from '../core/runtime/version.ts';
import type { Store } from '../core/store/store.ts';
import { Metrics } from '../core/telemetry/metrics.ts';
import { observedGateway } from '../core/telemetry/observed-gateway.ts';
import { startTracing, type Tracing } from '../core/telemetry/tracing.ts';
import type { Onlooker } from './engine/engine-options.ts';

/** Metrics and traces, put around the parts of the program. */
export class Observers {
  readonly metrics: Metrics;
  readonly #tracing: Tracing;

  private constructor(metrics: Metrics, tracing: Tracing) {
    this.metrics = metrics;
    this.#tracing = tracing;
  }

  static async start(
    { tracesEndpoint, databaseUrl }: Config,
    { clock, log }: { readonly clock: Clock; readonly log: Log },
  ): Promise<Observers> {
    const version = programVersion();
    const tracing = await startTracing(tracesEndpoint, { clock, log, version });
    const store = databaseUrl === undefined ? 'embedded' : 'postgres';
    const metrics = new Metrics({ nowMs: () => clock.now(), info: { version, store } });
    return new Observers(metrics, tracing);
  }

  store(store: Store): Store {
    return this.#tracing.store(this.metrics.watchedStore(store));
  }

  gateway(gateway: Gateway): Gateway {
    return observedGateway(gateway, (operation, call) =>
      this.#tracing.aroundCall(operation, () => this.metrics.aroundCall(operation, call)),
    );
  }

  callbacks(callbacks: Callbacks): Pick<Callbacks, 'issued' | 'receive'> {
    return {
      issued: (id, token) => callbacks.issued(id, token),
      receive: (id, ...rest) => this.#tracing.callback(id, () => callbacks.receive(id, ...rest)),
    };
  }

  readonly aroundCommand: AroundCommand = async ({ command, by, platform }, work) => {
    const ended = this.metrics.command({ command, by });
    const wasForUs = await this.#tracing.event(`${command} ${by}`, { platform }, work);
    if (wasForUs) ended();
    return wasForUs;
  };

  readonly onlooker: Onlooker = {
    noticeTried: (notice, what, result) => this.metrics.noticeTried(notice, what, result),
    aroundWork: (work, serve) => this.#tracing.due(work, serve),
  };

  stop(): Promise<void> {
    return this.#tracing.stop();
  }
}
