import { platforms } from '../bots/all-platforms.ts';
import { noLabel, sandboxLabel } from '../commands/cards/sandbox-label.ts';
import { watchedInbound } from '../commands/watched-inbound.ts';
import type { Config } from '../config/config.ts';
import { clusterPace } from '../core/cluster/cluster-pace.ts';
import { monitorPlatforms } from '../core/notices/platform-monitor.ts';
import { keepRetention } from '../core/privacy/retention.ts';
import { failpoint } from '../core/runtime/failpoints.ts';
import type { Store } from '../core/store/store.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { BotDirectory } from './bot-directory.ts';
import { keptSecret } from './callback-secret.ts';
import { type Chats, createBots } from './create-bots.ts';
import type { EngineOptions } from './engine/engine-options.ts';
import { Engine } from './engine.ts';
import { type OpenParts, openParts } from './open-parts.ts';
import { StopList } from './stop-list.ts';
import type { Surroundings } from './surroundings.ts';

/** What is running, and the way to end it. */
export type App = {
  readonly port: number;
  readonly store: Store;
  /** Only with a local platform: resolves when nothing more can be typed. */
  readonly inputEnded?: Promise<void>;
  /** Only with the built-in sandbox. */
  readonly sandbox?: Sandbox;
  /** Takes no more work, finishes what is in hand, closes everything in the reverse of the order it was opened. */
  stop(): Promise<void>;
};

/**
 * Builds everything and starts it: settings, then store and payment service, then engine, then bots, then workers.
 * @throws {StartError} when something that is needed cannot be had; whatever was started is stopped again.
 */
export const startApp = async (config: Config, surroundings: Surroundings): Promise<App> => {
  const stops = new StopList();
  const stop = async (): Promise<void> => {
    failpoint('stop-begun');
    await stops.stopAll();
  };
  try {
    return { ...(await build(config, surroundings, stops)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

const build = async (
  config: Config,
  surroundings: Surroundings,
  stops: StopList,
): Promise<Omit<App, 'stop'>> => {
  const directory = new BotDirectory();
  let engine: Engine | undefined;
  const onTrouble = (problems: readonly string[]) =>
    engine?.accessTrouble(config.accessFile, problems);
  const parts = await openParts(config, surroundings, { directory, onTrouble }, stops);
  const { port, store, sandbox, listener, observers } = parts;
  const publicUrl = config.listener.publicUrl ?? `http://localhost:${port}`;
  const secrets = config.callbackSecrets ?? [await keptSecret(store)];
  engine = engineOf(config, surroundings, parts, { directory, callbacks: { secrets, publicUrl } });

  listener.serveCallbacks(observers.callbacks(engine.callbacks));
  const chats = await botsOf(config, surroundings, parts, { engine, publicUrl });
  directory.add(chats);
  listener.open();

  await startWork(config, surroundings, { ...parts, engine, chats }, stops);
  // Read after the start, before which nothing has been typed.
  const inputEnded = chats.bots.find((bot) => bot.inputEnded !== undefined)?.inputEnded;
  return {
    port,
    store,
    ...(inputEnded === undefined ? {} : { inputEnded }),
    ...(sandbox === undefined ? {} : { sandbox }),
  };
};

const engineOf = (
  config: Config,
  { clock, log, onFatal }: Surroundings,
  { store, isShared, gateway, access, observers, sandbox, account }: OpenParts,
  {
    directory,
    callbacks,
  }: { readonly directory: BotDirectory; readonly callbacks: EngineOptions['callbacks'] },
): Engine =>
  new Engine({
    store,
    isShared,
    gateway,
    access,
    chats: directory.byPlatform,
    clock,
    log,
    mark: sandbox === undefined ? noLabel : sandboxLabel,
    platforms,
    settings: {
      currency: config.currency,
      country: config.country,
      timeZone: config.timeZone,
      senderIds: config.sms.senderIds,
    },
    checks: config.checks,
    confirmWithinMs: config.confirmWithinMs,
    requestTimeoutMs: config.gateway.timeoutMs,
    sealSecret: account.secretKey,
    callbacks,
    operators: config.operators,
    onStuck: (queue) =>
      onFatal(
        new Error(`Nothing in the queue ${queue} was looked at for five minutes.`),
        'its work stands still',
      ),
    onlooker: observers.onlooker,
  });

const botsOf = (
  config: Config,
  { clock, log, input, output, userName, ...screen }: Surroundings,
  { cluster, listener, observers }: OpenParts,
  { engine, publicUrl }: { readonly engine: Engine; readonly publicUrl: string },
): Promise<Chats> => {
  const { router, commands, steps } = engine;
  const pace = screen.pace ?? clusterPace(cluster, log);
  return createBots({
    config,
    publicUrl,
    listener,
    inbound: watchedInbound(router, commands, observers.aroundCommand),
    steps,
    commands,
    onMoved: (platform, from, to) => engine.rememberMove(platform, from, to),
    paceOf: (platform) => observers.metrics.watchedPace(platform, pace),
    lead: (role, work, stop) => cluster.lead(role, work, stop),
    clock,
    log,
    input,
    output,
    userName,
  });
};

/** Workers first and bots last, so that stopping ends new requests and events while the workers finish theirs. */
const startWork = async (
  { retainMs, pseudonymSecret: key }: Config,
  { clock, log }: Surroundings,
  {
    engine,
    chats: { bots },
    listener,
    retire,
  }: OpenParts & { readonly engine: Engine; readonly chats: Chats },
  stops: StopList,
): Promise<void> => {
  await engine.start();
  stops.add(() => engine.stop());
  if (retainMs !== undefined) {
    const retention = { retire, clock, log, retainMs, ...(key === undefined ? {} : { key }) };
    stops.addBackground((stop) => keepRetention(retention, stop));
  }
  // The listener was opened early and is closed twice; the second time nothing is left to close.
  stops.add(() => listener.stop());
  for (const bot of bots) stops.add(() => bot.stop());
  await Promise.all(bots.map((bot) => bot.start()));
  const tell = engine.chatTrouble.bind(engine);
  stops.addBackground((stop) => monitorPlatforms({ chats: bots, clock, tell }, stop));
};
