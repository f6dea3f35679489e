import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Bot } from '../bots/bot.ts';
import type { BotParts, ConfiguredChat } from '../bots/platform.ts';
import { noLabel, sandboxLabel } from '../commands/cards/sandbox-label.ts';
import type { Config } from '../config/config.ts';
import { clusterPace } from '../core/cluster/cluster.ts';
import { monitorPlatforms } from '../core/notices/platform-monitor.ts';
import { keepRetention } from '../core/privacy/retention.ts';
import { callbackSecret } from '../core/records/stored-values.ts';
import { defined } from '../core/runtime/defined.ts';
import { failpoint } from '../core/runtime/failpoints.ts';
import type { Store } from '../core/store/store.ts';
import { STALE, untilStored } from '../core/store/until-stored.ts';
import { SHARED_NAP_MS } from '../core/work/worker.ts';
import { buildEngine, type Engine } from './engine.ts';
import { type EngineOptions, FILE_SHARE } from './engine-options.ts';
import { type OpenParts, openParts, type Surroundings } from './open-parts.ts';
import { isPracticeServed, practicePath, removeVisits, servePractice } from './serve-practice.ts';
import type { App } from './started-app.ts';

/**
 * Builds everything and starts it: settings, then store and payment service, then engine, then bots, then workers.
 * @throws {StartError} when something that is needed cannot be had; what was started is stopped again.
 */
export const startApp = async (config: Config, surroundings: Surroundings): Promise<App> => {
  const stops = new AsyncDisposableStack();
  const stop = async (): Promise<void> => {
    failpoint('stop-begun');
    await stops.disposeAsync();
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
  stops: AsyncDisposableStack,
): Promise<Omit<App, 'stop'>> => {
  const bots = new Map<string, Bot>();
  let engine: Engine | undefined;
  const onTrouble = (problems: readonly string[]) =>
    engine?.alerts.accessTrouble(config.accessFile, problems);
  const parts = await openParts(config, surroundings, { bots, onTrouble }, stops);
  const { port, store, sandbox, listener, observers } = parts;
  const publicUrl = config.listener.publicUrl ?? `http://localhost:${port}`;
  const secrets = config.callbackSecrets ?? [await keptSecret(store)];
  const callbacks = { secrets, publicUrl };
  engine = buildEngine(engineOptions(config, surroundings, { ...parts, chats: bots, callbacks }));

  listener.serveCallbacks(observers.callbacks(engine.callbacks));
  await removeVisits(config);
  const path = isPracticeServed(config) ? practicePath() : undefined;
  const practice = defined({ practiceUrl: path && `http://localhost:${port}${path}` });
  const urls = { publicUrl, ...practice };
  for (const bot of await createBots(config, surroundings, { ...parts, engine, urls }))
    bots.set(bot.platform, bot);
  if (path !== undefined)
    stops.defer(servePractice(listener, path, config, { surroundings, start: startApp }));
  listener.open();

  await startWork(config, surroundings, { ...parts, engine, bots: [...bots.values()] }, stops);
  // Read after the start, before which nothing has been typed.
  const inputEnded = [...bots.values()].find((bot) => bot.inputEnded !== undefined)?.inputEnded;
  return {
    port,
    store,
    commands: engine.commands,
    ...defined({ inputEnded, sandbox, roles: parts.access.roleNames() }),
    ...practice,
  };
};

/** The signing secret of callback addresses, made once and kept with the payments whose addresses it signed. */
const keptSecret = (store: Store): Promise<string> =>
  untilStored('the secret of callbacks', async () => {
    const kept = await callbackSecret.in(store);
    if (kept !== undefined) return kept;
    const made = randomBytes(32).toString('base64url');
    return (await store.commit({ put: [callbackSecret.put(made, undefined)] })) ? made : STALE;
  });

const engineOptions = (
  config: Config,
  { clock, log, onFatal }: Surroundings,
  parts: OpenParts & Pick<EngineOptions, 'callbacks' | 'chats'>,
): EngineOptions => ({
  ...parts,
  ...(parts.isShared ? { longestNapMs: SHARED_NAP_MS } : {}),
  clock,
  log,
  checks: config.checks,
  confirmWithinMs: config.confirmWithinMs,
  operators: config.operators,
  digest: config.digest,
  alertBelow: config.alertBelow,
  ...defined({ retainMs: config.retainMs }),
  mark: parts.sandbox === undefined ? noLabel : sandboxLabel,
  settings: {
    currency: config.currency,
    country: config.country,
    timeZone: config.timeZone,
    merchants: config.merchants,
    senderIds: config.sms.senderIds,
    texts: parts.texts,
  },
  requestTimeoutMs: config.gateway.timeoutMs,
  filePace: { rowsPerSecond: config.gateway.requestsPerSecond * FILE_SHARE },
  observer: parts.observers.work,
  onStuck: (queue) =>
    onFatal(
      new Error(`Nothing in the queue ${queue} was looked at for five minutes.`),
      'its work does not move',
    ),
});

/** Makes a bot for each configured platform, and loads no other platform's library. */
const createBots = (
  { chats, payments, dataDir }: Config,
  { pace: given, ...surroundings }: Surroundings,
  parts: OpenParts & {
    readonly engine: Engine;
    readonly urls: Pick<BotParts, 'publicUrl' | 'practiceUrl'>;
  },
): Promise<Bot[]> => {
  const { engine, urls, listener, store, observers, cluster } = parts;
  const pace = given ?? clusterPace(cluster, surroundings.log);
  const create = async ({ platform, settings }: ConfiguredChat): Promise<Bot> => {
    const { name } = platform;
    const bot = await platform.create(settings, {
      ...surroundings,
      ...urls,
      store,
      inbound: engine.router,
      commands: engine.commands,
      askStepByStep: (event, form, ...filled) => engine.router.steps.begin(event, form, ...filled),
      homeOf: engine.home,
      linkToPayment: engine.linkToPayment,
      usableBy: engine.usableBy,
      named: () => engine.namedOn(name),
      onMoved: (from, to) => engine.rememberMove(name, from, to),
      pacer: observers.metrics.watchedPace(name, pace),
      lead: (work, stop) => cluster.lead(`${name} polling`, work, stop),
      filesFolder: join(dataDir, 'files'),
      isSandbox: payments.kind === 'sandbox',
    });
    const path = platform.webhookPath(settings);
    if (path !== undefined && bot.handle !== undefined) listener.mount(path, bot.handle);
    return bot;
  };
  return Promise.all(chats.map(create));
};

/** Workers first and bots last, so that stopping ends new requests and events while the workers finish theirs. */
const startWork = async (
  { retainMs, pseudonymSecret: key }: Config,
  { clock, log }: Surroundings,
  {
    engine,
    bots,
    listener,
    retire,
  }: OpenParts & { readonly engine: Engine; readonly bots: readonly Bot[] },
  stops: AsyncDisposableStack,
): Promise<void> => {
  await engine.start();
  stops.defer(() => engine.stop());
  if (retainMs !== undefined) {
    const retention = { retire, clock, log, retainMs, ...(key === undefined ? {} : { key }) };
    runInBackground((stop) => keepRetention(retention, stop), stops);
  }
  // The listener was opened early and is closed twice; the second time nothing is left to close.
  stops.defer(() => listener.stop());
  for (const bot of bots) stops.defer(() => bot.stop());
  await Promise.all(bots.map((bot) => bot.start()));
  const { alerts } = engine;
  runInBackground((stop) => monitorPlatforms({ chats: bots, clock, alerts }, stop), stops);
  stops.defer(() => engine.beginStop());
};

/** Starts work that ends by its signal; stopping aborts it and waits for it. */
const runInBackground = (
  work: (stop: AbortSignal) => Promise<void>,
  stops: AsyncDisposableStack,
): void => {
  const stopping = new AbortController();
  const done = work(stopping.signal);
  stops.defer(() => {
    stopping.abort();
    return done;
  });
};
