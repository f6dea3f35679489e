import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { platforms } from '../bots/all-platforms.ts';
import type { Bot } from '../bots/bot.ts';
import { Access, type OnTrouble } from '../commands/access/access.ts';
import type { Config } from '../config/config.ts';
import type { Pace } from '../core/cluster/rate-limiter.ts';
import type { Health } from '../core/http/health-pages.ts';
import type { Queue } from '../core/records/due.ts';
import type { Clock } from '../core/runtime/clock.ts';
import type { Log } from '../core/runtime/log.ts';
import { directoryIn } from './bots.ts';
import { type Observers, startObservers } from './observers.ts';
import { openListeners } from './open-listeners.ts';
import { openPaymentService } from './open-payment-service.ts';
import { openStore } from './open-store.ts';

/** The outside of the process. */
export type Surroundings = {
  readonly clock: Clock;
  readonly log: Log;
  readonly input: Readable;
  readonly output: Writable;
  /** Shown as the requester in a local chat. */
  readonly userName: string;
  /** An error that only a new process can mend: end this one. `what` goes on after "Paythread stops:". */
  readonly onFatal: (error: unknown, what: string) => void;
  /** The rate limits of messages to chats. @default those of the platforms; only measurements have their own */
  readonly pace?: Pace;
};

/**
 * Opens what the settings name: access rules, store, observers, listener, payment service. Nothing is served yet.
 * `bots` are added later.
 * @throws {StartError} when one of them cannot be had; `stops` closes those that were opened.
 */
export const openParts = async (
  config: Config,
  { clock, log, onFatal }: Surroundings,
  { bots, onTrouble }: { readonly bots: ReadonlyMap<string, Bot>; readonly onTrouble: OnTrouble },
  stops: AsyncDisposableStack,
) => {
  const { accessFile: file, currency, dataDir } = config;
  // Before anything is opened: a mistake in the access file starts nothing.
  const rules = { file, currency, platforms, clock, log, onTrouble };
  const access = await Access.open({ ...rules, ...directoryIn(bots) });
  stops.defer(() => access.stop());

  const { cluster, isShared, retire, ...opened } = await openStore(config, {
    clock,
    log,
    onFatal: (error) => onFatal(error, 'the data folder could not be written'),
  });
  stops.defer(() => opened.store.close());
  const observers = await startObservers(config, { store: opened.store, clock, log });
  stops.defer(() => observers.stop());
  const { store, metrics } = observers;

  const health = healthOf(observers, bots, clock);
  const serving = { health, log, onCallback: () => metrics.callback(), clock };
  const listening = await openListeners(config.listener, serving, stops);

  const service = await openPaymentService(config, join(dataDir, 'sandbox.json'), {
    clock,
    log,
    onExchange: (operation, times) => metrics.exchanged(operation, times),
    ...(isShared ? { cluster } : {}),
  });
  const { sandbox } = service;
  if (sandbox !== undefined) stops.defer(() => sandbox.stop());
  const gateway = observers.gateway(service.gateway);
  return { ...service, ...listening, gateway, access, observers, store, cluster, isShared, retire };
};

export type OpenParts = Awaited<ReturnType<typeof openParts>>;

/** What `/healthz`, `/readyz` and `/metrics` answer from. */
const healthOf = (
  { store, metrics }: Observers,
  bots: ReadonlyMap<string, Bot>,
  clock: Clock,
): Health => ({
  lateMs: async () => {
    const queues: Queue[] = ['submit', 'check', 'notice', 'sms'];
    const times = await Promise.all(queues.map((queue) => store.nextDueMs(queue)));
    return Math.max(0, ...times.map((dueMs) => (dueMs === undefined ? 0 : clock.now() - dueMs)));
  },
  missing: () =>
    bots.size === 0
      ? ['starting']
      : [...bots.values()].flatMap((bot) => {
          const missing = bot.notReady();
          return missing === undefined ? [] : [`${bot.platform}: ${missing}`];
        }),
  metrics: () => metrics.text(),
});
