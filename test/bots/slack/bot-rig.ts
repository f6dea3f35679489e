import { onTestFinished } from 'vitest';
import { SLACK_EVENTS_PATH } from '../../../src/bots/slack/settings.ts';
import { SlackBot, type SlackOptions } from '../../../src/bots/slack/slack-bot.ts';
import { RateLimiter } from '../../../src/core/cluster/rate-limiter.ts';
import { type Clock, systemClock } from '../../../src/core/runtime/clock.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { serveHttp } from '../../support/serve-http.ts';
import type { Person } from '../../support/slack/person.ts';
import { type SlackWorkspace, startSlackWorkspace } from '../../support/slack/workspace.ts';
import { StubInbound } from '../stub-inbound.ts';
import { chargeForm } from './charge-form.ts';

export type Transport = 'socket' | 'http';

/** A bot in a workspace until the test has finished, with a stub in the place of the commands. */
export type Rig = {
  readonly slack: SlackWorkspace;
  readonly ama: Person;
  /** Of the user group `finance`. */
  readonly kofi: Person;
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
  inbound.forms.set('charge', chargeForm);
  inbound.onText = async () => false;
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
  if (transport === 'http')
    slack.eventsUrl = `${await serveHttp((...exchange) => bot.handle?.(...exchange))}${SLACK_EVENTS_PATH}`;
  if (options.start !== false) await bot.start();
  let stopped: Promise<void> | undefined;
  const stop = () => {
    stopped ??= bot.stop().then(() => slack.stop());
    return stopped;
  };
  onTestFinished(stop);
  const [ama, kofi] = [slack.person('ama'), slack.person('kofi')];
  return { slack, ama, kofi, bot, inbound, log, stop };
};
