import type { Chat, OutgoingMessage } from '../../../src/bots/bot.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Conversation, Delivery, MessageRef } from '../../../src/core/values/conversation.ts';
import { cardText } from '../../support/card-text.ts';
import type { Dice } from '../storm/dice.ts';
import type { Instance } from './instance.ts';
import type { Timeline } from './timeline.ts';
import type { Trace } from './trace.ts';
import { calmWeather, type Weather } from './weather.ts';

/** A message as it stands, with all it ever said. */
export type Message = {
  readonly id: string;
  readonly channel: string;
  readonly under?: string;
  readonly key: string;
  readonly said: { readonly atMs: number; readonly card: Card }[];
};

/** One attempt of an instance to post or edit. */
export type Attempt = {
  readonly key: string;
  readonly kind: 'post' | 'edit';
  readonly instance: Instance;
  readonly channel: string;
  readonly atMs: number;
  readonly outcome: Delivery['kind'];
  readonly answeredAtMs: number;
};

/** One platform: where messages stand, and what it answers to those who bring them. */
export class SimulatedChat {
  readonly platform: string;
  readonly messages: Message[] = [];
  readonly attempts: Attempt[] = [];
  /** Everyone in a conversation sees its questions, and a confirmed one becomes the payment card. */
  readonly questionsBecomeCards: boolean;
  /** Told of each message that people can see. */
  onPosted: (message: Message, card: Card) => void = () => {};
  /** Told of what a message was changed into. */
  onEdited: (card: Card) => void = () => {};
  readonly #timeline: Timeline;
  readonly #trace: Trace;
  readonly #dice: Dice;
  /** Whether a message can be found again by its key. */
  readonly #isSearchable: boolean;
  readonly #gone = new Set<string>();
  readonly #moved = new Map<string, string>();
  #weather: Weather;
  #downUntilMs = 0;

  constructor(options: {
    platform: string;
    isSearchable: boolean;
    questionsBecomeCards: boolean;
    timeline: Timeline;
    trace: Trace;
    weather: Weather;
    dice: Dice;
  }) {
    this.platform = options.platform;
    this.#isSearchable = options.isSearchable;
    this.questionsBecomeCards = options.questionsBecomeCards;
    this.#timeline = options.timeline;
    this.#trace = options.trace;
    this.#weather = options.weather;
    this.#dice = options.dice;
  }

  goDown(ms: number): void {
    this.#downUntilMs = this.#timeline.nowMs + ms;
    this.#trace.note(`${this.platform} down for ${ms}`);
  }

  /** The conversation is lost for good. */
  lose(channel: string): void {
    this.#gone.add(channel);
    this.#trace.note(`${this.platform} ${channel} is gone`);
  }

  move(from: string, to: string): void {
    this.#moved.set(from, to);
    this.#trace.note(`${this.platform} ${from} is now ${to}`);
  }

  isGone(channel: string): boolean {
    return this.#gone.has(channel);
  }

  /** Where a conversation is now. */
  placeOf(channel: string): string {
    return this.#moved.get(channel) ?? channel;
  }

  heal(): void {
    this.#weather = calmWeather(this.#weather);
    this.#downUntilMs = 0;
  }

  /** An answer to an event that everyone can see. */
  say(channel: string, key: string, card: Card): void {
    const said = [{ atMs: this.#timeline.nowMs, card }];
    this.messages.push({ id: `${this.platform}-${this.messages.length + 1}`, channel, key, said });
  }

  /** The message that has, or had, the button with this id. */
  questionWith(buttonId: string): Message | undefined {
    const asks = ({ buttons = [] }: Card) =>
      buttons.some((button) => button.kind === 'press' && button.id === buttonId);
    return this.messages.find(({ said }) => said.some(({ card }) => asks(card)));
  }

  /** The platform as one instance reaches it. */
  for(instance: Instance): Chat {
    const call = (attempt: Pick<Attempt, 'key' | 'kind' | 'channel'>, deliver: () => Delivery) =>
      instance.call<Delivery>(`${this.platform} ${attempt.kind}`, (answer) =>
        this.#answer({ ...attempt, instance }, deliver(), answer),
      );
    return {
      post: (message) =>
        call({ key: message.key, kind: 'post', channel: message.conversation.channel }, () =>
          this.#post(message),
        ),
      edit: (ref, card) =>
        call({ key: '', kind: 'edit', channel: ref.conversation.channel }, () =>
          this.#edit(ref, card),
        ),
    };
  }

  #post({ conversation, key, mayStand, card, under }: OutgoingMessage): Delivery {
    const trouble = this.#troubleWith(conversation);
    if (trouble !== undefined) return trouble;
    const standing = mayStand && this.#isSearchable ? this.#find(conversation, key) : undefined;
    if (standing !== undefined) return delivered(conversation, standing.id);
    const isUnclear = this.#dice.chance(this.#weather.chatUnclear);
    if (isUnclear && this.#dice.chance(0.5)) return UNCLEAR;
    const posted: Message = {
      id: `${this.platform}-${this.messages.length + 1}`,
      channel: conversation.channel,
      key,
      said: [{ atMs: this.#timeline.nowMs, card }],
      ...(under === undefined ? {} : { under: under.message }),
    };
    this.messages.push(posted);
    this.#trace.note(`${this.platform} ${posted.channel} ${posted.id}: ${cardText(card)}`);
    this.onPosted(posted, card);
    return isUnclear ? UNCLEAR : delivered(conversation, posted.id);
  }

  #edit(ref: MessageRef, card: Card): Delivery {
    const trouble = this.#troubleWith(ref.conversation);
    if (trouble !== undefined) return trouble;
    const message = this.messages.find(({ id }) => id === ref.message);
    if (message === undefined) return { kind: 'gone', reason: 'no such message' };
    const isUnclear = this.#dice.chance(this.#weather.chatUnclear);
    if (isUnclear && this.#dice.chance(0.5)) return UNCLEAR;
    message.said.push({ atMs: this.#timeline.nowMs, card });
    this.#trace.note(`${this.platform} ${message.id} now: ${cardText(card)}`);
    this.onEdited(card);
    return isUnclear ? UNCLEAR : { kind: 'delivered', ref };
  }

  #troubleWith({ channel, ...rest }: Conversation): Delivery | undefined {
    const movedTo = this.#moved.get(channel);
    if (this.#timeline.nowMs < this.#downUntilMs)
      return { kind: 'not sent', reason: `${this.platform} is down` };
    if (this.#gone.has(channel)) return { kind: 'gone', reason: 'channel_not_found' };
    if (movedTo !== undefined)
      return { kind: 'moved', conversation: { ...rest, channel: movedTo } };
    if (this.#dice.chance(this.#weather.chatTrouble))
      return { kind: 'not sent', reason: 'HTTP 503' };
    return this.#dice.chance(this.#weather.chatBusy)
      ? { kind: 'rateLimited', retryAfterMs: this.#dice.whole(1, 60) * 1_000 }
      : undefined;
  }

  #find({ channel }: Conversation, key: string): Message | undefined {
    return this.messages.find((each) => each.channel === channel && each.key === key);
  }

  #answer(
    attempt: Omit<Attempt, 'atMs' | 'outcome' | 'answeredAtMs'>,
    delivery: Delivery,
    answer: (delivery: Delivery) => void,
  ): void {
    const atMs = this.#timeline.nowMs;
    const slow = delivery.kind === 'unclear' && this.#dice.chance(0.5);
    const tookMs = slow ? 15_000 : this.#dice.whole(30, 400);
    const outcome = delivery.kind;
    this.attempts.push({ ...attempt, atMs, outcome, answeredAtMs: atMs + tookMs });
    this.#timeline.after(tookMs, () => {
      this.#trace.note(`${this.platform} answers ${outcome}`);
      answer(delivery);
    });
  }
}

const UNCLEAR: Delivery = { kind: 'unclear', reason: 'no answer' };

const delivered = (conversation: Conversation, message: string): Delivery => ({
  kind: 'delivered',
  ref: { conversation, message },
});
