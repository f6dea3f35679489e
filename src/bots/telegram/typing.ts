import type { Api } from 'grammy';
import type { InFlight } from '../../core/runtime/in-flight.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import type { BotParts } from '../platform.ts';
import { safeError } from './failure.ts';

const FIRST_AFTER_MS = 500;
/** Telegram shows the action for five seconds. */
const AGAIN_AFTER_MS = 4_500;

type Tools = Pick<BotParts, 'clock' | 'log'> & { readonly api: Api; readonly inFlight: InFlight };

/**
 * Shows "typing" in a conversation while work for it takes longer than half a second, such as an account look-up or an
 * answer that waits for its turn. The action is no message, so it takes no place in the limits that outcomes need.
 * Whether Telegram counts it is not documented, and reports differ
 * (https://github.com/NousResearch/hermes-agent/issues/107612): all work for a conversation shares one action, and one
 * that Telegram refuses is not tried again while that work lasts.
 */
export class Typing {
  readonly #tools: Tools;
  /** By conversation, with how much work it is shown for. */
  readonly #shown = new Map<string, { works: number; readonly done: AbortController }>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** Settles as `work` does. */
  async during<T>(conversation: Conversation, work: Promise<T>): Promise<T> {
    const key = `${conversation.channel}/${conversation.thread ?? ''}`;
    const shown = this.#shown.get(key) ?? { works: 0, done: new AbortController() };
    this.#shown.set(key, shown);
    if (shown.works++ === 0)
      void this.#tools.inFlight.add(this.#show(conversation, shown.done.signal));
    try {
      return await work;
    } finally {
      if (--shown.works === 0) {
        this.#shown.delete(key);
        shown.done.abort();
      }
    }
  }

  async #show({ channel, thread }: Conversation, done: AbortSignal): Promise<void> {
    const { api, clock, log } = this.#tools;
    const topic = thread === undefined ? {} : { message_thread_id: Number(thread) };
    try {
      for (let waitMs = FIRST_AFTER_MS; ; waitMs = AGAIN_AFTER_MS) {
        await clock.sleep(waitMs, done);
        if (done.aborted) return;
        await api.sendChatAction(Number(channel), 'typing', topic);
      }
    } catch (error) {
      log.debug(safeError(error), 'the typing action was refused');
    }
  }
}
