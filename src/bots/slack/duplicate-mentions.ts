import { BoundedMap } from '../../core/runtime/bounded-map.ts';

/** Slack sends both events of one post within moments. */
const MOST_POSTS = 1_000;

/**
 * One post can come as two events, a mention and a message, each with its own id; the first one counts. The same
 * event delivered again is no duplicate here: whether it was handled is known where its effects are stored.
 */
export class DuplicateMentions {
  readonly #firstEvents = new BoundedMap<string, string>(MOST_POSTS);

  isDuplicate(post: string, eventId: string): boolean {
    const first = this.#firstEvents.get(post);
    if (first === undefined) this.#firstEvents.set(post, eventId);
    return first !== undefined && first !== eventId;
  }
}
