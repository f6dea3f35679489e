import type { WebClient } from '@slack/web-api';
import type { Card } from '../../commands/cards/card.ts';
import type { Answers, Form } from '../../commands/forms/form.ts';
import type { Surface } from '../../commands/inbound.ts';
import type { Pace } from '../../core/cluster/rate-limiter.ts';
import type { Clock } from '../../core/runtime/clock.ts';
import type { Log } from '../../core/runtime/log.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import { cardToMessage, type SlackMessage } from './card-to-blocks.ts';
import type { DirectChannels } from './direct-channels.ts';
import { failureOf, failureText } from './failure.ts';
import { formToModal, openFormCard } from './form-to-modal.ts';
import { channelPace, editPace, withPlainFallback } from './outbound.ts';
import type { SlackEvent } from './read-event.ts';
import { isSlacks, postToResponseUrl } from './response-url.ts';
import type { WebClients } from './web-clients.ts';

/** An event, and the conversation it is from. */
export type ReplyTargets = SlackEvent & { readonly conversation: Conversation };

/** One way to show something; false: it did not work, take the next. */
type Attempt = (message: SlackMessage) => Promise<boolean>;

/** The longest wait of an answer after a 429. */
const LONGEST_WAIT_MS = 10_000;

/** Makes the surface of each inbound event. Answers are private: ephemeral in channels, plain messages in the direct one. */
export class ReplySurfaces {
  readonly #answers: WebClient;
  readonly #views: WebClient;
  readonly #direct: DirectChannels;
  readonly #apiUrl: string;
  readonly #pacer: Pace;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(options: {
    clients: WebClients;
    /** Web API root. */
    apiUrl: string;
    direct: DirectChannels;
    pacer: Pace;
    clock: Clock;
    log: Log;
  }) {
    this.#answers = options.clients.answers;
    this.#views = options.clients.views;
    this.#direct = options.direct;
    this.#apiUrl = options.apiUrl;
    this.#pacer = options.pacer;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  surfaceFor(wanted: ReplyTargets): Surface {
    const targets = this.#withinSlack(wanted);
    // Slack accepts a trigger once.
    let { triggerId } = targets;
    const say = (card: Card) => this.#show(card, this.#attemptsToSay(targets));
    const replace = (card: Card) =>
      this.#show(card, [...this.#attemptsToReplace(targets), ...this.#attemptsToSay(targets)]);
    return {
      say,
      whisper: say,
      replace,
      refusePress: (why, state) => (state === 'over' ? replace(why) : say(why)),
      ask: async (form, answers) => {
        const trigger = triggerId;
        triggerId = undefined;
        if (trigger !== undefined && (await this.#open(trigger, form, answers, targets))) return;
        await say(openFormCard(form, answers));
      },
    };
  }

  /** Drops a `response_url` that is not Slack's; there are other ways to answer. */
  #withinSlack({ responseUrl, ...targets }: ReplyTargets): ReplyTargets {
    if (responseUrl === undefined) return targets;
    if (isSlacks(responseUrl, this.#apiUrl)) return { ...targets, responseUrl };
    this.#log.warn('an address to answer at is not of Slack, so it was not used');
    return targets;
  }

  async #show(card: Card, attempts: readonly Attempt[]): Promise<void> {
    const message = cardToMessage(card);
    for (const attempt of attempts) if (await attempt(message)) return;
    this.#log.error('an answer could not be shown anywhere in Slack');
  }

  #attemptsToSay(targets: ReplyTargets): Attempt[] {
    const { responseUrl, userId, conversation } = targets;
    const inDirect = conversation.channel.startsWith('D');
    return [
      ...(responseUrl === undefined ? [] : [respondWith(responseUrl, newAnswer(conversation))]),
      inDirect ? this.#postAttempt(conversation) : this.#ephemeralAttempt(conversation, userId),
      this.#directAttempt(userId),
    ];
  }

  #attemptsToReplace({ pressed, responseUrl, conversation }: ReplyTargets): Attempt[] {
    if (pressed === undefined) return [];
    if (!pressed.ephemeral) return [this.#updateAttempt(conversation.channel, pressed.ts)];
    return responseUrl === undefined ? [] : [respondWith(responseUrl, { replace_original: true })];
  }

  #ephemeralAttempt({ channel, thread }: Conversation, user: string): Attempt {
    return (message) =>
      this.#try(message, (shown) =>
        this.#answers.chat.postEphemeral({ channel, user, ...inThread(thread), ...shown }),
      );
  }

  #postAttempt({ channel, thread }: Conversation): Attempt {
    return (message) =>
      this.#try(message, (shown) => {
        this.#pacer.spend([channelPace(channel)]);
        return this.#answers.chat.postMessage({
          channel,
          ...inThread(thread),
          ...shown,
          unfurl_links: false,
          unfurl_media: false,
        });
      });
  }

  /** The last resort, where the bot may not post in the channel. */
  #directAttempt(userId: string): Attempt {
    return async (message) =>
      this.#try(message, async (shown) => {
        const channel = await this.#direct.channelOf(userId);
        this.#pacer.spend([channelPace(channel)]);
        return this.#answers.chat.postMessage({ channel, ...shown, unfurl_links: false });
      });
  }

  #updateAttempt(channel: string, ts: string): Attempt {
    return (message) =>
      this.#try(message, (shown) => {
        this.#pacer.spend([editPace('answer')]);
        return this.#answers.chat.update({ channel, ts, ...shown });
      });
  }

  async #try(
    message: SlackMessage,
    send: (shown: SlackMessage) => Promise<unknown>,
  ): Promise<boolean> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await withPlainFallback(message, send);
        return true;
      } catch (error) {
        const failure = failureOf(error);
        const worthWaiting = failure.kind === 'rateLimited' && attempt < 3;
        if (!worthWaiting) {
          this.#log.warn({ failure: failureText(failure) }, 'an answer did not get through');
          return false;
        }
        await this.#clock.sleep(Math.min(failure.retryAfterMs, LONGEST_WAIT_MS));
      }
    }
  }

  async #open(
    triggerId: string,
    form: Form,
    answers: Answers,
    { conversation }: ReplyTargets,
  ): Promise<boolean> {
    try {
      const view = formToModal(form, answers, conversation);
      await this.#views.views.open({ trigger_id: triggerId, view });
      return true;
    } catch (error) {
      this.#log.warn({ failure: failureText(failureOf(error)) }, 'a form could not be opened');
      return false;
    }
  }
}

const respondWith =
  (url: string, how: object): Attempt =>
  async (message) =>
    (await postToResponseUrl(url, { ...how, ...message })) === 'taken';

/** Without `replace_original: false` Slack replaces the message whose button was pressed. */
const newAnswer = ({ thread }: Conversation): object => ({
  response_type: 'ephemeral',
  replace_original: false,
  ...inThread(thread),
});

const inThread = (thread: string | undefined): { thread_ts?: string } =>
  thread === undefined ? {} : { thread_ts: thread };
