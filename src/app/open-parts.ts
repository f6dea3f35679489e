import { join } from 'node:path';
import { platforms as listed } from '../bots/all-platforms.ts';
import { type Bot, type HomeChange, OTHER_RIGHTS } from '../bots/bot.ts';
import type { BotParts } from '../bots/platform.ts';
import { Access, type OnTrouble } from '../commands/access/access.ts';
import { RIGHTS } from '../commands/all-commands.ts';
import { openTemplates } from '../commands/sms/templates-file.ts';
import type { Config } from '../config/config.ts';
import type { Callbacks } from '../core/callbacks/callbacks.ts';
import type { Pace } from '../core/cluster/rate-limiter.ts';
import type { Gateway } from '../core/gateway/gateway.ts';
import type { Health } from '../core/http/health-pages.ts';
import { Listener, type ListenerOptions } from '../core/http/listener.ts';
import { chatGrants } from '../core/records/access-grants.ts';
import type { Queue } from '../core/records/due.ts';
import type { Change } from '../core/records/records.ts';
import { suspensionList } from '../core/records/stored-values.ts';
import type { Clock } from '../core/runtime/clock.ts';
import { StartError } from '../core/runtime/errors.ts';
import type { Log } from '../core/runtime/log.ts';
import { programVersion } from '../core/runtime/version.ts';
import type { Store } from '../core/store/store.ts';
import { Metrics } from '../core/telemetry/metrics.ts';
import { type OnCommit, observedGateway, observedStore } from '../core/telemetry/observer.ts';
import { Tracing } from '../core/telemetry/tracing.ts';
import type { Platform, Platforms } from '../core/values/platform.ts';
import { directoryIn } from './directory.ts';
import type { WorkObserver } from './engine-options.ts';
import { openPaymentService, type SandboxManners } from './open-payment-service.ts';
import { openStore } from './open-store.ts';

/** The outside of the process. `userName` is shown as the requester in a local chat. */
export type Surroundings = Pick<BotParts, 'clock' | 'log' | 'input' | 'output' | 'userName'> & {
  /** An error that only a new process can mend: end this one. `what` goes on after "Paythread stops:". */
  readonly onFatal: (error: unknown, what: string) => void;
  /** The rate limits of messages to chats. @default those of the platforms; only measurements have their own */
  readonly pace?: Pace;
  /** @default as the numbers say; only visits of the practice page have prompts */
  readonly sandbox?: SandboxManners;
};

/**
 * Opens what the settings name: access rules, store, observers, listener, payment service. Nothing is served yet.
 * `bots` are added later.
 * @throws {StartError} when one of them cannot be had; `stops` closes those that were opened.
 */
export const openParts = async (
  config: Config,
  { clock, log, onFatal, sandbox: manners = {} }: Surroundings,
  { bots, onTrouble }: { readonly bots: ReadonlyMap<string, Bot>; readonly onTrouble: OnTrouble },
  stops: AsyncDisposableStack,
) => {
  const { accessFile: file, currency, dataDir } = config;
  // Before anything is opened: a mistake in the access file starts nothing.
  const platforms = platformsOf(config);
  const onChange = () => {
    for (const bot of bots.values()) bot.refreshHomes?.(OTHER_RIGHTS);
  };
  const rules = { file, currency, platforms, rights: RIGHTS, clock, log, onTrouble, onChange };
  const access = await Access.open({ ...rules, ...directoryIn(bots) });
  stops.defer(() => access.stop());
  const { templatesFile, receipt, shop } = config.sms;
  const texts = { templates: await openTemplates(templatesFile, config.sms), receipt, shop };

  const { cluster, isShared, retire, ...opened } = await openStore(config, {
    clock,
    log,
    onFatal: (error) => onFatal(error, 'the data folder could not be written'),
  });
  stops.defer(() => opened.store.close());
  const observers = startObservers(config, { store: opened.store, clock, log });
  const { metrics } = observers;
  const store = observedStore(observers.store, tellingHomes(bots));

  const health = healthOf(observers, bots, clock);
  const serving = { health, log, onCallback: () => metrics.callback(), clock };
  const listening = await openListeners(config.listener, serving, stops);

  const service = await openPaymentService(config, join(dataDir, 'sandbox.json'), {
    sandbox: manners,
    clock,
    log,
    onExchange: (operation, times) => metrics.exchanged(operation, times),
    ...(isShared ? { cluster } : {}),
  });
  const { sandbox } = service;
  if (sandbox !== undefined) stops.defer(() => sandbox.stop());
  const gateway = observers.gateway(service.gateway);
  const shared = { access, texts, observers, store, cluster, isShared, retire, platforms };
  return { ...service, ...listening, gateway, ...shared };
};

/** Those of every settings, and those of these alone. */
const platformsOf = ({ chats }: Config): Platforms => [
  ...new Set<Platform>([...listed, ...chats.map(({ platform }) => platform)]),
];

export type OpenParts = Awaited<ReturnType<typeof openParts>>;

/** What `/healthz`, `/readyz` and `/metrics` answer from. */
const healthOf = (
  { store, metrics }: Observers,
  bots: ReadonlyMap<string, Bot>,
  clock: Clock,
): Health => ({
  lateMs: async () => {
    const queues: Queue[] = ['submit', 'check', 'notice', 'sms', 'bulk'];
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

/**
 * Opens the listener for everything that comes in, and one of its own for `/metrics` where that is set. Resolves with
 * the first, which serves nothing yet, and its port.
 * @throws {StartError} when a port cannot be had.
 */
const openListeners = async (
  { metrics, ...settings }: Config['listener'],
  options: Pick<ListenerOptions, 'health' | 'log' | 'onCallback' | 'clock'>,
  stops: AsyncDisposableStack,
): Promise<{ listener: Listener; port: number }> => {
  const { portChosen, publicUrl, proxies, callbackAllow } = settings;
  const pages = metrics === undefined ? {} : { pages: ['/healthz', '/readyz'] as const };
  const listener = new Listener({ ...options, ...pages, proxies, callbackAllow });
  stops.defer(() => listener.stop());
  if (metrics !== undefined) {
    const ofMetrics = new Listener({ ...options, pages: ['/metrics'] });
    stops.defer(() => ofMetrics.stop());
    await listenAt(ofMetrics, metrics, 'METRICS_HOST or METRICS_PORT');
    ofMetrics.open();
  }
  // The default port was not asked for and no one was told of it, so any other will do for trying things out.
  const mayMove = !portChosen && publicUrl === undefined;
  return { listener, port: await listenAt(listener, settings, 'HOST or PORT', mayMove) };
};

const listenAt = async (
  listener: Listener,
  { host, port }: { readonly host: string; readonly port: number },
  settings: string,
  mayMove = false,
): Promise<number> => {
  try {
    return await listener.listen(host, port);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'EADDRINUSE' && mayMove) return listener.listen(host, 0);
    throw new StartError(
      `Cannot listen on ${host}:${port} (${code ?? 'unknown reason'}). Is another program using it? Set ${settings} to something else.`,
      1,
      { cause: error },
    );
  }
};

/** Starts metrics and traces, and puts them around the parts of the program, which know nothing of them. */
const startObservers = (
  { databaseUrl, currency, merchants }: Config,
  opened: { readonly store: Store; readonly clock: Clock; readonly log: Log },
) => {
  const version = programVersion();
  const tracing = new Tracing({ ...opened, version });
  const info = { version, store: databaseUrl === undefined ? 'embedded' : 'postgres' } as const;
  const { store, clock } = opened;
  const metrics = new Metrics({
    nowMs: () => clock.now(),
    info,
    store,
    shops: { currency, merchants },
  });
  const work: WorkObserver = {
    aroundCommand: async ({ command, by, platform }, serve) => {
      const ended = metrics.command(command, by);
      const wasForUs = await tracing.event(`${command} ${by}`, { platform }, serve);
      if (wasForUs) ended();
      return wasForUs;
    },
    noticeTried: (notice, what, result) => metrics.noticeTried(notice, what, result),
    aroundWork: (due, serve) => tracing.due(due, serve),
  };
  return {
    metrics,
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
  };
};

type Observers = ReturnType<typeof startObservers>;

/** Tells the bots whose payments and questions have changed, once the change is stored: open pages are shown again. */
const tellingHomes =
  (bots: ReadonlyMap<string, Bot>): OnCommit =>
  (change) =>
  (result) => {
    if (result !== 'stored') return;
    for (const bot of bots.values()) bot.refreshHomes?.(changedOn(bot.platform, change));
  };

const changedOn = (platform: string, { put = [], audit = [] }: Change): HomeChange => {
  const asked = put.flatMap(({ kind, record }) =>
    (kind === 'payment' || kind === 'draft') && record.requester.platform === platform
      ? [{ id: record.requester.id, isDraft: kind === 'draft' && record.status !== 'open' }]
      : [],
  );
  const entitled = audit.flatMap(({ id }) => {
    const [setting = '', person] = id.split(`.${platform}:`);
    return person !== undefined && RIGHTS_IN.includes(setting) ? [person] : [];
  });
  return {
    people: [...asked.map(({ id }) => id), ...entitled],
    approvals: asked.some(({ isDraft }) => isDraft),
    rights: put.some(({ kind, record }) => kind === 'setting' && RIGHTS_IN.includes(record.id)),
  };
};

const RIGHTS_IN: readonly string[] = [chatGrants.id, suspensionList.id];
