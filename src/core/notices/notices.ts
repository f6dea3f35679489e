import type { Due } from '../records/due.ts';
import { isOwed, type Notice } from '../records/notice.ts';
import type { PaymentState } from '../records/payment.ts';
import type { Change } from '../records/records.ts';
import { backoffMs } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import { assertNever } from '../runtime/errors.ts';
import { failpoint } from '../runtime/failpoints.ts';
import { KeyedLock } from '../runtime/keyed-lock.ts';
import type { Log } from '../runtime/log.ts';
import { type Random, systemRandom } from '../runtime/random.ts';
import type { Store } from '../store/store.ts';
import type { Conversation, Delivery, MessageRef, Person } from '../values/conversation.ts';
import { LEASE_MS } from '../work/worker.ts';
import type { Alerts } from './alerts.ts';
import { KEEP_APPROVAL_MS } from './approval-notices.ts';

const RETRY = { firstMs: 1_000, longestMs: 300_000 };
/**
 * A notice that was told stays for this long. A new one of the same name then goes on counting its versions,
 * and an instance that is slow to write down an earlier one cannot take the new one for it.
 */
const KEEP_TOLD_MS = 3_600_000;

/** What became of one attempt to deliver a notice. */
export type NoticeDelivery =
  | Delivery
  /** There is nothing to tell any more. */
  | { readonly kind: 'nothing' }
  /** This process stood still before it could send anything, and another one has the notice by now. */
  | { readonly kind: 'late' }
  /** It stands, and tells a state that was over by then; what came next may stand above it. */
  | { readonly kind: 'stale'; readonly message: MessageRef; readonly told: PaymentState }
  /** It shows, or may show, what was so before; what says otherwise may have come first. `of`: what an outcome has become. */
  | { readonly kind: 'overtaken'; readonly of?: string };

/** How a notice becomes a message. `isOurs` is asked at the last moment before something is sent. */
export type DeliverNotice = (notice: Notice, isOurs: () => boolean) => Promise<NoticeDelivery>;

/** Delivers what is owed to chats, for as long as it takes. */
export class Notices {
  readonly #store: Store;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #deliver: DeliverNotice;
  readonly #random: Random;
  readonly #alerts: Alerts;
  readonly #lock = new KeyedLock();

  constructor(options: {
    store: Store;
    clock: Clock;
    log: Log;
    alerts: Alerts;
    deliver: DeliverNotice;
    /** @default the system's */
    random?: Random;
  }) {
    this.#store = options.store;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#alerts = options.alerts;
    this.#deliver = options.deliver;
    this.#random = options.random ?? systemRandom;
  }

  /** One notice of a record at a time: the lease ends when a newer state overwrites the notice, the sending may not have. */
  async serve(claimed: Notice): Promise<void> {
    const startedMs = this.#clock.monotonic();
    await this.#lock.run(claimed.id, async () => {
      const notice = await this.#store.get('notice', claimed.id);
      if (notice === undefined || notice.version !== claimed.version) return;
      failpoint('notice-begun', notice.id);
      const isOurs = () => this.#clock.monotonic() - startedMs < LEASE_MS;
      const delivery = await this.#deliver(notice, isOurs);
      failpoint('notice-posted', notice.id);
      if (delivery.kind === 'overtaken') return this.#oweAgain(notice, delivery.of);
      if (delivery.kind === 'stale') await this.#oweEdit(notice, delivery);
      // This process stood still, and another has the notice. Its id and version may mean a newer one by now.
      if (!isOurs()) return;
      await this.#afterDelivery(notice, delivery);
    });
  }

  async #afterDelivery(
    notice: Notice,
    delivery: Exclude<NoticeDelivery, { kind: 'overtaken' }>,
  ): Promise<void> {
    switch (delivery.kind) {
      case 'delivered':
      case 'nothing':
        return this.#done(
          notice,
          delivery.kind,
          delivery.kind === 'delivered' ? delivery.ref : undefined,
        );
      case 'stale':
        return this.#done(notice, 'delivered');
      case 'late':
        return;
      case 'rateLimited':
        return this.#store.release('notice', notice.id, this.#clock.now() + delivery.retryAfterMs);
      case 'notDelivered':
      case 'unclear':
        return this.#tryAgain(notice, delivery);
      case 'moved':
        return this.#redirect(notice, delivery.conversation);
      case 'gone':
        return this.#fallBack(notice, delivery.reason);
      default:
        return assertNever(delivery);
    }
  }

  async #done(notice: Notice, what: string, message?: MessageRef): Promise<void> {
    // What is edited later has to be found then.
    const isEdited = notice.about.kind === 'approval';
    const keepMs = isEdited ? KEEP_APPROVAL_MS : KEEP_TOLD_MS;
    const due = { queue: 'tidy', atMs: this.#clock.now() + keepMs } as const;
    if (isEdited && message !== undefined) {
      await this.#put({ ...notice, message }, due, what);
      return;
    }
    // A newer notice has taken its place; that this one was told is written down all the same.
    if (!(await this.#put(notice, due, what))) await this.#commit(notice, what, {});
  }

  /**
   * Another instance may have delivered the newer one before this one landed: then nobody else would put it
   * right. One that is still owed is owed anew as well, because somebody may be removing it at this moment.
   */
  async #oweAgain(notice: Notice, of?: string): Promise<void> {
    const newest = await this.#store.get('notice', notice.id);
    const version = newest?.version ?? 0;
    const again =
      of === undefined || notice.about.kind !== 'outcome'
        ? { ...notice, version }
        : isOwed(newest)
          ? newest
          : // Other words, of which no attempt was made yet.
            { ...notice, version, mayStand: false, about: { ...notice.about, of } };
    if (!(await this.#owe(again, this.#clock.now(), 'overtaken'))) await this.#oweAgain(notice, of);
  }

  /** The message itself is put right: told anew, what came next would stand there twice. */
  async #oweEdit(
    { id, about, conversation }: Notice,
    { message, told }: Extract<NoticeDelivery, { kind: 'stale' }>,
  ): Promise<void> {
    if (about.kind !== 'outcome') return;
    const nowMs = this.#clock.now();
    const edit: Notice = {
      id: `${id}.${message.message}`,
      version: 0,
      about: { kind: 'stale outcome', paymentId: about.paymentId, message, told },
      conversation,
      createdAtMs: nowMs,
      attempts: 0,
      mayStand: false,
    };
    await this.#owe(edit, nowMs, 'stale');
  }

  async #tryAgain(
    notice: Notice,
    delivery: Extract<Delivery, { kind: 'notDelivered' | 'unclear' }>,
  ): Promise<void> {
    const attempts = notice.attempts + 1;
    const atMs = this.#clock.now() + backoffMs(attempts, RETRY, this.#random);
    this.#log.warn({ notice: notice.id, attempts, reason: delivery.reason }, 'a notice waits');
    const again = { ...notice, attempts, mayStand: notice.mayStand || delivery.kind === 'unclear' };
    if (await this.#owe(again, atMs, delivery.kind)) return;
    if (delivery.kind === 'unclear') await this.#oweNewest(notice);
  }

  /**
   * A newer one has taken the place of a notice whose attempt had no answer. If it was told already, that may have
   * been before this attempt landed, so it is told once more: what is seen last has to be true.
   */
  async #oweNewest({ id, about }: Notice): Promise<void> {
    const newest = await this.#store.get('notice', id);
    const mayBeHidden = isEdit(about) || (about.kind === 'outcome' && !isOwed(newest));
    if (newest === undefined || !mayBeHidden) return;
    const nowMs = this.#clock.now();
    // A message posted anew is another one than that which stands above.
    const again = isEdit(about) ? newest : { ...newest, createdAtMs: nowMs };
    if (!(await this.#owe(again, nowMs, 'overtaken'))) await this.#oweNewest(newest);
  }

  async #redirect(notice: Notice, conversation: Conversation): Promise<void> {
    await this.#owe({ ...notice, conversation }, this.#clock.now(), 'moved');
  }

  /** The conversation is lost: what matters still reaches the person who asked, or the operators. */
  async #fallBack(notice: Notice, reason: string): Promise<void> {
    const next = this.#placeAfter(notice);
    if (next === undefined) {
      this.#log.error({ notice: notice.id, reason }, 'a notice could not be delivered anywhere');
      return this.#done(notice, `undeliverable: ${reason}`);
    }
    this.#log.warn({ notice: notice.id, reason }, 'a notice goes elsewhere');
    const { conversation } = notice;
    // What had no answer cannot stand in a place where it was never sent.
    await this.#redirect({ ...notice, mayStand: false }, next);
    // The operators know their own conversation.
    if (notice.about.kind !== 'alert')
      await this.#alerts.raise(`lost.${conversation.platform}.${conversation.channel}`, {
        kind: 'conversation lost',
        conversation,
        reason,
      });
  }

  /** Where a notice goes when it cannot be where it is. What is edited belongs where it stood. */
  #placeAfter({ about, to, conversation }: Notice): Conversation | undefined {
    if (isEdit(about)) return undefined;
    const places = [
      ...(to === undefined ? [] : [directConversation(to)]),
      ...this.#alerts.operators,
    ];
    // Not there: it is still in the conversation where it all began.
    return places[places.findIndex((place) => isSamePlace(place, conversation)) + 1];
  }

  #owe(notice: Notice, atMs: number, what: string): Promise<boolean> {
    return this.#put(notice, { queue: 'notice', atMs }, what);
  }

  #put(notice: Notice, due: Due, what: string): Promise<boolean> {
    const record: Notice = { ...notice, version: notice.version + 1, due };
    return this.#commit(notice, what, { put: [{ kind: 'notice', record }] });
  }

  /** A refused commit means that a newer notice has taken this one's place: it will be served by itself. */
  #commit(notice: Notice, what: string, change: Change): Promise<boolean> {
    return this.#store.commit({
      ...change,
      audit: [
        {
          atMs: this.#clock.now(),
          kind: 'notice',
          id: notice.id,
          what,
          before: noticeWord(notice),
          after: null,
          where: notice.conversation,
        },
      ],
    });
  }
}

/** Of a message that stands already. */
const isEdit = ({ kind }: Notice['about']): boolean =>
  kind === 'card' || kind === 'stale outcome' || kind === 'approval edit';

const noticeWord = ({ about }: Notice): string =>
  about.kind === 'outcome' ? `outcome ${about.of}` : about.kind;

const isSamePlace = (one: Conversation, other: Conversation): boolean =>
  one.platform === other.platform && one.channel === other.channel;

/** A conversation with one person alone: both Slack and Telegram take a person's id for it. */
const directConversation = (person: Person): Conversation => ({
  platform: person.platform,
  channel: person.id,
});
