/** How many messages are remembered: Slack sends both events of one post within moments. */
const REMEMBERED = 1_000;

/**
 * One post can come as two events, a mention and a message, each with its own id. The first one counts.
 * The same event delivered again is no twin: whether it was handled already is known where effects are stored.
 */
export class DuplicateMentions {
  readonly #firstEvents = new Map<string, string>();

  isDuplicate(post: string, eventId: string): boolean {
    const first = this.#firstEvents.get(post);
    if (first !== undefined) return first !== eventId;
    this.#firstEvents.set(post, eventId);
    const [oldest] = this.#firstEvents.keys();
    if (this.#firstEvents.size > REMEMBERED && oldest !== undefined)
      this.#firstEvents.delete(oldest);
    return false;
  }
}
