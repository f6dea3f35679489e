import { randomUUID } from 'node:crypto';
import type { Api } from 'grammy';
import { type Card, isAsking, part, plainCard } from '../../commands/cards/card.ts';
import type { OutgoingFile } from '../../commands/cards/outgoing-file.ts';
import type { PaceLimit, Turn, Weight } from '../../core/cluster/pace-book.ts';
import type { PinAnswer } from '../../core/notices/chats.ts';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import { KeyedLock } from '../../core/runtime/keyed-lock.ts';
import type { Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { OutgoingMessage } from '../bot.ts';
import type { BotParts } from '../platform.ts';
import { failureOf, safeError } from './failure.ts';
import { isGroupId, MENUS_KEY, PACE_OF_MENUS, paceOf, paceOfAside } from './limits.ts';
import { sendCard, type Target } from './send-card.ts';
import { sendFile } from './send-file.ts';
import type { Typing } from './typing.ts';

/** An answer that has waited this long is given up. */
const GIVEN_UP_AFTER_MS = 60_000;
/** How long an answer to a person without any grant waits for room in a busy group. */
const LONGEST_ASIDE_MS = 20_000;
const TRY_AGAIN_MS = 1_000;
/** An answer later than this is of no use. */
const LONGEST_SILENCE_MS = 60 * 60_000;

/**
 * A payment that ends this soon is shown by one edit of its card: a group takes few edits. Most end within five seconds,
 * and the service takes a moment to tell.
 */
const MAY_END_WITHIN_MS = 6_000;

const BUTTONS_KEPT = 10_000;
const EDITS_KEPT = 10_000;

const NOT_TAKEN = { type: 'emoji', emoji: '🤷' } as const;

const ANSWERS_LOST = plainCard('I could not answer everything here. Type what is missing again.');

/** The Bot API cannot look for a message, so one that is sent again says so. */
const REPEAT_NOTE = part.note('Sent again, because no answer came the first time.');

type Tools = Pick<BotParts, 'pacer' | 'clock' | 'log'> & {
  readonly api: Api;
  /** With the patience that files need. */
  readonly files: Api;
  readonly typing: Pick<Typing, 'during'>;
  /** Once it aborts, nothing waits. */
  readonly stopping: AbortSignal;
};

/** Messages out to Telegram, each in its turn: what is owed is tried at once, answers wait. Nothing here rejects. */
export class Outbound {
  readonly #tools: Tools;
  readonly #queues = new KeyedLock();
  /** The message of each button that an answer had, by the id of the button. */
  readonly asked = new BoundedMap<string, MessageRef>(BUTTONS_KEPT);
  /** When each message of a group was first to say that something is under way. */
  readonly #underWaySince = new BoundedMap<string, number>(EDITS_KEPT);
  /** Chats that have to be told of answers that were given up. */
  readonly #owesLine = new Set<string>();

  constructor(tools: Tools) {
    this.#tools = tools;
  }

  /** A message that is owed; `rateLimited` when its turn has not come. */
  async post(message: OutgoingMessage): Promise<Delivery> {
    const { conversation, under, card, key, weight = 'outcome', mayStand } = message;
    const { channel } = conversation;
    // A reply to the bot's own message, else to the command. Message ids of another chat mean nothing here.
    const isHere = under?.conversation.channel === channel;
    const replyTo = isHere ? under.message : conversation.replyTo;
    const shown = mayStand ? { ...card, parts: [...card.parts, REPEAT_NOTE] } : card;
    const late = await this.#turn(paceOf(channel, weight), { id: key, weight });
    if (late !== undefined) return late;
    return card.picture === undefined
      ? sendCard(this.#tools, { conversation, replyTo }, shown)
      : sendFile(this.#tools, channel, card.picture);
  }

  /** An edit that is owed; as `post`. */
  async edit(ref: MessageRef, card: Card, weight: Weight = 'card'): Promise<Delivery> {
    const { channel } = ref.conversation;
    const turn = { id: `${channel}/${ref.message}`, weight };
    const early = weight === 'pending' && isGroupId(channel) ? this.#early(turn.id) : undefined;
    const late = early ?? (await this.#turn(paceOf(channel, weight), turn));
    return late ?? sendCard(this.#tools, ref, card);
  }

  /** The first edit that only says `pending` waits for the one that says more; after a restart it waits once more. */
  #early(id: string): Delivery | undefined {
    const nowMs = this.#tools.clock.monotonic();
    const sinceMs = this.#underWaySince.get(id) ?? nowMs;
    this.#underWaySince.set(id, sinceMs);
    const retryAfterMs = sinceMs + MAY_END_WITHIN_MS - nowMs;
    return retryAfterMs > 0 ? { kind: 'rateLimited', retryAfterMs } : undefined;
  }

  /** In a group a member without that right may pin nothing. */
  async pin({ conversation, message }: MessageRef, isPinned: boolean): Promise<PinAnswer> {
    const { api, log } = this.#tools;
    const { channel } = conversation;
    try {
      await (isPinned
        ? api.pinChatMessage(channel, Number(message), { disable_notification: true })
        : api.unpinChatMessage(channel, Number(message)));
      return 'done';
    } catch (error) {
      log.warn(safeError(error), 'a message could not be pinned');
      return failureOf(error).kind === 'gone' ? 'refused' : 'no answer';
    }
  }

  /** An answer to a person, as a new message or an edit. Each chat has a queue of questions and one of the others, first in first out. */
  async answer(target: Target, card: Card): Promise<Delivery> {
    const send = () => sendCard(this.#tools, target, card);
    // What asks goes first, also before what tells an end.
    const delivery = await this.#inTurn(target, isAsking(card) ? 'question' : 'answer', send);
    if (delivery.kind !== 'delivered') return delivery;
    for (const button of card.buttons ?? [])
      if (button.kind === 'press') this.asked.set(button.id, delivery.ref);
    return delivery;
  }

  /** A file to a person's private chat, in the queue of answers. `card`: the words below it, which fit there. @default those of the file */
  sendFile(channel: string, file: OutgoingFile, card?: Card): Promise<Delivery> {
    const conversation = { platform: 'telegram', channel };
    const send = () => sendFile(this.#tools, channel, file, card);
    return this.#inTurn({ conversation }, 'answer', send);
  }

  #inTurn(
    { conversation, message }: Target,
    weight: Weight,
    send: () => Promise<Delivery>,
  ): Promise<Delivery> {
    const { channel } = conversation;
    const untilMs = this.#tools.clock.monotonic() + GIVEN_UP_AFTER_MS;
    const turn = { id: randomUUID(), weight };
    const sent = this.#queues.run(`${channel} ${weight}`, async () => {
      for (let tries = 1; ; ) {
        const late = await this.#turn(paceOf(channel, weight), turn, untilMs);
        if (late !== undefined) return late;
        const delivery = await send();
        // The wait that Telegram asked for comes with the next turn.
        if (delivery.kind === 'rateLimited') continue;
        // Edits are idempotent; a question posted twice would confuse.
        const isEdit = message !== undefined;
        const isSafe = delivery.kind === 'not sent' || (delivery.kind === 'unclear' && isEdit);
        if (tries++ > 1 || !isSafe || !(await this.#waits(TRY_AGAIN_MS, untilMs))) return delivery;
      }
    });
    return this.#tools.typing.during(conversation, sent);
  }

  /** For a person without any grant: posted only if there is room soon and the person had no answer for a minute. */
  async aside(target: Target, personId: string, card: Card): Promise<Delivery> {
    const { channel } = target.conversation;
    const untilMs = this.#tools.clock.monotonic() + LONGEST_ASIDE_MS;
    // All answers to one person share one turn.
    const turn = { id: `aside ${channel}/${personId}`, weight: 'aside' } as const;
    const late = await this.#turn(paceOfAside(channel, personId), turn, untilMs);
    return late ?? sendCard(this.#tools, target, card);
  }

  /** Sets a menu once nothing else wants its place, and as late as Telegram asks. False: the bot stops. Rejects as `set` does. */
  async setMenu(set: () => Promise<unknown>): Promise<boolean> {
    const turn = { id: randomUUID(), weight: 'pending' } as const;
    while ((await this.#turn(PACE_OF_MENUS, turn, Number.POSITIVE_INFINITY)) === undefined)
      try {
        await set();
        return true;
      } catch (error) {
        const failure = failureOf(error);
        if (failure.kind !== 'rateLimited') throw error;
        this.#tools.pacer.block(MENUS_KEY, failure.retryAfterMs);
      }
    return false;
  }

  /** Says that something typed was seen and not taken, where there is no room for words. Takes no turn. */
  async react({ conversation, replyTo }: Target): Promise<void> {
    if (replyTo === undefined) return;
    const { api, log } = this.#tools;
    try {
      await api.setMessageReaction(conversation.channel, Number(replyTo), [NOT_TAKEN]);
    } catch (error) {
      log.debug(safeError(error), 'a message got no reaction');
    }
  }

  /** Says in one line for all answers that were given up in a chat, once it has room, that there were some. */
  async ownUp({ conversation }: Target): Promise<void> {
    const { channel } = conversation;
    if (this.#owesLine.has(channel)) return;
    this.#owesLine.add(channel);
    const untilMs = this.#tools.clock.monotonic() + LONGEST_SILENCE_MS;
    const turn = { id: randomUUID(), weight: 'answer' } as const;
    const late = await this.#turn(paceOf(channel, 'answer'), turn, untilMs);
    this.#owesLine.delete(channel);
    if (late === undefined) await sendCard(this.#tools, { conversation }, ANSWERS_LOST);
  }

  /** Undefined once it is the message's turn; `rateLimited` when that would take longer than `untilMs`. @default at once */
  async #turn(
    limits: readonly PaceLimit[],
    turn: Turn,
    untilMs = 0,
  ): Promise<Delivery | undefined> {
    for (;;) {
      const waitMs = await this.#tools.pacer.take(limits, turn);
      if (waitMs === 0) return undefined;
      if (!(await this.#waits(waitMs, untilMs)))
        return { kind: 'rateLimited', retryAfterMs: waitMs };
    }
  }

  /** False: it would take too long. */
  async #waits(ms: number, untilMs: number): Promise<boolean> {
    const { clock, stopping } = this.#tools;
    if (stopping.aborted || clock.monotonic() + ms > untilMs) return false;
    await clock.sleep(ms, stopping);
    return !stopping.aborted;
  }
}
