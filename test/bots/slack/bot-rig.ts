import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { SLACK_EVENTS_PATH } from '../../../src/bots/slack/settings.ts';
import { SlackBot, type SlackOptions } from '../../../src/bots/slack/slack-bot.ts';
import { RateLimiter } from '../../../src/core/cluster/rate-limiter.ts';
import { type Clock, systemClock } from '../../../src/core/runtime/clock.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { type SlackWorkspace, startSlackWorkspace } from '../../support/slack/workspace.ts';
import { StubInbound } from './stub-inbound.ts';

export type Transport = 'socket' | 'http';

/** A bot in a workspace, with a stub in the place of the commands. */
export type Rig = {
  readonly slack: SlackWorkspace;
  readonly bot: SlackBot;
  readonly inbound: StubInbound;
  readonly log: ReturnType<typeof capturedLog>;
  stop(): Promise<void>;
};

export const startRig = async (
  transport: Transport,
  options: { clock?: Clock; pacerClock?: Clock; bot?: Partial<SlackOptions>; start?: boolean } = {},
): Promise<Rig> => {
  const slack = await startSlackWorkspace({
    transport,
    people: ['ama', 'kofi'],
    channels: [
      { name: 'sales' },
      { name: 'closed', bot: false },
      { name: 'board', private: true, bot: false },
    ],
    groups: [{ handle: 'finance', members: ['kofi'] }],
  });
  const inbound = new StubInbound();
  const log = capturedLog();
  const clock = options.clock ?? systemClock;
  const bot = new SlackBot({
    botToken: slack.botToken,
    transport:
      transport === 'socket'
        ? { kind: 'socket', appToken: slack.appToken }
        : { kind: 'http', signingSecret: slack.signingSecret },
    apiUrl: slack.apiUrl,
    inbound,
    homeOf: async () => ({ cards: [], approves: false }),
    linkToPayment: async () => undefined,
    clock,
    log: log.log,
    pacer: new RateLimiter(options.pacerClock ?? clock),
    ...options.bot,
  });
  const server = transport === 'http' ? await listen(bot) : undefined;
  if (server !== undefined)
    slack.eventsUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}${SLACK_EVENTS_PATH}`;
  if (options.start !== false) await bot.start();
  const stop = async () => {
    await bot.stop();
    await close(server);
    await slack.stop();
  };
  return { slack, bot, inbound, log, stop };
};

const listen = async (bot: SlackBot): Promise<Server> => {
  const server = createServer((request, response) => bot.handle?.(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
};

const close = async (server: Server | undefined): Promise<void> => {
  if (server === undefined) return;
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeAllConnections();
  await closed;
};
