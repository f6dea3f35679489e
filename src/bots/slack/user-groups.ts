import type { WebClient } from '@slack/web-api';
import type { Clock } from '../../core/clock.ts';
import { failureOf, failureText } from './failure.ts';

/** A person taken out of a group loses what it grants after this long at most. */
const FRESH_MS = 5 * 60_000;

type Known = { readonly members: Promise<ReadonlySet<string>>; readonly askedAtMs: number };

/** Who is in a Slack user group. */
export class UserGroups {
  readonly #client: WebClient;
  readonly #clock: Clock;
  readonly #groups = new Map<string, Known>();

  constructor(options: { client: WebClient; clock: Clock }) {
    this.#client = options.client;
    this.#clock = options.clock;
  }

  /** Rejects when Slack cannot tell: nobody may be granted something on a guess or on an old answer. */
  async membersOf(groupId: string): Promise<ReadonlySet<string>> {
    const known = this.#groups.get(groupId);
    if (known !== undefined && this.#isFresh(known)) return known.members;
    const asked: Known = { members: this.#ask(groupId), askedAtMs: this.#clock.now() };
    this.#groups.set(groupId, asked);
    try {
      return await asked.members;
    } catch (error) {
      // Forgotten, so that the next caller asks again.
      if (this.#groups.get(groupId) === asked) this.#groups.delete(groupId);
      throw error;
    }
  }

  /** A clock set back must not keep an answer alive. */
  #isFresh({ askedAtMs }: Known): boolean {
    const ageMs = this.#clock.now() - askedAtMs;
    return ageMs >= 0 && ageMs < FRESH_MS;
  }

  async #ask(groupId: string): Promise<ReadonlySet<string>> {
    try {
      const answer = await this.#client.usergroups.users.list({ usergroup: groupId });
      return new Set(answer.users);
    } catch (error) {
      const why = failureText(failureOf(error));
      throw new Error(`Slack does not tell who is in the user group ${groupId}: ${why}`);
    }
  }
}
