import { isDeepStrictEqual } from 'node:util';
import type { Weight } from '../../core/cluster/pace-book.ts';
import type { NoticeDelivery } from '../../core/notices/notices.ts';
import type { Alert } from '../../core/records/alert.ts';
import type { Notice } from '../../core/records/notice.ts';
import {
  isSettled,
  outcomeWord,
  type Payment,
  type PaymentState,
} from '../../core/records/payment.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import type { Store } from '../../core/store/store.ts';
import type { Conversation, Delivery, MessageRef } from '../../core/values/conversation.ts';
import type { Platforms } from '../../core/values/platform.ts';
import { paymentAlertCard, systemAlertCard } from '../cards/alert-card.ts';
import type { Card } from '../cards/card.ts';
import { outcomeCard, paymentCard } from '../cards/payment-card.ts';
import { type Audience, audienceOf } from '../cards/visibility.ts';
import type { AboutApproval, ApprovalMessages } from '../charge/approval-messages.ts';
import { smsReportCard } from '../sms/sms-report.ts';
import type { CardAttempt } from './chat.ts';
import type { CurrentChats } from './current-chats.ts';

/** Makes messages of what is owed, from the records as they are at that moment. */
export class Messenger {
  readonly #store: Store;
  readonly #chats: CurrentChats;
  readonly #timeZone: string;
  readonly #platforms: Platforms;
  readonly #approvals: ApprovalMessages;

  constructor(options: {
    store: Store;
    chats: CurrentChats;
    timeZone: string;
    platforms: Platforms;
    approvals: ApprovalMessages;
  }) {
    this.#store = options.store;
    this.#chats = options.chats;
    this.#timeZone = options.timeZone;
    this.#platforms = options.platforms;
    this.#approvals = options.approvals;
  }

  /** The payment card's first appearance. */
  async postCard(payment: Payment, attempt: CardAttempt): Promise<Delivery> {
    return this.#chats.post({
      conversation: payment.conversation,
      card: this.#cardIn(payment.conversation, payment),
      key: `${payment.id}.card`,
      weight: 'card',
      ...attempt,
    });
  }

  /** Undefined where there is none, or no card to lead to. */
  async linkTo({ card }: Payment): Promise<string | undefined> {
    if (card === undefined) return undefined;
    return this.#chats.linkTo(card);
  }

  /** `isOurs`: whether this process still has the notice; a message sent later than that would say what was so long ago. */
  async deliver(notice: Notice, isOurs: () => boolean = () => true): Promise<NoticeDelivery> {
    const { about } = notice;
    switch (about.kind) {
      case 'card':
        return this.#bringUpToDate(about.paymentId, isOurs, (payment) => ({
          message: payment.card,
          card: this.#cardIn(payment.card?.conversation ?? payment.conversation, payment),
          weight: cardWeight(payment),
        }));
      case 'stale outcome':
        return this.#bringUpToDate(about.paymentId, isOurs, (payment) => ({
          message: about.message,
          card: this.#outcomeIn(about.message.conversation, payment, about.told),
          weight: 'card',
        }));
      case 'outcome':
        return this.#tellOutcome(notice, about, isOurs);
      case 'sms': {
        const batch = await this.#store.get('sms', about.batchId);
        return batch === undefined
          ? { kind: 'nothing' }
          : this.#postNotice(
              notice,
              smsReportCard(batch, this.#audienceIn(notice.conversation, batch)),
              'report',
            );
      }
      case 'approval':
      case 'approval news':
      case 'approval edit':
        return this.#tellApproval(notice, about);
      case 'alert':
        return this.#tellOperators(notice, about.alert);
      default:
        return assertNever(about);
    }
  }

  async #tellOutcome(
    notice: Notice,
    { paymentId, of }: { readonly paymentId: string; readonly of: string },
    isOurs: () => boolean,
  ): Promise<NoticeDelivery> {
    const payment = await this.#store.get('payment', paymentId);
    // What it was to tell is over; if that is worth telling, a newer notice does.
    if (payment === undefined || of !== outcomeWord(payment)) return { kind: 'nothing' };
    if (!isOurs()) return { kind: 'late' };
    const card = this.#outcomeIn(notice.conversation, payment);
    const delivery = await this.#postNotice(notice, card, of, payment.card);
    if (delivery.kind === 'delivered') return this.#addWhatCame(notice, delivery, payment);
    // It may stand there, too late and without an answer: then what came next has to be told after it.
    if (delivery.kind !== 'unclear' || isOurs()) return delivery;
    const newest = await this.#whatCame(payment);
    return newest === undefined ? delivery : { kind: 'overtaken', of: outcomeWord(newest) };
  }

  /**
   * Looks again afterwards, as with a card: what is told last has to be true. Another instance may have told
   * what came next before this message landed, so the message says it as well; nothing is posted twice for it.
   */
  async #addWhatCame(
    { conversation }: Notice,
    posted: Extract<Delivery, { kind: 'delivered' }>,
    told: Payment,
  ): Promise<NoticeDelivery> {
    const newest = await this.#whatCame(told);
    if (newest === undefined) return posted;
    const newer = this.#outcomeIn(conversation, newest, told.state);
    const edited = await this.#chats.edit(posted.ref, newer, 'card');
    return edited.kind === 'delivered'
      ? posted
      : { kind: 'stale', message: posted.ref, told: told.state };
  }

  /** The payment, if there is more to tell of it by now; that the service began to know of it is not. */
  async #whatCame(told: Payment): Promise<Payment | undefined> {
    const newest = await this.#store.get('payment', told.id);
    if (newest === undefined || outcomeWord(newest) === outcomeWord(told)) return undefined;
    return isSettled(newest) || newest.flag !== undefined ? newest : undefined;
  }

  async #tellApproval(notice: Notice, about: AboutApproval): Promise<NoticeDelivery> {
    const message = await this.#approvals.messageFor(about, notice.conversation);
    if (message.kind === 'post') return this.#postNotice(notice, message.card, message.of);
    if (message.kind !== 'edit') return message;
    const delivery = await this.#chats.edit(message.message, message.card, 'card');
    // A private message can be edited for a while only; what it had to say is said in another one as well.
    return delivery.kind === 'gone' ? { kind: 'nothing' } : delivery;
  }

  async #tellOperators(notice: Notice, alert: Alert): Promise<NoticeDelivery> {
    if (alert.kind !== 'payment')
      return this.#postNotice(notice, systemAlertCard(alert), alert.kind);
    const payment = await this.#store.get('payment', alert.paymentId);
    return payment === undefined || alert.of !== outcomeWord(payment)
      ? { kind: 'nothing' }
      : this.#postNotice(notice, paymentAlertCard(payment, this.#timeZone), alert.of);
  }

  /** What is shown of the customer depends on where a message stands and not on where the charge was typed. */
  #cardIn(shownIn: Conversation, payment: Payment): Card {
    return paymentCard(payment, this.#timeZone, this.#audienceIn(shownIn, payment));
  }

  #outcomeIn(shownIn: Conversation, payment: Payment, toldBefore?: PaymentState): Card {
    const audience = this.#audienceIn(shownIn, payment);
    return outcomeCard(payment, this.#timeZone, {
      audience,
      ...(toldBefore === undefined ? {} : { toldBefore }),
    });
  }

  /** Looks again afterwards: an instance that shows a newer state may have been faster than this one. */
  async #bringUpToDate(
    paymentId: string,
    isOurs: () => boolean,
    shown: (payment: Payment) => {
      readonly message: MessageRef | undefined;
      readonly card: Card;
      readonly weight: Weight;
    },
  ): Promise<NoticeDelivery> {
    const payment = await this.#store.get('payment', paymentId);
    if (payment === undefined) return { kind: 'nothing' };
    const { message, card, weight } = shown(payment);
    if (message === undefined) return { kind: 'nothing' };
    if (!isOurs()) return { kind: 'late' };
    const delivery = await this.#chats.edit(message, card, weight);
    // Without an answer it may stand there as well; if another process has the notice by now, nobody tries again.
    const mayBeStale = delivery.kind === 'unclear' && !isOurs();
    if (delivery.kind !== 'delivered' && !mayBeStale) return delivery;
    const newest = await this.#store.get('payment', paymentId);
    return newest === undefined || isDeepStrictEqual(shown(newest).card, card)
      ? delivery
      : { kind: 'overtaken' };
  }

  #audienceIn(
    shownIn: Conversation,
    { requester: person, conversation: typedIn }: Pick<Payment, 'requester' | 'conversation'>,
  ): Audience {
    return audienceOf(shownIn, { person, typedIn }, this.#platforms);
  }

  #postNotice(notice: Notice, card: Card, of: string, under?: MessageRef): Promise<Delivery> {
    // After a fallback to another conversation the card is not there to be answered.
    const reachable = under?.conversation.channel === notice.conversation.channel;
    return this.#chats.post({
      conversation: notice.conversation,
      ...(under !== undefined && reachable ? { under } : {}),
      card,
      // Told again later, the same is another message: the earlier one must not be taken for it.
      key: `${notice.id}.${of}.${notice.createdAtMs}`,
      mayStand: notice.mayStand,
      ...(notice.about.kind === 'approval' ? { weight: 'answer' } : {}),
    });
  }
}

/** Only that a payment is under way may as well not be shown; a link to pay by may not. */
const cardWeight = ({ state, flag, checkoutUrl }: Payment): Weight => {
  const isUnderWay = state === 'confirmed' || state === 'submitting' || state === 'pending';
  return isUnderWay && flag === undefined && checkoutUrl === undefined ? 'pending' : 'card';
};
