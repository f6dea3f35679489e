import type { Api } from 'grammy';
import type { Update } from 'grammy/types';
import { type Card, plainCard } from '../../commands/cards/card.ts';
import { firstWord, type Inbound, type IncomingFile } from '../../commands/inbound.ts';
import { BoundedMap } from '../../core/runtime/bounded-map.ts';
import { inTime } from '../../core/runtime/clock.ts';
import { defined } from '../../core/runtime/defined.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import { KeyedLock } from '../../core/runtime/keyed-lock.ts';
import type { BotParts } from '../platform.ts';
import { safeError } from './failure.ts';
import type { Menus } from './menus.ts';
import { pressAnswer } from './press-answer.ts';
import { type Document, type Me, readUpdate, type TelegramEvent } from './read-update.ts';
import { inboundOf, reportMove, type SurfaceTools } from './surface.ts';
import type { Typing } from './typing.ts';

/** After a week without updates Telegram restarts their ids at random, so each id is remembered. */
const REMEMBERED_UPDATES = 10_000;
/** After this an update is confirmed although its press is still being handled, so that others are not delayed. */
const LONGEST_HOLD_MS = 10_000;

type PressEvent = Extract<TelegramEvent, { kind: 'press' }>;
type Words = Extract<TelegramEvent, { kind: 'command' | 'text' | 'contact' | 'file' }>;
type Tools = SurfaceTools &
  Pick<BotParts, 'inbound' | 'clock'> & {
    readonly api: Api;
    readonly menus: Pick<Menus, 'seen'>;
    readonly typing: Pick<Typing, 'during'>;
    readonly fileOf: (document: Document) => IncomingFile;
  };

/** Hands each update on once, however often polling or the webhook delivers it. */
export class UpdateQueue {
  readonly #tools: Tools;
  readonly #taken = new BoundedMap<number, Promise<void>>(REMEMBERED_UPDATES);
  readonly #queues = new KeyedLock();

  constructor(tools: Tools) {
    this.#tools = tools;
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

  async #take(update: Update, me: Me): Promise<void> {
    const { log, inFlight } = this.#tools;
    const eventId = `telegram:${update.update_id}`;
    try {
      const event = readUpdate(update, me);
      log.debug({ eventId, kind: event.kind }, 'update');
      const { callback_query } = update;
      if (callback_query !== undefined && event.kind !== 'press') {
        const why = event.kind === 'void press' ? event.why : undefined;
        void inFlight.add(pressAnswer(this.#tools, callback_query.id)(why, 'alert'));
      }
      await this.#handOn(event, eventId);
    } catch (error) {
      // Unconfirmed, an update that cannot be read would be delivered endlessly.
      log.error({ eventId, error: safeError(error) }, 'an update could not be read');
    }
  }

  async #handOn(event: TelegramEvent, eventId: string): Promise<void> {
    const { inFlight, outbound, clock } = this.#tools;
    switch (event.kind) {
      case 'press':
        return inTime(clock, inFlight.add(this.#press(event, eventId)), LONGEST_HOLD_MS);
      case 'command':
      case 'text':
      case 'file':
      case 'contact': {
        const { id, conversation } = event.caller;
        const work = () => this.#words(event, eventId);
        void inFlight.add(this.#queues.run(`${conversation.channel}|${id}`, work));
        return;
      }
      case 'rejected': {
        const { conversation, reason } = event;
        const target = { conversation, replyTo: conversation.replyTo };
        void inFlight.add(outbound.aside(target, reason, plainCard(reason)));
        return;
      }
      case 'added': {
        // Added and removed again and again, it greets a group once a minute at most.
        const { conversation } = event;
        const greeting = this.#tools.inbound.greeting();
        void inFlight.add(outbound.aside({ conversation }, 'greeting', greeting));
        return;
      }
      case 'moved':
        return reportMove(this.#tools, event.from, event.to);
      case 'void press':
      case 'ignored':
        return;
      default:
        return assertNever(event);
    }
  }

  async #press({ caller, pressed, queryId, verb, id }: PressEvent, eventId: string): Promise<void> {
    const answer = pressAnswer(this.#tools, queryId);
    const inbound = inboundOf(this.#tools, caller, eventId, { ref: pressed, answer });
    await this.#orFault(inbound, PRESS_FAULT, () => this.#tools.inbound.press(inbound, verb, id));
    void this.#tools.inFlight.add(answer());
  }

  #words(event: Words, eventId: string): Promise<void> {
    const handler = this.#tools.inbound;
    const { caller, repliedTo, repliedAuthor } = event;
    const reply = defined({ repliedTo, repliedAuthor });
    const inbound = { ...inboundOf(this.#tools, caller, eventId), ...reply };
    return this.#orFault(inbound, WORDS_FAULT, async () => {
      if (event.kind === 'command') return handler.command(inbound, event.name, event.words);
      if (event.kind === 'contact') return handler.contact(inbound, event.numbers);
      if (event.kind === 'file')
        return handler.file(inbound, this.#tools.fileOf(event), event.words);
      if (await handler.text(inbound, event.text)) return;
      // In a group the text is for other people; in a private chat a command needs no slash.
      if (inbound.surface.answersAreReplies === true) return;
      const { word, rest } = firstWord(event.text);
      await handler.command(inbound, word, rest);
    });
  }

  async #orFault(inbound: Inbound, fault: Card, work: () => Promise<void>): Promise<void> {
    try {
      void this.#tools.inFlight.add(this.#tools.menus.seen(inbound.caller));
      await this.#tools.typing.during(inbound.caller.conversation, work());
    } catch (error) {
      const { eventId, pressed } = inbound;
      const what = pressed === undefined ? 'a message failed' : 'a press failed';
      this.#tools.log.error({ eventId, error: safeError(error) }, what);
      await inbound.surface.say(fault);
    }
  }
}

const fault = (text: string): Card => plainCard('Something went wrong here', text);

/** Only what is certainly true: a press may have had its effect before something failed. */
const PRESS_FAULT = fault('Your press may have worked. Look at /payments before you press again.');
const WORDS_FAULT = fault('Nothing was charged by this message. Please try again.');
