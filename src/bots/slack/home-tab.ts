import type { types } from '@slack/bolt';
import type { Home } from '../../commands/home.ts';
import type { PaceLimit } from '../../core/cluster/pace-book.ts';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import type { InFlight } from '../../core/runtime/in-flight.ts';
import type { HomeChange } from '../bot.ts';
import type { BotParts } from '../platform.ts';
import { cardToMessage } from './card-to-blocks.ts';
import type { CommandNames } from './command-names.ts';
import { failureOf, failureText } from './failure.ts';
import { limits } from './limits.ts';
import { withPaymentLinks } from './payment-links.ts';
import type { SlackParts } from './sdk.ts';
import type { SlackDirectory } from './slack-directory.ts';

type Options = Omit<SlackParts, 'apiUrl'> & {
  readonly homeOf: BotParts['homeOf'];
  readonly directory: Pick<SlackDirectory, 'nameOf' | 'isInChannel'>;
  readonly inFlight: InFlight;
  readonly stopping: AbortSignal;
};

/** Of one person, so that a busy shop does not publish for each payment. */
const PERIOD_MS = 60_000;
/** `views.publish` is of Slack's tier 4, 100 a minute; its own limit, so that it takes no place of a message. */
const PACE: PaceLimit = { key: 'slack homes', burst: 20, perMs: 1_000 };
const MOST_VIEWERS = 1_000;
const NEVER = Number.NEGATIVE_INFINITY;

/** A person who has opened the home since the start of this process. */
type Viewer = {
  /** By the monotonic clock. */
  publishedAtMs: number;
  isDue: boolean;
  isRunning: boolean;
  approves: boolean;
  /** Ends the wait for the next publication. */
  hurry: AbortController;
};

/**
 * The Home tab of each person: published when they open it or rights change, and at most once a minute when something
 * of theirs changes. Nothing waits for it, and what fails is tried at the next change.
 */
export class HomeTab {
  readonly #with: Options;
  readonly #viewers = new BoundedMap<string, Viewer>(MOST_VIEWERS);

  constructor(options: Options) {
    this.#with = options;
  }

  opened(userId: string): void {
    const viewer = this.#viewers.get(userId) ?? {
      publishedAtMs: NEVER,
      isDue: false,
      isRunning: false,
      approves: false,
      hurry: new AbortController(),
    };
    this.#viewers.set(userId, viewer);
    viewer.publishedAtMs = NEVER;
    viewer.hurry.abort();
    this.#refresh(userId, viewer);
  }

  changed({ people, approvals, rights }: HomeChange): void {
    if (rights) {
      // Of those who are named, a Home may be open since before a restart, or from another instance.
      for (const userId of new Set([...this.#viewers.keys(), ...people])) this.opened(userId);
      return;
    }
    for (const [userId, viewer] of this.#viewers)
      if (people.includes(userId) || (approvals && viewer.approves)) this.#refresh(userId, viewer);
  }

  #refresh(userId: string, viewer: Viewer): void {
    viewer.isDue = true;
    if (viewer.isRunning || this.#with.stopping.aborted) return;
    viewer.isRunning = true;
    const run = this.#run(userId, viewer).finally(() => {
      viewer.isRunning = false;
    });
    void this.#with.inFlight.add(run);
  }

  /** Changes that come while it waits or publishes are in the next publication. Never rejects. */
  async #run(userId: string, viewer: Viewer): Promise<void> {
    const { clock, pacer, stopping, log } = this.#with;
    while (viewer.isDue) {
      viewer.hurry = new AbortController();
      const waitMs = Math.max(0, viewer.publishedAtMs + PERIOD_MS - clock.monotonic());
      const turn = { id: `home ${userId}`, weight: 'pending' } as const;
      const paceMs = waitMs > 0 ? waitMs : await pacer.take([PACE], turn);
      if (paceMs > 0) await clock.sleep(paceMs, AbortSignal.any([stopping, viewer.hurry.signal]));
      if (stopping.aborted) return;
      if (paceMs > 0) continue;
      viewer.isDue = false;
      viewer.publishedAtMs = clock.monotonic();
      try {
        await this.#publish(userId, viewer);
      } catch (error) {
        const failure = failureOf(error);
        if (failure.kind === 'rateLimited') pacer.block(PACE.key, failure.retryAfterMs);
        log.debug({ failure: failureText(failure) }, 'a home was not published');
      }
    }
  }

  async #publish(userId: string, viewer: Viewer): Promise<void> {
    const { homeOf, directory, clients, self, linkToPayment, names } = this.#with;
    const workspace = self()?.teamId;
    if (workspace === undefined) return;
    const conversation = { platform: 'slack', workspace, channel: userId };
    const name = await directory.nameOf(userId);
    const home = await homeOf({ platform: 'slack', id: userId, name, conversation }, (channel) =>
      directory.isInChannel(userId, channel),
    );
    viewer.approves = home.approves;
    const blocks = await withPaymentLinks(homeBlocks(home, names), linkToPayment);
    await clients.homes.views.publish({ user_id: userId, view: { type: 'home', blocks } });
  }
}

export const homeBlocks = ({ cards }: Home, names?: CommandNames): types.KnownBlock[] =>
  cards
    .flatMap((card, at) => [...(at === 0 ? [] : [DIVIDER]), ...cardToMessage(card, names).blocks])
    .slice(0, limits.homeBlocks);

const DIVIDER: types.DividerBlock = { type: 'divider' };
