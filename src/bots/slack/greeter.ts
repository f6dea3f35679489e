import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import type { Bot } from '../bot.ts';
import type { BotParts } from '../platform.ts';
import { isForeign, type MemberJoined } from './read-event.ts';
import type { Identity } from './sdk.ts';

type Options = Pick<BotParts, 'inbound' | 'clock' | 'log'> & {
  readonly identity: Identity;
  readonly post: Bot['post'];
  readonly stopping: AbortSignal;
};

const MOST_CHANNELS = 1_000;
const MOST_GREETING_TRIES = 3;

/**
 * Posts the greeting in a channel to which the bot was invited. Slack delivers an event again, to a new process as well:
 * the message is looked for before it is posted.
 */
export const greeter = (options: Options) => {
  const { identity, log } = options;
  const greeted = new BoundedMap<string, true>(MOST_CHANNELS);
  return async ({ userId, channel, teams, isShared }: MemberJoined): Promise<void> => {
    if (userId !== identity.botUserId || greeted.has(channel)) return;
    if (isForeign(teams, identity) || isShared)
      return log.info({ channel }, 'a channel with other companies was not greeted');
    greeted.set(channel, true);
    if (await greet(channel, options)) return;
    greeted.delete(channel);
    log.warn({ channel }, 'a channel could not be greeted');
  };
};

const greet = async (
  channel: string,
  { post, identity, inbound, clock, stopping }: Options,
): Promise<boolean> => {
  const message = {
    conversation: { platform: 'slack', workspace: identity.teamId, channel },
    card: inbound.greeting(),
    key: `greeting ${channel}`,
    weight: 'aside',
    mayStand: false,
    lookFirst: true,
  } as const;
  for (let tries = 1; ; tries += 1) {
    const delivery = await post(message);
    if (delivery.kind !== 'rateLimited' || tries >= MOST_GREETING_TRIES)
      return delivery.kind === 'delivered';
    await clock.sleep(delivery.retryAfterMs, stopping);
    if (stopping.aborted) return false;
  }
};
