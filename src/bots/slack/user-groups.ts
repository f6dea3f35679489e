import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../core/runtime/clock.ts';
import { failureOf, untold } from './failure.ts';
import { TtlCache } from './ttl-cache.ts';

/** Ids of who is in a Slack user group, by the group's id. */
export const userGroups = (options: {
  client: WebClient;
  clock: Clock;
}): TtlCache<ReadonlySet<string>> =>
  new TtlCache({
    clock: options.clock,
    ask: async (groupId) => {
      try {
        const answer = await options.client.usergroups.users.list({ usergroup: groupId });
        return new Set(answer.users);
      } catch (error) {
        throw untold(`Slack does not tell who is in the user group ${groupId}`, failureOf(error));
      }
    },
  });
