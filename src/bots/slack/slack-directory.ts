import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Clock } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Directory } from '../bot.ts';
import { failureOf, failureText, noAnswerError } from './failure.ts';
import { TtlCache } from './ttl-cache.ts';
import { createWebClients } from './web-clients.ts';

const account = z.looseObject({
  team_id: z.string().optional(),
  deleted: z.boolean().optional(),
  is_bot: z.boolean().optional(),
  /** A guest of several channels. */
  is_restricted: z.boolean().optional(),
  /** A guest of one channel. */
  is_ultra_restricted: z.boolean().optional(),
  /** A person of another company. */
  is_stranger: z.boolean().optional(),
  /** In an organisation of several workspaces: those the person is a member of. */
  enterprise_user: z.looseObject({ teams: z.array(z.string()).default([]) }).optional(),
});

/** Slack always knows `users.info`; a development server that does not has no guests either. */
const NO_ACCOUNTS = 'unknown_method';

type Options = {
  readonly client: WebClient;
  readonly clock: Clock;
  /** The bot's own workspace; undefined: not known yet. */
  readonly teamId: () => Promise<string | undefined>;
};

/** Who is in a user group, and who is a guest, as Slack said at most 5 minutes ago. */
export class SlackDirectory implements Directory {
  readonly #options: Options;
  readonly #groups: TtlCache<ReadonlySet<string>>;
  readonly #guests: TtlCache<boolean>;

  constructor(options: Options) {
    const { clock } = options;
    this.#options = options;
    this.#groups = new TtlCache({ clock, ask: (groupId) => this.#askMembers(groupId) });
    this.#guests = new TtlCache({ clock, ask: (userId) => this.#askGuest(userId) });
  }

  membersOf(groupId: string): Promise<ReadonlySet<string>> {
    return this.#groups.about(groupId);
  }

  /** Slack's commands and presses do not say it, and guests are invited into channels without the access file. */
  isGuest(userId: string): Promise<boolean> {
    return this.#guests.about(userId);
  }

  /** The members of a user group have changed. */
  groupChanged(groupId: string): void {
    this.#groups.forget(groupId);
  }

  async #askMembers(usergroup: string): Promise<ReadonlySet<string>> {
    try {
      const answer = await this.#options.client.usergroups.users.list({ usergroup });
      return new Set(answer.users);
    } catch (error) {
      throw noAnswerError(
        `Slack does not tell who is in the user group ${usergroup}`,
        failureOf(error),
      );
    }
  }

  async #askGuest(userId: string): Promise<boolean> {
    const teamId = await this.#options.teamId();
    try {
      const { user } = await this.#options.client.users.info({ user: userId });
      // Slack always names the user; a development server that does not has no guests either.
      return user !== undefined && isGuest(account.parse(user), teamId);
    } catch (error) {
      const failure = failureOf(error);
      if (failure.kind === 'said no' && failure.code === NO_ACCOUNTS) return false;
      throw noAnswerError(`Slack does not tell whether ${userId} is a guest`, failure);
    }
  }
}

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

/** The directory for a program that runs no bot: it asks Slack itself which workspace the token is for. */
export const createSlackDirectory = (options: {
  botToken: string;
  apiUrl: string;
  clock: Clock;
  log: Log;
}): SlackDirectory => {
  const client = createWebClients(options).answers;
  let known: string | undefined;
  const teamId = async (): Promise<string | undefined> => {
    try {
      known ??= (await client.auth.test()).team_id;
      return known;
    } catch (error) {
      const why = failureText(failureOf(error));
      throw new Error(`Slack does not tell which workspace this is: ${why}`);
    }
  };
  return new SlackDirectory({ client, clock: options.clock, teamId });
};
