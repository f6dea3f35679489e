import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { platforms } from '../bots/all-platforms.ts';
import type { Bot } from '../bots/bot.ts';
import { Access, type IsGuest, type MembersOf, type OnTrouble } from '../commands/access/access.ts';
import { noMark, testMark } from '../commands/cards/sandbox-label.ts';
import { type AroundCommand, watchedInbound } from '../commands/watched-inbound.ts';
import type { Config } from '../config/config.ts';
import { clusterPace } from '../core/cluster/cluster-pace.ts';
import type { Pace } from '../core/cluster/rate-limiter.ts';
import { createGateway } from '../core/gateway/client.ts';
import { monitorPlatforms } from '../core/notices/platform-monitor.ts';
import { keepRetention } from '../core/privacy/retention.ts';
import type { Queue } from '../core/records/due.ts';
import type { Clock } from '../core/runtime/clock.ts';
import { failpoint } from '../core/runtime/failpoints.ts';
import type { Log } from '../core/runtime/log.ts';
import { programVersion } from '../core/runtime/version.ts';
import type { Store } from '../core/store/store.ts';
import { Metrics } from '../core/telemetry/metrics.ts';
import { startTracing, type Tracing } from '../core/telemetry/tracing.ts';
import type { Sandbox, startSandbox } from '../sandbox/sandbox.ts';
import { createBots } from './create-bots.ts';
import { Engine } from './engine.ts';
import { gatewaySettings } from './gateway-settings.ts';
import { openListeners } from './open-listeners.ts';
import { openStore } from './open-store.ts';

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

/** The outside of the process. */
export type Surroundings = {
  readonly clock: Clock;
  readonly log: Log;
  readonly input: Readable;
  readonly output: Writable;
  /** Shown as the requester in a local chat. */
  readonly userName: string;
  /** Something that only a new process can mend: end this one. `what` goes on after "Paythread stops:". */
  readonly onFatal: (error: unknown, what: string) => void;
  /** What messages to the chats keep to; only measurements have their own. @default what the platforms bear */
  readonly pace?: Pace;
};

/**
 * Builds everything and starts it.
 * @throws {StartError} when something that is needed cannot be had; whatever was started is stopped again.
 */
export const startApp = async (config: Config, surroundings: Surroundings): Promise<App> => {
  const stops: (() => Promise<void>)[] = [];
  const stop = async (): Promise<void> => {
    failpoint('stop-begun');
    for (const each of stops.splice(0).reverse()) await each();
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
  { clock, log, onFatal, ...screen }: Surroundings,
  stops: (() => Promise<void>)[],
): Promise<Omit<App, 'stop'>> => {
  // Before anything is opened: a mistake in the access file starts nothing.
  let membersOf: MembersOf = async () => {
    throw new Error('the chats are not there yet');
  };
  let isGuest: IsGuest = async () => {
    throw new Error('the chats are not there yet');
  };
  let onTrouble: OnTrouble = () => {};
  const access = await Access.open({
    file: config.accessFile,
    currency: config.currency,
    platforms,
    clock,
    log,
    membersOf: (platform, groupId) => membersOf(platform, groupId),
    isGuest: (platform, personId) => isGuest(platform, personId),
    onTrouble: (problems) => onTrouble(problems),
  });
  stops.push(() => access.stop());

  const version = programVersion();
  const tracing = await startTracing(config.tracesEndpoint, { clock, log, version });
  stops.push(() => tracing.stop());

  const {
    store: opened,
    cluster,
    isShared,
    retire,
  } = await openStore(config, {
    clock,
    log,
    onFatal: (error) => onFatal(error, 'the data folder could not be written'),
  });
  stops.push(() => opened.close());
  const metrics = new Metrics({
    nowMs: () => clock.now(),
    info: { version, store: isShared ? 'postgres' : 'embedded' },
  });
  const store = tracing.store(metrics.watchedStore(opened));

  const chats = new Map<string, Bot>();
  const health = healthOf(store, chats, metrics, clock);
  const onCallback = () => metrics.callback();
  const listening = openListeners(config.listener, { health, log, onCallback, clock });
  const { listener } = listening;
  stops.push(() => listening.stop());
  const port = await listening.listen();
  const publicUrl = config.listener.publicUrl ?? `http://localhost:${port}`;

  const sandbox =
    config.payments.kind === 'sandbox'
      ? await startedSandbox({ clock, file: join(config.dataDir, 'sandbox.json') })
      : undefined;
  if (sandbox !== undefined) stops.push(() => sandbox.stop());
  const pace = screen.pace ?? clusterPace(cluster, log);
  const account = gatewaySettings(config, sandbox);
  const client = createGateway(account, {
    clock,
    log,
    onExchange: (operation, times) => metrics.exchanged(operation, times),
    ...(isShared ? { cluster } : {}),
  });
  const gateway = tracing.gateway(metrics.watchedGateway(client));

  const secrets = config.callbackSecrets ?? [await keptSecret(store)];
  const mark = sandbox === undefined ? noMark : testMark;
  const engine = new Engine({
    store,
    isShared,
    gateway,
    access,
    chats,
    clock,
    log,
    mark,
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
    callbacks: { secrets, publicUrl },
    operators: config.operators,
    onStuck: (queue) =>
      onFatal(
        new Error(`Nothing in the queue ${queue} was looked at for five minutes.`),
        'its work stands still',
      ),
    onlooker: {
      noticeTried: (notice, what, result) => metrics.noticeTried(notice, what, result),
      aroundWork: (work, serve) => tracing.due(work, serve),
    },
  });
  const { callbacks, commands, router, steps } = engine;
  listener.serveCallbacks({
    issued: (id, token) => callbacks.issued(id, token),
    receive: (id, ...rest) => tracing.callback(id, () => callbacks.receive(id, ...rest)),
  });

  const inbound = watchedInbound(router, commands, watched(metrics, tracing));
  const { bots, ...chatParts } = await createBots({
    config,
    publicUrl,
    listener,
    inbound,
    steps,
    commands,
    onMoved: (platform, from, to) => engine.rememberMove(platform, from, to),
    paceOf: (platform) => metrics.watchedPace(platform, pace),
    lead: (role, work, stop) => cluster.lead(role, work, stop),
    clock,
    log,
    ...screen,
  });
  ({ membersOf, isGuest } = chatParts);
  onTrouble = (problems) => engine.accessTrouble(config.accessFile, problems);
  for (const bot of bots) chats.set(bot.platform, bot);
  listener.open();

  await engine.start();
  stops.push(() => engine.stop());
  const { retainMs, pseudonymSecret: key } = config;
  if (retainMs !== undefined) {
    const retention = { retire, clock, log, retainMs, ...(key === undefined ? {} : { key }) };
    stops.push(inBackground((stop) => keepRetention(retention, stop)));
  }

  // Stopped first: no new requests and no new events, while the workers can still finish theirs.
  // (The listener was opened early and is closed twice; the second time nothing is left to close.)
  stops.push(() => listener.stop());
  for (const bot of bots) stops.push(() => bot.stop());
  await Promise.all(bots.map((bot) => bot.start()));
  // Read after the start, before which nothing has been typed.
  const inputEnded = bots.find((bot) => bot.inputEnded !== undefined)?.inputEnded;
  const tell = engine.chatTrouble.bind(engine);
  stops.push(inBackground((stop) => monitorPlatforms({ chats: bots, clock, tell }, stop)));
  return {
    port,
    store,
    ...(inputEnded === undefined ? {} : { inputEnded }),
    ...(sandbox === undefined ? {} : { sandbox }),
  };
};

/** Returns the way to stop it. */
const inBackground = (work: (stop: AbortSignal) => Promise<void>): (() => Promise<void>) => {
  const stopping = new AbortController();
  const done = work(stopping.signal);
  return () => {
    stopping.abort();
    return done;
  };
};

const watched =
  (metrics: Metrics, tracing: Tracing): AroundCommand =>
  async ({ command, by, platform }, work) => {
    const ended = metrics.command({ command, by });
    const wasForUs = await tracing.event(`${command} ${by}`, { platform }, work);
    if (wasForUs) ended();
    return wasForUs;
  };

/** Loaded only where it is used, like the chat libraries: with a real service it is not needed. */
const startedSandbox = async (options: Parameters<typeof startSandbox>[0]): Promise<Sandbox> =>
  (await import('../sandbox/sandbox.ts')).startSandbox(options);

const healthOf = (
  store: Store,
  chats: ReadonlyMap<string, Bot>,
  metrics: Metrics,
  clock: Clock,
) => ({
  lateMs: async () => {
    const queues: Queue[] = ['submit', 'check', 'notice', 'sms'];
    const times = await Promise.all(queues.map((queue) => store.nextDueMs(queue)));
    return Math.max(0, ...times.map((dueMs) => (dueMs === undefined ? 0 : clock.now() - dueMs)));
  },
  missing: () =>
    chats.size === 0
      ? ['starting']
      : [...chats.values()].flatMap((chat) => {
          const missing = chat.notReady();
          return missing === undefined ? [] : [`${chat.platform}: ${missing}`];
        }),
  metrics: () => metrics.text(),
});

/** Made once and kept with the payments whose addresses it signed. */
const keptSecret = async (store: Store): Promise<string> => {
  const id = 'callback-secret';
  const kept = await store.get('setting', id);
  if (kept !== undefined) return kept.value;
  const value = randomBytes(32).toString('base64url');
  const stored = await store.commit({
    put: [{ kind: 'setting', record: { id, version: 1, value } }],
  });
  return stored ? value : keptSecret(store);
};
