import type { WebClient } from '@slack/web-api';
import { z } from 'zod';
import type { Clock } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import { failureOf, failureText } from './failure.ts';
import { TtlCache } from './ttl-cache.ts';

/** Grants do not depend on names, so an old one does no harm. */
const KEPT_MS = 24 * 3_600_000;
/** A command waits for this, and its trigger expires after 3 s. */
const PATIENCE_MS = 1_000;
/** Shown when Slack gives no name. */
const NAMELESS = 'someone';

const account = z.looseObject({
  name: z.string().optional(),
  real_name: z.string().optional(),
  profile: z
    .looseObject({ display_name: z.string().optional(), real_name: z.string().optional() })
    .optional(),
});

/** People's names in the workspace; Slack's events carry a handle, or the id alone. */
export class PersonNames {
  readonly #names: TtlCache<string | undefined>;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor({ client, clock, log }: { client: WebClient; clock: Clock; log: Log }) {
    this.#clock = clock;
    this.#log = log;
    this.#names = new TtlCache({
      clock,
      ttlMs: KEPT_MS,
      ask: async (userId) => nameIn((await client.users.info({ user: userId })).user),
    });
  }

  /** The name; without an answer in time `otherwise`, such as the handle, or "someone". Never an id, never rejects. */
  async of(userId: string, otherwise?: string): Promise<string> {
    const patience = new AbortController();
    const name = await Promise.race([
      this.#asked(userId),
      this.#clock.sleep(PATIENCE_MS, patience.signal).then(() => undefined),
    ]);
    patience.abort();
    return name || (otherwise === userId ? undefined : otherwise) || NAMELESS;
  }

  async #asked(userId: string): Promise<string | undefined> {
    try {
      return await this.#names.about(userId);
    } catch (error) {
      this.#log.warn({ failure: failureText(failureOf(error)) }, 'a name could not be asked');
      return undefined;
    }
  }
}

const nameIn = (user: unknown): string | undefined => {
  const known = account.safeParse(user);
  if (!known.success) return undefined;
  const { name, real_name, profile } = known.data;
  return profile?.display_name || profile?.real_name || real_name || name;
};
