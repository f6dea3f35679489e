import { isDeepStrictEqual } from 'node:util';
import type { Notice } from '../records/notice.ts';
import { isSettled, outcomeWord, type Payment, type PaymentState } from '../records/payment.ts';
import type { Conversation, Delivery, MessageRef } from '../values/conversation.ts';
import type { Chats } from './chats.ts';
import type { Editing, MessageContent, Posting } from './message-content.ts';
import { type PlanNeeds, planMessage } from './plan-message.ts';

export type Attempt =
  | Delivery
  | { readonly kind: 'nothing' }
  /** The lease ran out before anything was sent; another process has the notice. */
  | { readonly kind: 'late' }
  /** The message tells a state that was over when it was posted; what came next may be above it. */
  | { readonly kind: 'stale'; readonly message: MessageRef; readonly told: PaymentState }
  /** The message shows, or may show, an older state than one sent before it. `of`: what an outcome has become. */
  | { readonly kind: 'overtaken'; readonly of?: string };

type NoticeSenderOptions<Card> = PlanNeeds & {
  readonly chats: Pick<Chats<Card>, 'post' | 'edit'>;
  /** Makes the message that says `content` in the conversation `shownIn`. */
  readonly render: (content: MessageContent, shownIn: Conversation) => Promise<Card>;
};

/** Makes one attempt to deliver a notice: plans the message, renders and sends it, and checks that it is still true. */
export class NoticeSender<Card> {
  readonly #options: NoticeSenderOptions<Card>;

  constructor(options: NoticeSenderOptions<Card>) {
    this.#options = options;
  }

  /** `isOurs` is asked directly before something is sent: later than its lease, a message would tell an old state. */
  async send(notice: Notice, isOurs: () => boolean): Promise<Attempt> {
    const plan = await planMessage(notice, this.#options);
    if (plan.kind !== 'post' && plan.kind !== 'edit') return plan;
    const place = plan.kind === 'post' ? notice.conversation : plan.message.conversation;
    const card = await this.#options.render(plan.content, place);
    if (!isOurs()) return { kind: 'late' };
    return plan.kind === 'post'
      ? this.#post(notice, plan, card, isOurs)
      : this.#edit(notice, plan, card, isOurs);
  }

  async #post(
    notice: Notice,
    { content, of, weight, under }: Posting,
    card: Card,
    isOurs: () => boolean,
  ): Promise<Attempt> {
    const delivery = await this.#options.chats.post({
      conversation: notice.conversation,
      ...(under === undefined ? {} : { under }),
      card,
      // Told again later, the same is another message: the earlier one must not be taken for it.
      key: `${notice.id}.${of}.${notice.createdAtMs}`,
      weight,
      mayStand: notice.mayStand,
    });
    if (content.kind !== 'outcome') return delivery;
    if (delivery.kind === 'delivered') return this.#addNewer(notice, delivery, content.payment);
    // Posted or not, it is too late for this process to tell the newer state after it.
    if (delivery.kind !== 'unclear' || isOurs()) return delivery;
    const newer = await this.#newerThan(content.payment);
    return newer === undefined ? delivery : { kind: 'overtaken', of: outcomeWord(newer) };
  }

  /**
   * Another instance may have told a newer state before this message landed. The last message has to be true, so
   * this one is edited to tell the newer state as well; a new post would show it twice.
   */
  async #addNewer(
    { conversation }: Notice,
    posted: Extract<Delivery, { kind: 'delivered' }>,
    told: Payment,
  ): Promise<Attempt> {
    const payment = await this.#newerThan(told);
    if (payment === undefined) return posted;
    const content = { kind: 'outcome', payment, toldBefore: told.state } as const;
    const card = await this.#options.render(content, conversation);
    const edited = await this.#options.chats.edit(posted.ref, card, 'card');
    return edited.kind === 'delivered'
      ? posted
      : { kind: 'stale', message: posted.ref, told: told.state };
  }

  /** The payment, if it has another outcome by now; that the service began to know of it is none. */
  async #newerThan(told: Payment): Promise<Payment | undefined> {
    const newest = await this.#options.store.get('payment', told.id);
    if (newest === undefined) return undefined;
    // A conflict has one word, whatever the state that the message names.
    if (outcomeWord(newest) === outcomeWord(told) && newest.state === told.state) return undefined;
    return isSettled(newest) || newest.flag !== undefined ? newest : undefined;
  }

  /** Plans again afterwards: another instance that shows a newer state may have been faster. */
  async #edit(
    notice: Notice,
    { content, message, weight }: Editing,
    card: Card,
    isOurs: () => boolean,
  ): Promise<Attempt> {
    const delivery = await this.#options.chats.edit(message, card, weight);
    // A private message can be edited for a while only; what it had to say is said in another one as well.
    if (delivery.kind === 'gone' && notice.about.kind === 'approval edit')
      return { kind: 'nothing' };
    const mayBeLate = delivery.kind === 'unclear' && !isOurs();
    if (delivery.kind !== 'delivered' && !mayBeLate) return delivery;
    const now = await planMessage(notice, this.#options);
    // The same record makes the same card.
    if (now.kind !== 'edit' || isDeepStrictEqual(now.content, content)) return delivery;
    const newest = await this.#options.render(now.content, message.conversation);
    return isDeepStrictEqual(newest, card) ? delivery : { kind: 'overtaken' };
  }

  async postCard(
    payment: Payment,
    { id, mayStand, lookFirst }: Pick<Notice, 'id' | 'mayStand'> & { lookFirst: boolean },
  ): Promise<Delivery> {
    const { conversation } = payment;
    const card = await this.#options.render({ kind: 'card', payment }, conversation);
    const how = { key: id, weight: 'card', mayStand, lookFirst } as const;
    return this.#options.chats.post({ conversation, card, ...how });
  }
}
