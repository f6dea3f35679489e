import { onTestFinished } from 'vitest';
import { TelegramBot } from '../../../src/bots/telegram/telegram-bot.ts';
import type { Answers, Form } from '../../../src/commands/forms/form.ts';
import { RateLimiter } from '../../../src/core/cluster/rate-limiter.ts';
import { type Clock, systemClock } from '../../../src/core/runtime/clock.ts';
import { defined } from '../../../src/core/runtime/defined.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { FastClock } from '../../support/fast-clock.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { silentLog } from '../../support/silent-log.ts';
import { type SimulatorOptions, TelegramSimulator } from '../../support/telegram-simulator.ts';
import { type Seen, StubInbound } from '../stub-inbound.ts';

const PATH = '/telegram/webhook';
export const WEBHOOK_SECRET = 'a-secret_of-Telegram';

export type StartedBot = {
  readonly telegram: TelegramSimulator;
  readonly bot: TelegramBot;
  readonly inbound: StubInbound;
  /** Waits for the next event that reached the commands, from the first one on. */
  readonly next: () => Promise<Seen>;
  readonly asked: { form: Form; answers: Answers }[];
  readonly moves: [string, string][];
  readonly logged: () => string;
  readonly webhookUrl: string | undefined;
};

export type BotOptions = {
  readonly mode?: 'polling' | 'webhook';
  readonly simulator?: SimulatorOptions;
  readonly clock?: Clock;
  readonly token?: string;
  /** Default: the simulator's. */
  readonly apiRoot?: string;
  /** An earlier bot's, to play its restart. */
  readonly telegram?: TelegramSimulator;
};

/** A simulator and a bot on it, both gone when the test ends; `start` is the test's to call. */
export const newBot = async (options: BotOptions = {}): Promise<StartedBot> => {
  const telegram = options.telegram ?? (await TelegramSimulator.start(options.simulator));
  if (options.telegram === undefined) onTestFinished(() => telegram.stop());
  const { log, entries } = capturedLog();
  const inbound = new StubInbound();
  const asked: { form: Form; answers: Answers }[] = [];
  const moves: [string, string][] = [];
  const hook = options.mode === 'webhook' ? await listen() : undefined;
  const { token, apiRoot, clock } = options;
  const bot = botOn(telegram, {
    ...defined({ token, apiRoot, clock }),
    ...(hook === undefined ? {} : { publicUrl: hook.url, webhookSecret: WEBHOOK_SECRET }),
    inbound,
    askStepByStep: async (_inbound, form, answers) => void asked.push({ form, answers }),
    onMoved: async (from, to) => void moves.push([from, to]),
    usableBy: async () => [{ name: 'charge', summary: 'Ask a customer for money' }],
    log,
  });
  if (hook !== undefined && bot.handle !== undefined) hook.serve(bot.handle);
  onTestFinished(() => bot.stop());
  const logged = () => JSON.stringify(entries, errorsWhole);
  const next = () => inbound.next();
  const webhookUrl = hook && `${hook.url}${PATH}`;
  return { telegram, bot, inbound, next, asked, moves, logged, webhookUrl };
};

/** The waits between the messages of a group pass quickly, for the bot and for Telegram alike. */
export const inFastTime = (): BotOptions => {
  const clock = new FastClock();
  return { clock, simulator: { now: () => clock.now() } };
};

type BotOnOptions = Partial<ConstructorParameters<typeof TelegramBot>[0]>;

/** A bot on a simulator, whose rooms around it are empty unless they are given; the test stops it. */
export const botOn = (telegram: TelegramSimulator, options: BotOnOptions = {}): TelegramBot => {
  const { clock = systemClock } = options;
  return new TelegramBot({
    token: telegram.token,
    apiRoot: telegram.apiRoot,
    publicUrl: 'http://127.0.0.1:1',
    inbound: new StubInbound(),
    askStepByStep: async () => {},
    onMoved: async () => {},
    usableBy: async () => [],
    named: () => [],
    store: { get: async () => undefined, commit: async () => true },
    pacer: new RateLimiter(clock),
    lead: (work, stop) => work(stop),
    clock,
    log: silentLog,
    ...options,
  });
};

/** As `newBot`, and connected. */
export const startedBot = async (options: BotOptions = {}): Promise<StartedBot> => {
  const started = await newBot(options);
  await started.bot.start();
  return started;
};

/** A server whose handler comes later: the bot needs its address first. */
const listen = async () => {
  let handle: TelegramBot['handle'];
  const url = await serveHttp((...exchange) => handle?.(...exchange));
  return {
    url,
    serve: (handler: TelegramBot['handle']) => {
      handle = handler;
    },
  };
};

/** Errors as a careless log would write them, with everything in them. */
const errorsWhole = (_key: string, value: unknown): unknown =>
  value instanceof Error ? { ...value, message: value.message, stack: value.stack } : value;
