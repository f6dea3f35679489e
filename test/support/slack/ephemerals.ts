import { requestComplaints } from '../schemas/request-complaints.ts';
import { asBlocks, messageComplaints } from './block-kit.ts';
import type { Answer } from './emulator.ts';
import type { ShownMessage } from './shown-message.ts';

const MOST_POSTS = 5;

/** What a `response_url` belongs to. */
type Address = {
  readonly userId: string;
  readonly channelId: string;
  readonly thread?: string;
  /** The ephemeral message whose button was pressed. */
  readonly ephemeral?: ShownMessage;
  /** The channel's message whose button was pressed. */
  readonly messageTs?: string;
  posts: number;
};

type Body = Record<string, unknown>;

/** Messages that one person sees, and the addresses by which an app answers interactions. */
export class Ephemerals {
  readonly #messages: ShownMessage[] = [];
  readonly #addresses = new Map<string, Address>();
  readonly #complain: (complaints: readonly string[]) => void;
  readonly #updateMessage: (channelId: string, ts: string, body: Body) => Promise<Answer>;
  readonly #postMessage: (channelId: string, body: Body) => Promise<Answer>;
  #count = 0;

  constructor(options: {
    complain: (complaints: readonly string[]) => void;
    updateMessage: (channelId: string, ts: string, body: Body) => Promise<Answer>;
    postMessage: (channelId: string, body: Body) => Promise<Answer>;
  }) {
    this.#complain = options.complain;
    this.#updateMessage = options.updateMessage;
    this.#postMessage = options.postMessage;
  }

  /** What a person sees, oldest first; deleted ones are gone. */
  of(userId: string): ShownMessage[] {
    return this.#messages.filter((message) => message.seenBy === userId);
  }

  /** They vanish when somebody reloads Slack. */
  forget(userId: string): void {
    for (const message of this.of(userId)) this.#remove(message);
  }

  add(message: {
    userId: string;
    channelId: string;
    thread?: string;
    answers?: string;
    text: string;
    blocks: unknown;
  }): void {
    this.#count += 1;
    this.#messages.push({
      ts: `1700000000.${String(this.#count).padStart(6, '0')}`,
      channelId: message.channelId,
      seenBy: message.userId,
      text: message.text,
      blocks: asBlocks(message.blocks),
      ...(message.thread === undefined ? {} : { thread: message.thread }),
      ...(message.answers === undefined ? {} : { answers: message.answers }),
    });
  }

  /** The id of a new address. */
  address(address: Omit<Address, 'posts'>): string {
    const id = `answer-${this.#addresses.size + 1}`;
    this.#addresses.set(id, { ...address, posts: 0 });
    return id;
  }

  /** What an app posts there. */
  async receive(id: string, body: Body): Promise<Answer> {
    const address = this.#addresses.get(id);
    if (address === undefined) return { ok: false, error: 'expired_url' };
    address.posts += 1;
    if (address.posts > MOST_POSTS) return { ok: false, error: 'used_url' };
    if (body.delete_original === true) return this.#deleteOriginal(address);
    const complaints = [
      ...requestComplaints('slack', 'response_url', body),
      ...messageComplaints(body),
    ];
    if (complaints.length > 0) {
      this.#complain(complaints);
      return { ok: false, error: 'invalid_blocks' };
    }
    return this.#show(address, body);
  }

  async #show(address: Address, body: Body): Promise<Answer> {
    const { userId, channelId, ephemeral, messageTs } = address;
    if (body.replace_original === true && ephemeral !== undefined) {
      this.#replace(ephemeral, body);
      return { ok: true };
    }
    if (body.replace_original === true && messageTs !== undefined)
      return this.#updateMessage(channelId, messageTs, body);
    if (body.response_type === 'in_channel') return this.#postMessage(channelId, body);
    // In a press, leaving replace_original out takes the message's place.
    if (ephemeral !== undefined && body.replace_original !== false)
      this.#complain(['an answer to a press without replace_original: false']);
    this.add({
      userId,
      channelId,
      text: String(body.text),
      blocks: body.blocks,
      ...(typeof body.thread_ts === 'string' ? { thread: body.thread_ts } : {}),
      ...(ephemeral === undefined ? {} : { answers: ephemeral.ts }),
    });
    return { ok: true };
  }

  #replace(original: ShownMessage, body: Body): void {
    const at = this.#messages.findIndex(({ ts }) => ts === original.ts);
    if (at < 0) return;
    const blocks = asBlocks(body.blocks);
    this.#messages[at] = { ...original, text: String(body.text), blocks };
  }

  #deleteOriginal({ ephemeral }: Address): Answer {
    if (ephemeral !== undefined) this.#remove(ephemeral);
    return { ok: true };
  }

  #remove(message: ShownMessage): void {
    const at = this.#messages.findIndex(({ ts }) => ts === message.ts);
    if (at >= 0) this.#messages.splice(at, 1);
  }
}
