import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import type { Card } from '../../commands/cards/card.ts';
import { firstWord } from '../../commands/forms/first-word.ts';
import type { InboundHandler } from '../../commands/inbound.ts';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import { InFlight } from '../../core/runtime/in-flight.ts';
import { KeyedLock } from '../../core/runtime/keyed-lock.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import type { Target } from './outbound.ts';
import { PressAnswer } from './press-answer.ts';
import { type Me, readUpdate, type TelegramEvent } from './read-update.ts';
import { safeError } from './safe-error.ts';
import { inboundOf, rejectAuthor, reportMove, type SurfaceTools } from './surface.ts';

/** After a week without updates Telegram restarts their ids at random, so each id is remembered. */
const REMEMBERED_UPDATES = 10_000;
/** After this an update is confirmed although its press is still being handled, so that others are not delayed. */
const LONGEST_HOLD_MS = 10_000;

type Press = Extract<TelegramEvent, { kind: 'press' }>;
type Words = Extract<TelegramEvent, { kind: 'command' | 'text' }>;

/** Hands each update on once, however often polling or the webhook delivers it. */
export class UpdateQueue {
  readonly #api: Api;
  readonly #inbound: InboundHandler;
  readonly #tools: SurfaceTools;
  readonly #taken = new BoundedMap<number, Promise<void>>(REMEMBERED_UPDATES);
  readonly #inFlight = new InFlight();
  readonly #queues = new KeyedLock();

  constructor(options: { api: Api; inbound: InboundHandler; tools: Omit<SurfaceTools, 'hold'> }) {
    this.#api = options.api;
    this.#inbound = options.inbound;
    this.#tools = { ...options.tools, hold: (work) => void this.#inFlight.add(work) };
  }

  /**
   * Resolves when the update may be confirmed to Telegram; never rejects. A press has had its effect by then.
   * Typed text may not: a command alone moves no money, and a person whose command is lost types it again.
   */
  take(update: Update, me: Me): Promise<void> {
    const earlier = this.#taken.get(update.update_id);
    if (earlier !== undefined) return earlier;
    const taken = this.#take(update, me);
    this.#taken.set(update.update_id, taken);
    return taken;
  }

  /** Waits for all that was taken. */
  drain(): Promise<void> {
    return this.#inFlight.ended();
  }

  async #take(update: Update, me: Me): Promise<void> {
    const eventId = `telegram:${update.update_id}`;
    try {
      const event = readUpdate(update, me);
      this.#tools.log.debug({ eventId, kind: event.kind }, 'update');
      const { callback_query } = update;
      if (callback_query !== undefined && event.kind !== 'press')
        void this.#inFlight.add(this.#answerTo(callback_query.id).end());
      await this.#handOn(event, eventId);
    } catch (error) {
      // Unconfirmed, an update that cannot be read would be delivered for ever.
      this.#tools.log.error({ eventId, error: safeError(error) }, 'an update could not be read');
    }
  }

  #answerTo(queryId: string): PressAnswer {
    const { clock, log } = this.#tools;
    const given = new PressAnswer({ api: this.#api, queryId, log });
    void this.#inFlight.add(given.endInTime(clock));
    return given;
  }

  async #handOn(event: TelegramEvent, eventId: string): Promise<void> {
    switch (event.kind) {
      case 'press':
        return this.#waitForEffect(this.#inFlight.add(this.#press(event, eventId)));
      case 'command':
      case 'text': {
        const { caller } = event;
        const queue = `${caller.conversation.channel}|${caller.id}`;
        void this.#inFlight.add(this.#queues.run(queue, () => this.#words(event, eventId)));
        return;
      }
      case 'rejected': {
        const { conversation, reason } = event;
        void this.#inFlight.add(rejectAuthor(this.#tools, targetIn(conversation), plain(reason)));
        return;
      }
      case 'moved':
        return reportMove(this.#tools, event.from, event.to);
      case 'ignored':
        return;
      default:
        return assertNever(event);
    }
  }

  async #press({ caller, pressed, queryId, verb, id }: Press, eventId: string): Promise<void> {
    const pressAnswer = this.#answerTo(queryId);
    const inbound = inboundOf(this.#tools, caller, eventId, { ref: pressed, answer: pressAnswer });
    try {
      await this.#inbound.press(inbound, verb, id);
    } catch (error) {
      this.#tools.log.error({ eventId, error: safeError(error) }, 'a press failed');
      await inbound.surface.say(PRESS_FAULT);
    } finally {
      void this.#inFlight.add(pressAnswer.end());
    }
  }

  async #words(event: Words, eventId: string): Promise<void> {
    const inbound = inboundOf(this.#tools, event.caller, eventId);
    try {
      if (event.kind === 'command')
        return await this.#inbound.command(inbound, event.name, event.words);
      if (await this.#inbound.text(inbound, event.text)) return;
      // In a group the text is for other people; in a private chat a command needs no slash.
      if (inbound.surface.answersAreReplies === true) return;
      const { word, rest } = firstWord(event.text);
      await this.#inbound.command(inbound, word.toLowerCase(), rest);
    } catch (error) {
      this.#tools.log.error({ eventId, error: safeError(error) }, 'a message failed');
      await inbound.surface.say(WORDS_FAULT);
    }
  }

  async #waitForEffect(work: Promise<void>): Promise<void> {
    const done = new AbortController();
    const patience = this.#tools.clock.sleep(LONGEST_HOLD_MS, done.signal);
    await Promise.race([work, patience]);
    done.abort();
  }
}

const targetIn = (conversation: Conversation): Target => ({
  conversation,
  ...(conversation.replyTo === undefined ? {} : { replyTo: conversation.replyTo }),
});

const plain = (title: string, text?: string): Card => ({
  title,
  parts: text === undefined ? [] : [{ kind: 'text', text }],
});

/** Only what is certainly true: a press may have had its effect before something failed. */
const PRESS_FAULT = plain(
  'Something went wrong here',
  'Your press may have worked. Look at /payments before you press again.',
);
const WORDS_FAULT = plain(
  'Something went wrong here',
  'Nothing was charged by this message. Please try again.',
);
