import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Clock } from '../../core/runtime/clock.ts';
import { failureOf, untold } from './failure.ts';
import { TtlCache } from './ttl-cache.ts';

const account = z.looseObject({
  team_id: z.string().optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  /** A guest of several channels. */
  is_restricted: z.boolean().optional(),
  /** A guest of one channel. */
  is_ultra_restricted: z.boolean().optional(),
  /** Somebody of another company. */
  is_stranger: z.boolean().optional(),
  /** In an organisation of several workspaces: those the person is a member of. */
  enterprise_user: z.looseObject({ teams: z.array(z.string()).default([]) }).optional(),
});

/** Slack always knows `users.info`; a development server that does not has no guests either. */
const NO_ACCOUNTS = 'unknown_method';

/**
 * Whether a person is anything less than a full member of the workspace, by user id. Slack's commands and
 * presses do not say it, and whoever invites a guest into a channel hardly thinks of the access file.
 */
export const guests = (options: {
  client: WebClient;
  clock: Clock;
  teamId: () => string | undefined;
}): TtlCache<boolean> =>
  new TtlCache({
    clock: options.clock,
    ask: async (userId) => {
      try {
        const { user } = await options.client.users.info({ user: userId });
        // Slack always names the user; a development server that does not has no guests either.
        return user !== undefined && isGuest(account.parse(user), options.teamId());
      } catch (error) {
        const failure = failureOf(error);
        if (failure.kind === 'said no' && failure.code === NO_ACCOUNTS) return false;
        throw untold(`Slack does not tell whether ${userId} is a guest`, failure);
      }
    },
  });

const isGuest = (user: z.output<typeof account>, teamId: string | undefined): boolean => {
  const isHere =
    user.team_id === undefined ||
    user.team_id === teamId ||
    (teamId !== undefined && user.enterprise_user?.teams.includes(teamId) === true);
  const { deleted, is_bot, is_restricted, is_ultra_restricted, is_stranger } = user;
  return (
    !isHere || [deleted, is_bot, is_restricted, is_ultra_restricted, is_stranger].includes(true)
  );
};
