import { join } from 'node:path';
import { platforms } from '../bots/all-platforms.ts';
import { Access, type OnTrouble } from '../commands/access/access.ts';
import type { Config } from '../config/config.ts';
import { createGateway } from '../core/gateway/client.ts';
import type { Clock } from '../core/runtime/clock.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { BotDirectory } from './bot-directory.ts';
import { gatewaySettings } from './gateway-settings.ts';
import { healthOf } from './health.ts';
import { Observers } from './observers.ts';
import { openListeners } from './open-listeners.ts';
import { openStore } from './open-store.ts';
import type { StopList } from './stop-list.ts';
import type { Surroundings } from './surroundings.ts';

/**
 * Opens what the settings name: access rules, store, listener, payment service. Nothing is served yet.
 * @throws {StartError} when one of them cannot be had; `stops` has the way back.
 */
export const openParts = async (
  config: Config,
  { clock, log, onFatal }: Surroundings,
  { directory, onTrouble }: { readonly directory: BotDirectory; readonly onTrouble: OnTrouble },
  stops: StopList,
) => {
  const { accessFile: file, currency } = config;
  const { membersOf, isGuest } = directory;
  // Before anything is opened: a mistake in the access file starts nothing.
  const rules = { file, currency, platforms, clock, log, membersOf, isGuest, onTrouble };
  const access = await Access.open(rules);
  stops.add(() => access.stop());

  const observers = await Observers.start(config, { clock, log });
  stops.add(() => observers.stop());
  const { metrics } = observers;

  const { cluster, isShared, retire, ...opened } = await openStore(config, {
    clock,
    log,
    onFatal: (error) => onFatal(error, 'the data folder could not be written'),
  });
  stops.add(() => opened.store.close());
  const store = observers.store(opened.store);

  const health = healthOf(store, directory.byPlatform, metrics, clock);
  const onCallback = () => metrics.callback();
  const listeners = openListeners(config.listener, { health, log, onCallback, clock });
  stops.add(() => listeners.stop());
  const port = await listeners.listen();

  const sandbox = await startedSandbox(config, clock);
  if (sandbox !== undefined) stops.add(() => sandbox.stop());
  const account = gatewaySettings(config, sandbox);
  const client = createGateway(account, {
    clock,
    log,
    onExchange: (operation, times) => metrics.exchanged(operation, times),
    ...(isShared ? { cluster } : {}),
  });
  const gateway = observers.gateway(client);
  const { listener } = listeners;
  return {
    access,
    observers,
    store,
    cluster,
    isShared,
    retire,
    listener,
    port,
    sandbox,
    account,
    gateway,
  };
};

export type OpenParts = Awaited<ReturnType<typeof openParts>>;

/** Loaded only where it is used, like the chat libraries: with a real service it is not needed. */
const startedSandbox = async (
  { payments, dataDir }: Config,
  clock: Clock,
): Promise<Sandbox | undefined> => {
  if (payments.kind !== 'sandbox') return undefined;
  const { startSandbox } = await import('../sandbox/sandbox.ts');
  return startSandbox({ clock, file: join(dataDir, 'sandbox.json') });
};
