import type { Clock } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Directory } from '../platform.ts';
import { failureOf, failureText } from './failure.ts';
import { guests } from './guests.ts';
import { userGroups } from './user-groups.ts';
import { createWebClients } from './web-clients.ts';

/** What Slack knows of people, for a program that runs no bot. */
export const createSlackDirectory = (options: {
  botToken: string;
  apiUrl: string;
  clock: Clock;
  log: Log;
}): Directory => {
  const client = createWebClients(options).answers;
  const { clock } = options;
  let teamId: string | undefined;
  const groups = userGroups({ client, clock });
  const people = guests({ client, clock, teamId: () => teamId });
  return {
    membersOf: (groupId) => groups.about(groupId),
    isGuest: async (userId) => {
      try {
        teamId ??= (await client.auth.test()).team_id;
      } catch (error) {
        const why = failureText(failureOf(error));
        throw new Error(`Slack does not tell which workspace this is: ${why}`);
      }
      return people.about(userId);
    },
  };
};
