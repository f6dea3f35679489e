import type { Card } from '../../commands/cards/card.ts';
import type { AskedForm, Inbound, KeepForm, Surface } from '../../commands/inbound.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import { cardToMessage, isPerson, type SlackMessage } from './card-to-blocks.ts';
import { whyFailed } from './failure.ts';
import { formToModal } from './form-to-modal.ts';
import { OPEN_FORM, openFormCard, openFormPress } from './open-form.ts';
import { editPace, inThread, type Place, postMessage, withPlainFallback } from './outbound.ts';
import { withPaymentLinks } from './payment-links.ts';
import { channelPace, waitingOut } from './rate-limit.ts';
import type { SlackEvent } from './read-event.ts';
import { isSlacks, postToResponseUrl } from './response-url.ts';
import type { SlackParts } from './sdk.ts';
import { sendFile } from './send-file.ts';

export type ReplyTargets = SlackEvent & { readonly conversation: Conversation };

/** One way to show something; false: it did not work, take the next. */
type Attempt = (message: SlackMessage) => Promise<boolean>;

/** Makes the surface of each inbound event. Answers are private: ephemeral in channels, plain messages in the direct one. */
export class ReplySurfaces {
  readonly #with: SlackParts;

  constructor(parts: SlackParts) {
    this.#with = parts;
  }

  /** `keepForm`: stores what does not fit into a button. */
  surfaceFor(event: ReplyTargets, keepForm: KeepForm): Surface {
    const targets = this.#withinSlack(event);
    // Slack accepts a trigger once.
    let { triggerId } = targets;
    const say = (card: Card) => this.#show(card, this.#attemptsToSay(targets));
    let isGone = false;
    const replace = (card: Card) => {
      const replacing = isGone ? [] : this.#attemptsToReplace(targets);
      return this.#show(card, [...replacing, ...this.#attemptsToSay(targets)]);
    };
    return {
      say,
      whisper: say,
      publish: (card) => {
        const publishing = this.#posting(async () => targets.conversation);
        return this.#show(card, [publishing, ...this.#attemptsToSay(targets)]);
      },
      replace,
      withdraw: async () => {
        isGone ||= await this.#withdraw(targets);
        return isGone;
      },
      sayProgress: this.#progressOf(targets),
      sendFile: (file) => sendFile(this.#with, targets.userId, file),
      answerPress: async (why, state) => {
        if (state !== 'followed') await (state === 'over' ? replace(why) : say(why));
      },
      ask: async (...asked) => {
        const trigger = triggerId;
        triggerId = undefined;
        if (trigger !== undefined && (await this.#open(trigger, asked, targets))) return;
        const [form] = asked;
        const press = openFormPress(...asked) ?? (await keepForm(...asked));
        await say(openFormCard(form, press ?? { verb: OPEN_FORM, id: form.command }));
      },
    };
  }

  /** Drops a `response_url` that is not Slack's; there are other ways to answer. */
  #withinSlack(targets: ReplyTargets): ReplyTargets {
    const { responseUrl } = targets;
    if (responseUrl === undefined || isSlacks(responseUrl, this.#with.apiUrl)) return targets;
    this.#with.log.warn('an address to answer at is not of Slack, so it was not used');
    return { ...targets, responseUrl: undefined };
  }

  async #show(card: Card, attempts: readonly Attempt[]): Promise<void> {
    const { text, blocks } = cardToMessage(card, this.#with.names);
    const message = { text, blocks: await withPaymentLinks(blocks, this.#with.linkToPayment) };
    for (const attempt of attempts) if (await attempt(message)) return;
    this.#with.log.error('an answer could not be shown anywhere in Slack');
  }

  #attemptsToSay({ responseUrl, userId, conversation, isThreadEmpty }: ReplyTargets): Attempt[] {
    const { channel } = conversation;
    const thread = isThreadEmpty === true ? undefined : conversation.thread;
    const { answers, directChannelOf } = this.#with.clients;
    const direct = this.#posting(async () => ({ channel: await directChannelOf(userId) }));
    if (isPerson(channel)) return [direct];
    // Without `replace_original: false` Slack replaces the message whose button was pressed.
    const how = { response_type: 'ephemeral', replace_original: false, ...inThread(thread) };
    return [
      (shown) => responded(responseUrl, { ...how, ...shown }),
      channel.startsWith('D')
        ? this.#posting(async () => conversation)
        : this.#trying((shown) =>
            answers.chat.postEphemeral({ channel, user: userId, ...inThread(thread), ...shown }),
          ),
      // The last resort, where the bot may not post in the channel.
      direct,
    ];
  }

  #attemptsToReplace({ pressed, responseUrl, conversation }: ReplyTargets): Attempt[] {
    if (pressed === undefined) return [];
    if (pressed.ephemeral)
      return [(shown) => responded(responseUrl, { replace_original: true, ...shown })];
    const target = { channel: conversation.channel, ts: pressed.ts };
    return [this.#trying((shown) => this.#editing().update({ ...target, ...shown }))];
  }

  async #withdraw({ pressed, responseUrl, conversation }: ReplyTargets): Promise<boolean> {
    if (pressed === undefined) return false;
    if (pressed.ephemeral) return responded(responseUrl, { delete_original: true });
    const target = { channel: conversation.channel, ts: pressed.ts };
    return this.#trying(() => this.#editing().delete(target))(NO_WORDS);
  }

  /** Takes the turn of an edit, and returns what edits. */
  #editing() {
    this.#with.pacer.spend([editPace('answer')]);
    return this.#with.clients.answers.chat;
  }

  /** In the direct channel: a message that only the caller sees elsewhere cannot be edited, and a response URL takes five answers. */
  #progressOf({ userId }: ReplyTargets): Surface['sayProgress'] {
    const { clients, pacer } = this.#with;
    let posted: { channel: string; ts: string } | undefined;
    const attempt = this.#trying(async (shown) => {
      if (posted !== undefined) return this.#editing().update({ ...posted, ...shown });
      const channel = await clients.directChannelOf(userId);
      pacer.spend([channelPace(channel)]);
      const { ts = '' } = await postMessage(clients.answers, { channel }, shown);
      posted = { channel, ts };
    });
    return async (card) => void (await attempt(cardToMessage(card, this.#with.names)));
  }

  #posting(placeOf: () => Promise<Place>): Attempt {
    return this.#trying(async (shown) => {
      const place = await placeOf();
      this.#with.pacer.spend([channelPace(place.channel)]);
      return postMessage(this.#with.clients.answers, place, shown);
    });
  }

  #trying(send: (shown: SlackMessage) => Promise<unknown>): Attempt {
    return async (message) => {
      try {
        await waitingOut(this.#with.clock, () => withPlainFallback(message, send));
        return true;
      } catch (error) {
        this.#with.log.warn({ failure: whyFailed(error) }, 'an answer did not get through');
        return false;
      }
    };
  }

  async #open(
    triggerId: string,
    [form, answers, annotations]: AskedForm,
    { conversation }: ReplyTargets,
  ): Promise<boolean> {
    try {
      const view = formToModal(form, answers, conversation, annotations, this.#with.names);
      await this.#with.clients.views.views.open({ trigger_id: triggerId, view });
      return true;
    } catch (error) {
      this.#with.log.warn({ failure: whyFailed(error) }, 'a form could not be opened');
      return false;
    }
  }
}

const NO_WORDS: SlackMessage = { text: '', blocks: [] };

/** False without an address. */
const responded = async (url: string | undefined, answer: object): Promise<boolean> =>
  url !== undefined && (await postToResponseUrl(url, answer)) === 'taken';

/** The pressed question never becomes the card here: it may be private, the card is not. */
export const pressedMessage = ({
  pressed,
  responseUrl,
  conversation,
}: ReplyTargets): Pick<Inbound, 'pressed'> => {
  const message = pressed?.ephemeral === true ? responseUrl : pressed?.ts;
  return message === undefined
    ? {}
    : { pressed: { ref: { conversation, message }, canBecomeCard: false } };
};
