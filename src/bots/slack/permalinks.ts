import type { WebClient } from '@slack/web-api';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { MessageRef } from '../../core/values/conversation.ts';
import { whyFailed } from './failure.ts';

const MOST_KEPT = 10_000;

/** Addresses of messages, which never change; each is asked once. */
export class Permalinks {
  readonly #with: {
    /** Gives up soon: a message that names another is useful without its address. */
    readonly client: WebClient;
    readonly log: Log;
  };
  readonly #asked = new BoundedMap<string, Promise<string | undefined>>(MOST_KEPT);

  constructor(options: { client: WebClient; log: Log }) {
    this.#with = options;
  }

  /** Undefined when Slack gives none in time. Never rejects. */
  async of({ conversation: { channel }, message }: MessageRef): Promise<string | undefined> {
    const key = `${channel} ${message}`;
    const asked = this.#asked.get(key) ?? this.#ask(channel, message);
    this.#asked.set(key, asked);
    const link = await asked;
    if (link === undefined && this.#asked.get(key) === asked) this.#asked.delete(key);
    return link;
  }

  async #ask(channel: string, message: string): Promise<string | undefined> {
    const { client, log } = this.#with;
    try {
      return (await client.chat.getPermalink({ channel, message_ts: message })).permalink;
    } catch (error) {
      log.warn({ failure: whyFailed(error) }, 'no link to a message');
      return undefined;
    }
  }
}
