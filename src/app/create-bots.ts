import type { Readable, Writable } from 'node:stream';
import type { Bot } from '../bots/bot.ts';
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

/** A bot for each configured platform. */
export type Chats = {
  readonly bots: readonly Bot[];
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
export const createBots = async ({
  config,
  listener,
  steps,
  onMoved,
  paceOf,
  lead,
  ...shared
}: Parts): Promise<Chats> => {
  const bots = await Promise.all(
    config.chats.map(async ({ platform, settings }) => {
      const { name } = platform;
      const bot = await platform.create(settings, {
        ...shared,
        askStepByStep: (event, form, answers) => steps.begin(event, form, answers),
        onMoved: (from, to) => onMoved(name, from, to),
        pacer: paceOf(name),
        lead: (work, stop) => lead(`${name} polling`, work, stop),
        isSandbox: config.payments.kind === 'sandbox',
      });
      const path = platform.webhookPath(settings);
      if (path !== undefined && bot.handle !== undefined) listener.mount(path, bot.handle);
      return bot;
    }),
  );
  const botOf = (name: string) => bots.find(({ platform }) => platform === name);
  return {
    bots,
    membersOf: async (platform, groupId) => {
      const members = botOf(platform)?.membersOf?.(groupId);
      if (members === undefined) throw new Error(`${platform} has no user groups here`);
      return members;
    },
    isGuest: async (platform, personId) => (await botOf(platform)?.isGuest?.(personId)) ?? false,
  };
};
