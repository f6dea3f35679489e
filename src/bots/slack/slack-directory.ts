import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import { NotPermittedError } from '../../commands/access/role-membership.ts';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import { type Clock, inTime } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Directory } from '../bot.ts';
import { isMember } from './channel-members.ts';
import { refusalCode, whyFailed } from './failure.ts';
import { createWebClients } from './sdk.ts';
import type { SlackSettings } from './settings.ts';

const text = z.string().optional();
const flag = z.boolean().optional();
/** A malformed name does not hide whether the person is a guest. */
const name = text.catch(undefined);
const account = z.object({
  name,
  real_name: name,
  profile: z.object({ display_name: name, real_name: name }).optional().catch(undefined),
  team_id: text,
  deleted: flag,
  is_bot: flag,
  /** A guest of several channels. */
  is_restricted: flag,
  /** A guest of one channel. */
  is_ultra_restricted: flag,
  /** A person of another company. */
  is_stranger: flag,
  /** In an organisation of several workspaces: those the person is a member of. */
  enterprise_user: z.object({ teams: z.array(z.string()).default([]) }).optional(),
});
type Account = z.output<typeof account>;

/** Slack always knows `users.info`; a development server that does not has no guests either. */
const NO_ACCOUNTS = 'unknown_method';

/** How old an answer that grants something may get, should Slack's event of a change be lost. */
const GRANTS_KEPT_MS = 5 * 60_000;
/** Grants do not depend on names, so an old one does no harm. */
const NAMES_KEPT_MS = 24 * 3_600_000;
/** A command waits for a name, and its trigger expires after 3 s. */
const NAME_PATIENCE_MS = 1_000;
const NAMELESS = 'someone';

type Options = {
  readonly client: WebClient;
  readonly clock: Clock;
  readonly log: Log;
  /** The bot's own workspace; undefined: not known yet. */
  readonly teamId: () => Promise<string | undefined>;
};

/** The workspace's people: user groups and guests as Slack said at most 5 minutes ago, names at most a day ago. */
export class SlackDirectory implements Directory {
  readonly #with: Options;
  readonly #groups: TtlCache<ReadonlySet<string>>;
  readonly #guests: TtlCache<boolean>;
  /** By person and channel. */
  readonly #places: TtlCache<boolean>;
  readonly #names: TtlCache<string | undefined>;

  constructor(options: Options) {
    this.#with = options;
    const { clock } = options;
    const grants = { clock, ttlMs: GRANTS_KEPT_MS };
    this.#groups = new TtlCache({ ...grants, ask: (groupId) => this.#askMembers(groupId) });
    this.#guests = new TtlCache({ ...grants, ask: (userId) => this.#askGuest(userId) });
    this.#places = new TtlCache({ ...grants, ask: (place) => this.#askPlace(place) });
    const ask = async (userId: string) => nameIn(await this.#askAccount(userId));
    this.#names = new TtlCache({ clock, ttlMs: NAMES_KEPT_MS, ask });
  }

  membersOf(groupId: string): Promise<ReadonlySet<string>> {
    return this.#groups.answerFor(groupId);
  }

  /** Slack's commands and presses do not say it, and guests are invited into channels without the access file. */
  isGuest(userId: string): Promise<boolean> {
    return this.#guests.answerFor(userId);
  }

  /** Whether a person is in a channel, as Slack said at most 5 minutes ago; false without an answer. */
  async isInChannel(userId: string, channel: string): Promise<boolean> {
    try {
      return await this.#places.answerFor(`${userId} ${channel}`);
    } catch (error) {
      this.#with.log.debug({ failure: whyFailed(error) }, 'the members of a channel are not told');
      return false;
    }
  }

  /** The name of a member of a channel, or of a person whom a direct message reaches; empty without an answer. */
  async readerIn(channel: string, userId: string): Promise<string | undefined> {
    if (channel !== userId && !(await this.isInChannel(userId, channel))) return undefined;
    try {
      const found = await this.#askAccount(userId);
      return found?.deleted === true ? undefined : nameIn(found) || '';
    } catch {
      return '';
    }
  }

  groupChanged(groupId: string): void {
    this.#groups.forget(groupId);
  }

  /** The name; without an answer in time `otherwise`, such as the handle, or "someone". Never an id, never rejects. */
  async nameOf(userId: string, otherwise?: string): Promise<string> {
    const asked = this.#names.answerFor(userId).catch((error: unknown) => {
      this.#with.log.warn({ failure: whyFailed(error) }, 'a name could not be asked');
      return undefined;
    });
    const name = await inTime(this.#with.clock, asked, NAME_PATIENCE_MS);
    return name || (otherwise === userId ? undefined : otherwise) || NAMELESS;
  }

  async #askMembers(usergroup: string): Promise<ReadonlySet<string>> {
    try {
      const answer = await this.#with.client.usergroups.users.list({ usergroup });
      return new Set(answer.users);
    } catch (error) {
      throw noAnswer(`Slack does not say who is in the user group ${usergroup}`, error);
    }
  }

  #askPlace(place: string): Promise<boolean> {
    const [userId = '', channel = ''] = place.split(' ');
    return isMember(this.#with.client, { userId, channel });
  }

  async #askGuest(userId: string): Promise<boolean> {
    const teamId = await this.#with.teamId();
    try {
      const user = await this.#askAccount(userId);
      // Slack always names the user; a development server that does not has no guests either.
      return user !== undefined && isGuest(user, teamId);
    } catch (error) {
      if (refusalCode(error) === NO_ACCOUNTS) return false;
      throw noAnswer(`Slack does not say whether ${userId} is a guest`, error);
    }
  }

  async #askAccount(userId: string): Promise<Account | undefined> {
    const { user } = await this.#with.client.users.info({ user: userId });
    return account.optional().parse(user);
  }
}

const MOST_ANSWERS = 10_000;

/** What Slack answered about each id, asked again when it is older than `ttlMs`. */
export class TtlCache<T> {
  readonly #with: { ask(id: string): Promise<T>; readonly clock: Clock; readonly ttlMs: number };
  readonly #asked = new BoundedMap<string, { answer: Promise<T>; atMs: number }>(MOST_ANSWERS);

  constructor(options: { ask(id: string): Promise<T>; clock: Clock; ttlMs: number }) {
    this.#with = options;
  }

  /** Rejects when Slack does not answer: nothing is granted on a guess or on an old answer. */
  async answerFor(id: string): Promise<T> {
    const { ask, clock, ttlMs } = this.#with;
    const nowMs = clock.now();
    let asked = this.#asked.get(id);
    // A clock set back must not keep an answer alive.
    if (asked === undefined || nowMs < asked.atMs || nowMs >= asked.atMs + ttlMs) {
      asked = { answer: ask(id), atMs: nowMs };
      this.#asked.set(id, asked);
    }
    try {
      const answer = await asked.answer;
      // Forgotten while it was under way: the answer may be from before the change.
      return this.#asked.get(id) === asked ? answer : await this.answerFor(id);
    } catch (error) {
      // The next caller asks again.
      if (this.#asked.get(id) === asked) this.#asked.delete(id);
      throw error;
    }
  }

  /** Slack told of a change: the next caller asks again. */
  forget(id: string): void {
    this.#asked.delete(id);
  }
}

const isGuest = (user: Account, teamId: string | undefined): boolean => {
  const isHere =
    user.team_id === undefined ||
    user.team_id === teamId ||
    (teamId !== undefined && user.enterprise_user?.teams.includes(teamId) === true);
  const { deleted, is_bot, is_restricted, is_ultra_restricted, is_stranger } = user;
  return (
    !isHere || [deleted, is_bot, is_restricted, is_ultra_restricted, is_stranger].includes(true)
  );
};

const nameIn = (user: Account | undefined): string | undefined =>
  user?.profile?.display_name || user?.profile?.real_name || user?.real_name || user?.name;

const noAnswer = (what: string, error: unknown): Error => {
  const message = `${what}: ${whyFailed(error)}`;
  return refusalCode(error) === 'missing_scope'
    ? new NotPermittedError(message)
    : new Error(message);
};

/** The directory for a program that runs no bot: it asks Slack itself which workspace the token is for. */
export const createSlackDirectory = (
  options: Pick<SlackSettings, 'botToken' | 'apiUrl'> & Omit<Options, 'client' | 'teamId'>,
): SlackDirectory => {
  const client = createWebClients(options).answers;
  let known: string | undefined;
  const teamId = async (): Promise<string | undefined> => {
    try {
      known ??= (await client.auth.test()).team_id;
      return known;
    } catch (error) {
      throw new Error(`Slack does not say which workspace this is: ${whyFailed(error)}`);
    }
  };
  return new SlackDirectory({ ...options, client, teamId });
};
