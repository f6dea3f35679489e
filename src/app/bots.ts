import { join } from 'node:path';
import type { Bot } from '../bots/bot.ts';
import type { BotParts } from '../bots/platform.ts';
import type { IsGuest, MembersOf } from '../commands/access/membership-answers.ts';
import type { Config } from '../config/config.ts';
import type { Cluster } from '../core/cluster/cluster.ts';
import type { Pace } from '../core/cluster/rate-limiter.ts';
import type { Listener } from '../core/http/listener.ts';
import type { Engine } from './engine.ts';

type BotsParts = Pick<
  BotParts,
  | 'publicUrl'
  | 'inbound'
  | 'commands'
  | 'store'
  | 'clock'
  | 'log'
  | 'input'
  | 'output'
  | 'userName'
  | 'practiceUrl'
> & {
  readonly engine: Pick<
    Engine,
    'router' | 'home' | 'linkToPayment' | 'rememberMove' | 'usableBy' | 'namedOn'
  >;
  readonly listener: Listener;
  readonly pacerOf: (platform: string) => Pace;
  readonly lead: Cluster['lead'];
};

/** Makes a bot for each configured platform, and loads no other platform's library. */
export const createBots = (
  { chats, payments, dataDir }: Config,
  { engine, listener, pacerOf, lead, ...shared }: BotsParts,
): Promise<Bot[]> =>
  Promise.all(
    chats.map(async ({ platform, settings }) => {
      const { name } = platform;
      const bot = await platform.create(settings, {
        ...shared,
        askStepByStep: (event, form, ...filled) =>
          engine.router.steps.begin(event, form, ...filled),
        homeOf: engine.home,
        linkToPayment: engine.linkToPayment,
        usableBy: engine.usableBy,
        named: () => engine.namedOn(name),
        onMoved: (from, to) => engine.rememberMove(name, from, to),
        pacer: pacerOf(name),
        lead: (work, stop) => lead(`${name} polling`, work, stop),
        filesFolder: join(dataDir, 'files'),
        isSandbox: payments.kind === 'sandbox',
      });
      const path = platform.webhookPath(settings);
      if (path !== undefined && bot.handle !== undefined) listener.mount(path, bot.handle);
      return bot;
    }),
  );

/**
 * What the access rules ask the platforms, whose bots are added to `bots` later.
 * @throws {Error} before there are bots: a grant must not depend on the order of the start.
 */
export const directoryIn = (
  bots: ReadonlyMap<string, Bot>,
): { readonly membersOf: MembersOf; readonly isGuest: IsGuest } => {
  const botOf = (platform: string): Bot | undefined => {
    if (bots.size === 0) throw new Error('the bots are not created yet');
    return bots.get(platform);
  };
  return {
    membersOf: async (platform, groupId) => {
      const members = botOf(platform)?.membersOf?.(groupId);
      if (members === undefined) throw new Error(`${platform} has no user groups here`);
      return members;
    },
    isGuest: async (platform, personId) => (await botOf(platform)?.isGuest?.(personId)) ?? false,
  };
};
