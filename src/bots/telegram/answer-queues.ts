import { randomUUID } from 'node:crypto';
import type { Card } from '../../commands/cards/card.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import { KeyedLock } from '../../core/runtime/keyed-lock.ts';
import type { Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { Outbound, Target } from './outbound.ts';

/** An answer that has waited this long is given up. */
const LONGEST_WAIT_MS = 60_000;
/** How long an answer to a person without any grant waits for room in a busy group. */
const LONGEST_ASIDE_MS = 5_000;
const TRY_AGAIN_MS = 1_000;

/** Answers to people: one queue a chat, first in first out. */
export class AnswerQueues {
  readonly #outbound: Outbound;
  readonly #clock: Clock;
  readonly #stopping: AbortSignal;
  readonly #queues = new KeyedLock();

  /** Once `stopping` aborts, nothing waits. */
  constructor(options: { outbound: Outbound; clock: Clock; stopping: AbortSignal }) {
    this.#outbound = options.outbound;
    this.#clock = options.clock;
    this.#stopping = options.stopping;
  }

  /** A new message. After an unclear answer it is not posted again: a second question beside the first would confuse. */
  say(target: Target, card: Card): Promise<Delivery> {
    const { channel } = target.conversation;
    return this.#inTurn(channel, ['not sent'], () => this.#outbound.send(target, card));
  }

  /** An edit of a message. Edits are idempotent, so an unclear answer is followed by another try. */
  replace(ref: MessageRef, card: Card): Promise<Delivery> {
    const { channel } = ref.conversation;
    return this.#inTurn(channel, ['not sent', 'unclear'], () => this.#outbound.put(ref, card));
  }

  /** For a person without any grant: posted only if there is room soon and the person had no answer for a minute. */
  async aside(target: Target, personId: string, card: Card): Promise<Delivery> {
    const { channel } = target.conversation;
    const untilMs = this.#clock.monotonic() + LONGEST_ASIDE_MS;
    for (;;) {
      const waitMs = await this.#outbound.asideWaitMs(channel, personId);
      if (waitMs === 0) return this.#outbound.send(target, card);
      if (!(await this.#waits(waitMs, untilMs)))
        return { kind: 'rateLimited', retryAfterMs: waitMs };
    }
  }

  #inTurn(
    channel: string,
    worthAnotherTry: readonly Delivery['kind'][],
    attempt: () => Promise<Delivery>,
  ): Promise<Delivery> {
    const untilMs = this.#clock.monotonic() + LONGEST_WAIT_MS;
    const id = randomUUID();
    return this.#queues.run(channel, async () => {
      for (let tries = 1; ; ) {
        const waitMs = await this.#outbound.answerWaitMs(channel, id);
        if (waitMs > 0) {
          if (await this.#waits(waitMs, untilMs)) continue;
          return { kind: 'rateLimited', retryAfterMs: waitMs };
        }
        const delivery = await attempt();
        // The wait that Telegram asked for comes with the next turn.
        if (delivery.kind === 'rateLimited') continue;
        if (tries++ > 1 || !worthAnotherTry.includes(delivery.kind)) return delivery;
        if (!(await this.#waits(TRY_AGAIN_MS, untilMs))) return delivery;
      }
    });
  }

  /** False: it would take too long. */
  async #waits(ms: number, untilMs: number): Promise<boolean> {
    if (this.#stopping.aborted || this.#clock.monotonic() + ms > untilMs) return false;
    await this.#clock.sleep(ms, this.#stopping);
    return !this.#stopping.aborted;
  }
}
