import { randomUUID } from 'node:crypto';
import type { Readable, Writable } from 'node:stream';
import type { Bot } from '../bots/bot.ts';
import { TerminalBot } from '../bots/terminal/terminal-bot.ts';
import type { IsGuest, MembersOf } from '../commands/access/access.ts';
import type { Command } from '../commands/command.ts';
import type { FormSteps } from '../commands/forms/form-steps.ts';
import type { InboundHandler } from '../commands/inbound.ts';
import type { Config } from '../config/config.ts';
import type { Cluster } from '../core/cluster/cluster.ts';
import type { Pace } from '../core/cluster/rate-limiter.ts';
import type { Listener } from '../core/http/listener.ts';
import type { Clock } from '../core/runtime/clock.ts';
import type { Log } from '../core/runtime/log.ts';

/** The chat platforms that are configured; without any, the terminal. */
export type Chats = {
  readonly bots: readonly Bot[];
  readonly terminal?: TerminalBot;
  /** The members of a user group, on platforms that have them. */
  readonly membersOf: MembersOf;
  /** Whether a person is less than a full member, on platforms that know such people. */
  readonly isGuest: IsGuest;
};

type Parts = {
  readonly config: Config;
  readonly publicUrl: string;
  readonly listener: Listener;
  readonly inbound: InboundHandler;
  readonly steps: FormSteps;
  readonly commands: readonly Command[];
  /** A group got a new id. */
  readonly onMoved: (platform: string, from: string, to: string) => Promise<void>;
  /** What a platform's messages keep to. */
  readonly paceOf: (platform: string) => Pace;
  readonly lead: Cluster['lead'];
  readonly clock: Clock;
  readonly log: Log;
  readonly input: Readable;
  readonly output: Writable;
  readonly userName: string;
};

/** A platform's library is loaded only when it is used: each costs start-up time and memory. */
export const createBots = async (parts: Parts): Promise<Chats> => {
  const [slack, telegram] = await Promise.all([slackOf(parts), telegramOf(parts)]);
  const membersOf: Chats['membersOf'] = async (platform, groupId) => {
    if (platform !== 'slack' || slack === undefined)
      throw new Error(`${platform} has no user groups here`);
    return slack.membersOf(groupId);
  };
  const isGuest: Chats['isGuest'] = async (platform, personId) =>
    platform === 'slack' && slack !== undefined && (await slack.isGuest(personId));
  const bots = [slack, telegram].filter((bot) => bot !== undefined);
  if (bots.length > 0) return { bots, membersOf, isGuest };
  const terminal = terminalOf(parts);
  return { bots: [terminal], terminal, membersOf, isGuest };
};

const slackOf = async ({ config, listener, inbound, paceOf, clock, log }: Parts) => {
  if (config.slack === undefined) return undefined;
  const { createSlackBot } = await import('../bots/slack/slack-bot.ts');
  const pacer = paceOf('slack');
  const bot = createSlackBot({ ...config.slack, inbound, clock, log, pacer });
  const { handle } = bot;
  if (handle !== undefined) listener.mount('/slack/events', handle);
  return bot;
};

const telegramOf = async (parts: Parts) => {
  const { config, publicUrl, listener, inbound, steps, commands, onMoved, clock, log } = parts;
  if (config.telegram === undefined) return undefined;
  const { token, apiRoot, webhookSecret: secret } = config.telegram;
  const { createTelegramBot } = await import('../bots/telegram/telegram-bot.ts');
  const bot = createTelegramBot({
    token,
    apiRoot,
    ...(secret === undefined ? {} : { webhook: { url: `${publicUrl}/telegram/webhook`, secret } }),
    inbound,
    askStepByStep: (event, form, answers) => steps.begin(event, form, answers),
    onMoved: (from, to) => onMoved('telegram', from, to),
    commands: commands.map(({ name, summary }) => ({ name, description: summary })),
    // Telegram serves one poller at a time.
    lead: (work, stop) => parts.lead('telegram polling', work, stop),
    pacer: parts.paceOf('telegram'),
    clock,
    log,
  });
  const { handle } = bot;
  if (handle !== undefined) listener.mount('/telegram/webhook', handle);
  return bot;
};

const terminalOf = ({
  config,
  input,
  output,
  inbound,
  steps,
  commands,
  userName,
}: Parts): TerminalBot =>
  new TerminalBot({
    input,
    output,
    inbound,
    askStepByStep: (event, form, answers) => steps.begin(event, form, answers),
    name: userName,
    greeting:
      config.payments.kind === 'sandbox'
        ? 'Paythread with a simulated payment service: no money moves. Try /charge 0244123456 50 GHS, or /help.'
        : 'Paythread. /help lists the commands.',
    newEventId: randomUUID,
    commandNames: commands.map(({ name }) => name),
  });
