import { isDeepStrictEqual } from 'node:util';
import { isOwed, type Notice, newNotice, outcomeNoticeId } from '../records/notice.ts';
import { outcomeWord, type Payment } from '../records/payment.ts';
import { backoffMs } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import { assertNever } from '../runtime/errors.ts';
import { failpoint } from '../runtime/failpoints.ts';
import { KeyedLock } from '../runtime/keyed-lock.ts';
import type { Log } from '../runtime/log.ts';
import { type Random, systemRandom } from '../runtime/random.ts';
import type { Store } from '../store/store.ts';
import { STALE, untilStored } from '../store/until-stored.ts';
import type { Delivery, MessageRef } from '../values/conversation.ts';
import { LEASE_MS } from '../work/worker.ts';
import type { Alerts } from './alerts.ts';
import { keepNoLonger } from './keep-no-longer.ts';
import { KEEP_DELIVERED_MS, keepDeliveredMs, NOTICE_KINDS, placeAfter } from './notice-kinds.ts';
import type { Attempt, NoticeSender } from './notice-sender.ts';
import { cardNotice, oweNotices } from './owed-notices.ts';
import { StoredNotices } from './stored-notices.ts';

const NOTICE_BACKOFF = { firstMs: 1_000, longestMs: 300_000 };
/** The request to the service waits for the first card. */
const FIRST_CARD_BACKOFF = { firstMs: 1_000, longestMs: 15_000 };
/** What a platform refuses for so long is not tried there any more. What it does not answer is tried for ever. */
const LONGEST_REFUSED_MS = 24 * 3_600_000;
/** The requester waits for the first card: a few refusals say enough. */
const FIRST_CARD_REFUSALS = 3;
const TELL_MANAGER = 'Tell the owner to run: npm run doctor.';

/** What goes nowhere else, so that the operators are told. */
const LOST: Readonly<Partial<Record<Notice['about']['kind'], object>>> = {
  mirror: { isMirror: true },
  digest: { isDigest: true },
  today: { isToday: true },
};

export type FirstCard =
  | { readonly kind: 'posted'; readonly card: MessageRef }
  | { readonly kind: 'waiting'; readonly untilMs: number }
  /** `remedy` tells the requester what to do, if anything helps. */
  | { readonly kind: 'impossible'; readonly reason: string; readonly remedy?: string };

type OutboxOptions = {
  readonly sender: Pick<NoticeSender<unknown>, 'send' | 'postCard'>;
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly alerts: Alerts;
  /** Called after each attempt. `what`: the kind of the notice, or `new card`. */
  readonly onAttempt?: (notice: Notice, what: string, result: string) => void;
  /** @default the system's */
  readonly random?: Random;
};

/** Delivers notices to chats at least once, and alone decides what is retried, redirected, owed again or given up. */
export class Outbox {
  readonly #options: Required<OutboxOptions>;
  readonly #stored: StoredNotices;
  readonly #startedAtMs: number;
  readonly #lock = new KeyedLock();

  constructor(options: OutboxOptions) {
    this.#options = { onAttempt: () => {}, random: systemRandom, ...options };
    this.#stored = new StoredNotices(options);
    this.#startedAtMs = options.clock.now();
  }

  /** One notice of an id at a time: a newer state overwrites the notice and ends its lease, but not what is being sent. */
  async serve(claimed: Notice): Promise<void> {
    const { sender, store, clock, onAttempt } = this.#options;
    const claimedMs = clock.monotonic();
    await this.#lock.run(claimed.id, async () => {
      const stored = await store.get('notice', claimed.id);
      if (stored === undefined || stored.version !== claimed.version) return;
      const notice = await this.#stored.begin(stored);
      if (notice === undefined) return;
      failpoint('notice-begun', notice.id);
      const isOurs = () => clock.monotonic() - claimedMs < LEASE_MS;
      // A second card of a run would leave the first one with buttons for ever.
      const isCard = notice.about.kind === 'bulk';
      const mayStand = notice.mayStand || (isCard && this.#mayHaveBeenPosted(notice.createdAtMs));
      const attempt = await sender.send({ ...notice, mayStand }, isOurs);
      onAttempt(notice, notice.about.kind, attempt.kind);
      failpoint('notice-posted', notice.id);
      if (attempt.kind === 'overtaken') return this.#oweAgain(notice, attempt.of);
      if (attempt.kind === 'stale') await this.#oweEdit(notice, attempt);
      // The lease ran out, and another process has the notice: its id and version may mean a newer one by now.
      if (isOurs()) await this.#afterAttempt(notice, attempt);
    });
  }

  /**
   * Posts the card of a payment that has none, before its request goes out. Stores failed attempts alone: the
   * caller stores where the card is, in the commit that it needs anyway.
   */
  async postFirstCard(payment: Payment): Promise<FirstCard> {
    const { sender, store, clock, random, onAttempt } = this.#options;
    const fresh = { ...cardNotice(payment, clock.now()), version: 0 };
    const earlier = await store.get('notice', fresh.id);
    const { card } = (await store.get('payment', payment.id)) ?? payment;
    // Read last: its process owes no edit before. A second card would stay, a failed attempt end that edit.
    if (card !== undefined) return { kind: 'waiting', untilMs: clock.now() };
    const notice = earlier ?? fresh;
    const lookFirst = this.#mayHaveBeenPosted(payment.confirmedAtMs);
    const delivery = await sender.postCard(payment, { ...notice, lookFirst });
    onAttempt(notice, 'new card', delivery.kind);
    switch (delivery.kind) {
      case 'delivered':
        failpoint('card-posted', payment.id);
        return { kind: 'posted', card: delivery.ref };
      case 'gone':
        return { ...delivery, kind: 'impossible' };
      case 'moved':
        return { kind: 'waiting', untilMs: clock.now() };
      case 'rateLimited':
        return { kind: 'waiting', untilMs: clock.now() + delivery.retryAfterMs };
      default: {
        const again = this.#failedOnce(notice, delivery);
        await this.#stored.keep(again, KEEP_DELIVERED_MS, delivery.kind);
        if (isRefused(delivery) && again.attempts >= FIRST_CARD_REFUSALS)
          return { kind: 'impossible', reason: delivery.reason, remedy: TELL_MANAGER };
        const waitMs = backoffMs(again.attempts, FIRST_CARD_BACKOFF, random);
        return { kind: 'waiting', untilMs: clock.now() + waitMs };
      }
    }
  }

  /** By this process before it was restarted, or by another whose lease ran out. */
  #mayHaveBeenPosted(sinceMs: number): boolean {
    return sinceMs < this.#startedAtMs || this.#options.clock.now() - sinceMs >= LEASE_MS;
  }

  async #afterAttempt(
    notice: Notice,
    attempt: Exclude<Attempt, { kind: 'overtaken' }>,
  ): Promise<void> {
    const { store, clock } = this.#options;
    switch (attempt.kind) {
      case 'delivered':
        return this.#done(notice, attempt.kind, attempt.ref);
      case 'nothing':
        await this.#oweOutcome(notice);
        return this.#done(notice, attempt.kind);
      case 'stale':
        return this.#done(notice, 'delivered');
      case 'late':
        return;
      case 'rateLimited':
        return store.release('notice', notice.id, clock.now() + attempt.retryAfterMs);
      case 'not sent':
      case 'unclear':
        return this.#tryAgain(notice, attempt);
      case 'moved': {
        const { conversation } = attempt;
        return void (await this.#stored.owe({ ...notice, conversation }, clock.now(), 'moved'));
      }
      case 'gone':
        await this.#oweOutcome(notice);
        return this.#fallBack(notice, attempt);
      default:
        return assertNever(attempt);
    }
  }

  async #done(notice: Notice, what: string, message?: MessageRef): Promise<void> {
    const { does, keepMs } = NOTICE_KINDS[notice.about.kind];
    const isOfOne = does === 'one' && message !== undefined;
    // Found from an attempt before, it tells the state of that time.
    if (isOfOne && notice.message === undefined && notice.mayStand)
      return this.#passOn(notice, { message, mayStand: false });
    const told = keepMs !== undefined && message !== undefined ? { ...notice, message } : notice;
    const isKept = await this.#stored.keep(told, keepDeliveredMs(notice), what);
    if (!isKept && isOfOne) return this.#passOn(notice, { message, mayStand: false });
    // A newer notice has taken its place; the audit trail still says that this one was told.
    if (!isKept) await this.#stored.audit(notice, what);
  }

  /** The card was to tell an outcome alone and cannot be edited: the outcome is posted, unless a message tells it. */
  async #oweOutcome(card: Notice): Promise<void> {
    const { store, clock } = this.#options;
    if (card.about.kind !== 'card' || card.about.alone === undefined) return;
    const { paymentId, alone: of } = card.about;
    const id = outcomeNoticeId(paymentId);
    const about = { kind: 'outcome', paymentId, of } as const;
    await untilStored(`notice ${id}`, async () => {
      const earlier = await store.get('notice', id);
      const payment = await store.get('payment', paymentId);
      const isOver = payment === undefined || outcomeWord(payment) !== of;
      if (isOver || isDeepStrictEqual(earlier?.about, about)) return false;
      const { conversation, to } = card;
      const outcome = newNotice({ id, about, conversation, ...defined({ to }) }, clock.now());
      return (await store.commit({ put: await oweNotices(store, [outcome]) })) || STALE;
    });
  }

  /** What a message tells changed while it was posted. The newer notice edits it, or searches for it. */
  async #passOn({ id }: Notice, found: Pick<Notice, 'message' | 'mayStand'>): Promise<void> {
    const what = found.message === undefined ? 'overtaken' : 'delivered';
    await this.#stored.oweNext(id, what, (newest) =>
      newest && newest.message === undefined ? { ...newest, ...found } : undefined,
    );
  }

  /**
   * Owes a notice that was overtaken once more: another instance may have delivered the newer one before. One that
   * is still owed is owed again too, because another process may be marking it as delivered at this moment.
   */
  async #oweAgain(notice: Notice, of?: string): Promise<void> {
    await this.#stored.oweNext(notice.id, 'overtaken', (newest) => {
      const version = newest?.version ?? 0;
      if (of === undefined || notice.about.kind !== 'outcome')
        // The newest may be a card that is to tell an outcome alone.
        return { ...notice, about: newest?.about ?? notice.about, version };
      if (isOwed(newest)) return newest;
      // Other words, of which no attempt was made yet.
      return { ...notice, version, mayStand: false, about: { ...notice.about, of } };
    });
  }

  /** Owes an edit of the stale message; a new post would show the outcome twice. */
  async #oweEdit(
    { id, about, conversation }: Notice,
    { kind: _, ...stale }: Extract<Attempt, { kind: 'stale' }>,
  ): Promise<void> {
    if (about.kind !== 'outcome') return;
    const nowMs = this.#options.clock.now();
    const what = { kind: 'stale outcome', paymentId: about.paymentId, ...stale } as const;
    const edit = { id: `${id}.${stale.message.message}`, about: what, conversation };
    await this.#stored.owe({ ...newNotice(edit, nowMs), version: 0 }, nowMs, 'stale');
  }

  async #tryAgain(
    notice: Notice,
    failure: Extract<Delivery, { kind: 'not sent' | 'unclear' }>,
  ): Promise<void> {
    const isOld = this.#options.clock.now() - notice.createdAtMs >= LONGEST_REFUSED_MS;
    if (isRefused(failure) && isOld) {
      if (NOTICE_KINDS[notice.about.kind].does === 'edit')
        await this.#raiseLost(notice, failure.reason);
      return this.#fallBack(notice, failure);
    }
    const again = this.#failedOnce(notice, failure);
    const atMs =
      this.#options.clock.now() + backoffMs(again.attempts, NOTICE_BACKOFF, this.#options.random);
    if (await this.#stored.owe(again, atMs, failure.kind)) return;
    if (failure.kind === 'unclear') await this.#oweNewest(notice);
  }

  #failedOnce(
    notice: Notice,
    { kind, reason }: Extract<Delivery, { kind: 'not sent' | 'unclear' }>,
  ): Notice {
    const attempts = notice.attempts + 1;
    this.#options.log.warn({ notice: notice.id, attempts, reason }, 'a notice waits');
    return { ...notice, attempts, mayStand: notice.mayStand || kind === 'unclear' };
  }

  /**
   * A newer notice has replaced one whose attempt got no answer. If it was delivered already, that may have been
   * before this attempt landed, so it is owed once more: the last message has to be true.
   */
  async #oweNewest(notice: Notice): Promise<void> {
    const { id, about, message } = notice;
    const { does } = NOTICE_KINDS[about.kind];
    if (does === 'one' && message === undefined) return this.#passOn(notice, { mayStand: true });
    await this.#stored.oweNext(id, 'overtaken', (newest) => {
      const mayBeHidden = does !== 'post' || (about.kind === 'outcome' && !isOwed(newest));
      if (newest === undefined || !mayBeHidden) return undefined;
      // A message that is posted again has another key than the one that is there.
      return does === 'post' ? { ...newest, createdAtMs: this.#options.clock.now() } : newest;
    });
  }

  /** The conversation is lost: the notice goes to the requester directly, or to the operators. */
  async #fallBack(notice: Notice, { reason, isDeleted }: Refusal): Promise<void> {
    const { log, alerts, clock } = this.#options;
    const next = placeAfter(notice, alerts.operators);
    const { about, message, ...posted } = notice;
    // A message that may not be edited may be again; who deletes it wants no other.
    if (about.kind === 'today' && (isDeleted || message === undefined))
      await keepNoLonger(this.#options, about.place, { detail: { reason } });
    const isTold = about.kind !== 'mirror' || message === undefined;
    if (about.kind in LOST && isTold && !isDeleted) await this.#raiseLost(notice, reason);
    if (next === undefined) {
      log.error({ notice: notice.id, reason }, 'a notice could not be delivered anywhere');
      return this.#done(notice, `undeliverable: ${reason}`);
    }
    log.warn({ notice: notice.id, reason }, 'a notice goes elsewhere');
    // An attempt without an answer cannot have reached a place where it was never sent.
    const moved = { ...posted, about, mayStand: false, conversation: next };
    await this.#stored.owe(moved, clock.now(), 'moved');
    // Only a message is lost, or the operators know their own conversation.
    if (message === undefined && about.kind !== 'alert' && about.kind !== 'run alert')
      await this.#raiseLost(notice, reason);
  }

  #raiseLost({ about: { kind }, conversation }: Notice, reason: string): Promise<void> {
    const subject = `lost.${conversation.platform}.${conversation.channel}`;
    const alert = { kind: 'conversation lost', conversation, reason, ...LOST[kind] } as const;
    return this.#options.alerts.raise(subject, alert);
  }
}

type Refusal = Pick<Extract<Delivery, { kind: 'gone' }>, 'reason' | 'isDeleted'>;

const isRefused = (delivery: Delivery): boolean =>
  delivery.kind === 'not sent' && delivery.isRefused === true;
