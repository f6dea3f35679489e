import { onTestFinished } from 'vitest';
import { TelegramBot } from '../../../src/bots/telegram/telegram-bot.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Answers, Form } from '../../../src/commands/forms/form.ts';
import { greetingCard } from '../../../src/commands/greeting.ts';
import type {
  Inbound,
  InboundHandler,
  IncomingFile,
  KeepForm,
} from '../../../src/commands/inbound.ts';
import { RateLimiter } from '../../../src/core/cluster/rate-limiter.ts';
import { type Clock, systemClock } from '../../../src/core/runtime/clock.ts';
import { defined } from '../../../src/core/runtime/defined.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { silentLog } from '../../support/silent-log.ts';
import { type SimulatorOptions, TelegramSimulator } from '../../support/telegram-simulator.ts';

const PATH = '/telegram/webhook';
export const WEBHOOK_SECRET = 'a-secret_of-Telegram';

/** What reached the handler, in order. */
export type Received = { readonly inbound: Inbound } & (
  | { readonly kind: 'command'; readonly name: string; readonly words: string }
  | { readonly kind: 'press'; readonly verb: string; readonly id: string }
  | { readonly kind: 'file'; readonly file: IncomingFile; readonly words: string }
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'contact'; readonly numbers: readonly string[] }
);

/** A handler that keeps what it gets; a test may give it something to do. */
export class StubInbound implements InboundHandler {
  readonly received: Received[] = [];
  onCommand: (inbound: Inbound, name: string, words: string) => Promise<void> = async () => {};
  onPress: (inbound: Inbound, verb: string, id: string) => Promise<void> = async () => {};
  onText: (inbound: Inbound, text: string) => Promise<boolean> = async () => true;

  async command(inbound: Inbound, name: string, words: string): Promise<void> {
    this.received.push({ kind: 'command', inbound, name, words });
    await this.onCommand(inbound, name, words);
  }

  onFile: (inbound: Inbound, file: IncomingFile, words: string) => Promise<void> = async () => {};

  async file(inbound: Inbound, file: IncomingFile, words: string): Promise<void> {
    this.received.push({ kind: 'file', inbound, file, words });
    await this.onFile(inbound, file, words);
  }

  async press(inbound: Inbound, verb: string, id: string): Promise<void> {
    this.received.push({ kind: 'press', inbound, verb, id });
    await this.onPress(inbound, verb, id);
  }

  async submit(): Promise<void> {}

  keepForm(): KeepForm {
    return async () => undefined;
  }

  async messageShortcut(): Promise<void> {}

  async text(inbound: Inbound, text: string): Promise<boolean> {
    this.received.push({ kind: 'text', inbound, text });
    return this.onText(inbound, text);
  }

  async contact(inbound: Inbound, numbers: readonly string[]): Promise<void> {
    this.received.push({ kind: 'contact', inbound, numbers });
  }

  formOf(): Form | undefined {
    return undefined;
  }

  greeting(): Card {
    return greetingCard;
  }
}

export type StartedBot = {
  readonly telegram: TelegramSimulator;
  readonly bot: TelegramBot;
  readonly inbound: StubInbound;
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
  return { telegram, bot, inbound, asked, moves, logged, webhookUrl: hook && `${hook.url}${PATH}` };
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
