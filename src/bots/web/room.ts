import type { Card } from '../../commands/cards/card.ts';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import type { Revision } from './revision.ts';

/** Whose chat is drawn. Each is a conversation of its own, with that platform's manners. */
export type Look = 'slack' | 'telegram';

export type RoomMessage = {
  readonly id: string;
  readonly look: Look;
  /** What the bot says, or what the person of this name typed. */
  readonly said: Card | { readonly by: string; readonly text: string };
  /** A file to take from the page; `href` has all of it. */
  readonly file?: { readonly name: string; readonly href: string; readonly altText: string };
  /** The message in whose thread it is, or to which it is a reply. */
  readonly under?: string;
  /** The only person who sees it. */
  readonly onlyFor?: string;
};

/** A page of more is no longer read; the oldest are forgotten. */
const MOST_MESSAGES = 120;

/** The messages of a visit, in memory. */
export class VisitRoom {
  readonly #messages = new BoundedMap<string, RoomMessage>(MOST_MESSAGES);
  readonly #byKey = new BoundedMap<string, string>(MOST_MESSAGES);
  readonly #revision: Revision;
  #last = 0;

  constructor(revision: Revision) {
    this.#revision = revision;
  }

  /** Returns the id. A message posted before under the same `key` is not posted again. */
  post(message: Omit<RoomMessage, 'id'>, key?: string): string {
    const known = key === undefined ? undefined : this.#byKey.get(key);
    if (known !== undefined) return known;
    this.#last += 1;
    const id = `m${this.#last}`;
    this.#messages.set(id, { ...message, id });
    if (key !== undefined) this.#byKey.set(key, id);
    this.#revision.bump();
    return id;
  }

  /** False: the message is not there any more. */
  edit(id: string, card: Card): boolean {
    const message = this.#messages.get(id);
    if (message === undefined) return false;
    // Not through `set` of the bounded map, which would move it to the end.
    Object.assign(message, { said: card });
    this.#revision.bump();
    return true;
  }

  /** False: it was not there. */
  remove(id: string): boolean {
    const wasThere = this.#messages.delete(id);
    this.#revision.bump();
    return wasThere;
  }

  /** What a person sees of a chat, replies behind the message that they are under in Slack. */
  seenBy(person: string, look: Look): RoomMessage[] {
    const seen = [...this.#messages.values()].filter(
      (message) => message.look === look && (message.onlyFor ?? person) === person,
    );
    if (look === 'telegram') return seen;
    const ids = new Set(seen.map(({ id }) => id));
    const isReply = ({ under }: RoomMessage) => under !== undefined && ids.has(under);
    return seen
      .filter((message) => !isReply(message))
      .flatMap((message) => [message, ...seen.filter(({ under }) => under === message.id)]);
  }
}
