import type { PaymentOutcome } from '../gateway/gateway.ts';
import { ChargeFreeze } from '../guards/charge-freeze.ts';
import { whyStopped } from '../guards/suspensions.ts';
import type { Outbox } from '../notices/outbox.ts';
import type { Payment } from '../records/payment.ts';
import type { Seal } from '../records/seals.ts';
import { BoundedMap } from '../runtime/bounded-map.ts';
import { type Clock, isFromClockAhead } from '../runtime/clock.ts';
import { defined } from '../runtime/defined.ts';
import { assertNever } from '../runtime/errors.ts';
import { failpoint } from '../runtime/failpoints.ts';
import { everyPayment } from '../store/store.ts';
import type { MessageRef } from '../values/conversation.ts';
import {
  LONGEST_SEND_WAIT_MS,
  MOST_RATE_LIMITS,
  rateLimitWaitMs,
  requestDeadlines,
} from '../work/send-once.ts';
import { SUBMIT_WITHIN_MS } from './confirmed-payment.ts';
import type { Cause } from './payment-audit.ts';
import { type PaymentEvent, RESTORED } from './payment-event.ts';
import type { Payments } from './payments.ts';
import type { AskingParts } from './status-checker.ts';

/** The longest that a payment can wait to be sent; overrides what its record says. */
const LONGEST_CONFIRMED_MS =
  SUBMIT_WITHIN_MS + MOST_RATE_LIMITS * (LONGEST_SEND_WAIT_MS + SUBMIT_WITHIN_MS);

type PaymentSubmitterOptions = AskingParts & {
  readonly payments: Payments;
  readonly seal: Seal<Payment>;
  readonly callbackUrl: (paymentId: string) => string;
  readonly outbox: Pick<Outbox, 'postFirstCard'>;
  /** Longest time that one request takes; past it a payment still `submitting` has lost its sender. */
  readonly requestTimeoutMs: number;
};

/** Sends confirmed payments to the service: first the card, then the record, then the request. */
export class PaymentSubmitter {
  readonly #options: PaymentSubmitterOptions;
  /** By merchant. */
  readonly #breakers = new Map<string | undefined, CircuitBreaker>();
  readonly #freeze: ChargeFreeze;
  /** Payments whose card this process could not post yet; of many, the newest. */
  readonly #withoutCard = new BoundedMap<string, true>(1_000);

  constructor(options: PaymentSubmitterOptions) {
    this.#options = options;
    this.#freeze = new ChargeFreeze(options.store);
  }

  /**
   * Presumes payments lost that were being sent when the process died. Only for a store that no other process
   * uses; in a shared one each payment waits until its lease has run out.
   */
  async recover(): Promise<void> {
    const { store } = this.#options;
    for await (const { id } of everyPayment(store, { states: ['submitting'] }))
      await this.#presumeLost(id);
  }

  async serve(payment: Payment): Promise<void> {
    const { clock, seal, store } = this.#options;
    const { id } = payment;
    if (payment.state === 'submitting') return this.#presumeLost(id);
    if (payment.state !== 'confirmed') return;
    if ((await this.#freeze.standing()) !== undefined) return this.#record(id, RESTORED);
    if (clock.now() > latestSubmitMs(payment)) return this.#expire(payment);
    if (!seal.isOn(payment)) return this.#withhold(id, 'given up');
    const stopped = await whyStopped(store, payment);
    if (stopped !== undefined) return this.#record(id, { kind: 'given up', reason: stopped });
    const breaker = this.#breakerOf(payment);
    if (!breaker.isOpen()) {
      // The card of its file's run is there before the first row.
      const needsCard = payment.bulk === undefined && payment.card === undefined;
      const card = needsCard ? await this.#postedCard(payment) : payment.card;
      if (needsCard && card === undefined) return;
      if (breaker.allows()) return this.#send(id, card);
    }
    await this.#record(id, { kind: 'given up', reason: KEYS_REFUSED });
  }

  #breakerOf({ terms: { merchant } }: Payment): CircuitBreaker {
    const known = this.#breakers.get(merchant);
    if (known !== undefined) return known;
    const breaker = new CircuitBreaker(this.#options.clock);
    this.#breakers.set(merchant, breaker);
    return breaker;
  }

  async #send(id: string, card?: MessageRef): Promise<void> {
    const { payments, gateway, clock, log, alerts, seal } = this.#options;
    const { requestTimeoutMs, callbackUrl } = this.#options;
    // Read first: other workers presume the request lost counting from this moment, however long the next steps take.
    const { sendByMs, presumedLostAtMs } = requestDeadlines(clock.now(), requestTimeoutMs);
    const submitting = { kind: 'submitting', presumedLostAtMs, ...defined({ card }) } as const;
    const recorded = await payments.record(id, submitting);
    // Only the call that made this transition may send: another worker may hold the same payment.
    if (recorded?.changed !== true || recorded.payment.state !== 'submitting') return;
    failpoint('submitting-stored', id);
    // Read again: the store may have been restored from a backup since the first look.
    if ((await this.#freeze.standing()) !== undefined) return this.#record(id, RESTORED);
    // Checked on the stored record, because that is what is sent.
    if (!seal.isOn(recorded.payment)) return this.#withhold(id, 'not sent');
    const { customerName: _, ...terms } = recorded.payment.terms;
    const outcome = await gateway.makePayment({
      ...terms,
      transactionId: id,
      ...(recorded.payment.bulk === undefined ? {} : { isOfFile: true }),
      callbackUrl: callbackUrl(id),
      // After a long pause of this process, other workers have presumed the request lost and people were told so.
      sendByMs,
      whyNotToSend: () => this.#whyNotToSend(id),
    });
    failpoint('payment-answered', id);
    log.info({ payment: id, ...loggedOutcome(outcome) }, 'payment requested');
    const keysRefused = outcome.kind === 'refused' && outcome.keysRefused === true;
    this.#breakerOf(recorded.payment).record({ keysRefused, wasSent: outcome.kind !== 'notSent' });
    await this.#record(id, this.#eventOf(recorded.payment, outcome));
    failpoint('outcome-stored', id);
    if (keysRefused) await alerts.keysRefused('make_payment', terms.merchant);
  }

  /** While the request waits under `PAYMENTS_RATE`, a callback about an earlier request may come, or a suspension. */
  async #whyNotToSend(id: string): Promise<string | undefined> {
    const { payments, store } = this.#options;
    const payment = await payments.get(id);
    return payment?.state === 'submitting' && payment.hints === 0
      ? whyStopped(store, payment)
      : 'Something happened to the payment before the request could go out.';
  }

  /** The stored payment is not what was confirmed: the store was written to, or the key of the MAC was changed. */
  async #withhold(id: string, kind: 'given up' | 'not sent'): Promise<void> {
    const reason =
      'What is stored is not what was confirmed. It was not sent. Type the command again.';
    await this.#record(id, { kind, reason });
    await this.#options.alerts.raise(`seal.${id}`, { kind: 'seal broken', paymentId: id });
  }

  async #record(id: string, event: PaymentEvent, cause: Cause = {}): Promise<void> {
    await this.#options.payments.record(id, event, { cause });
  }

  #eventOf({ rateLimits }: Payment, outcome: PaymentOutcome): PaymentEvent {
    switch (outcome.kind) {
      case 'accepted':
        return outcome;
      case 'notSent':
        return { kind: 'not sent', reason: outcome.reason };
      case 'refused':
        return { kind: 'refused', answer: outcome.answer, reason: outcome.reason };
      case 'unknown':
        return { kind: 'lost', answer: outcome.answer, reason: outcome.reason };
      case 'rateLimited': {
        const { answer, retryAfterMs } = outcome;
        if (rateLimits >= MOST_RATE_LIMITS)
          return { kind: 'not sent', reason: 'Ask again in a few minutes.', answer };
        const { clock, random } = this.#options;
        const retryAtMs = clock.now() + rateLimitWaitMs(rateLimits + 1, retryAfterMs, random);
        const submitByMs = retryAtMs + SUBMIT_WITHIN_MS;
        return { kind: 'rate limited', answer, retryAtMs, submitByMs };
      }
      default:
        return assertNever(outcome);
    }
  }

  /** Undefined: there is no card (yet), and an outcome needs a place to go to before the request may go out. */
  async #postedCard(payment: Payment): Promise<MessageRef | undefined> {
    const { outbox, store } = this.#options;
    const { id } = payment;
    const first = await outbox.postFirstCard(payment);
    if (first.kind === 'waiting') {
      this.#withoutCard.set(id, true);
      // At most until the payment has to be given up, however long the chat asks to wait.
      await store.release('payment', id, Math.min(first.untilMs, latestSubmitMs(payment) + 1));
      return undefined;
    }
    this.#withoutCard.delete(id);
    if (first.kind === 'posted') return first.card;
    const reason = ['The payment card could not be posted in this conversation.', first.remedy]
      .filter((sentence) => sentence !== undefined)
      .join(' ');
    const detail = { delivery: first.reason };
    await this.#record(id, { kind: 'given up', reason }, { detail });
    return undefined;
  }

  async #expire({ id, card }: Payment): Promise<void> {
    // The process before may have posted the card: only what this one tried is blamed on it.
    const isForCard = this.#withoutCard.delete(id) && card === undefined;
    const reason = isForCard
      ? 'The payment card could not be posted in time. Type the command again.'
      : 'It could not be sent in time. Type the command again.';
    await this.#record(id, { kind: 'given up', reason });
  }

  #presumeLost(id: string): Promise<void> {
    const reason = 'Paythread stopped while the request was on its way.';
    return this.#record(id, { kind: 'lost', reason, answer: {} });
  }
}

const KEYS_REFUSED =
  'The payment service does not accept our keys right now. The owner has to correct them.';

const latestSubmitMs = ({ submitByMs, confirmedAtMs }: Payment): number =>
  Math.min(submitByMs, confirmedAtMs + LONGEST_CONFIRMED_MS);

/** Without the service's words: they may name the customer. A reason of `notSent` is Paythread's own. */
const loggedOutcome = (outcome: PaymentOutcome): Record<string, unknown> =>
  outcome.kind === 'notSent'
    ? { outcome: outcome.kind, reason: outcome.reason }
    : { outcome: outcome.kind, code: outcome.answer.code };

/** While the service refuses the keys, one charge a minute finds out whether it still does. */
const PROBE_EVERY_MS = 60_000;

/**
 * Open while the payment service refuses our keys: charges are then not sent at all, rather than refused
 * one by one. In memory: another instance, or the next start, finds out with one charge of its own.
 */
class CircuitBreaker {
  readonly #clock: Clock;
  #areRefused = false;
  #probeAtMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  isOpen(): boolean {
    const nowMs = this.#clock.now();
    const isAhead = isFromClockAhead(this.#probeAtMs, nowMs, PROBE_EVERY_MS);
    return this.#areRefused && this.#probeAtMs > nowMs && !isAhead;
  }

  /** Whether this charge may be sent, which is asked right before; report its answer to `record`. */
  allows(): boolean {
    if (this.isOpen()) return false;
    this.#probeAtMs = this.#clock.now() + PROBE_EVERY_MS;
    return true;
  }

  /** The answer to a charge. One that was not sent has found out nothing, and the next one may. */
  record(answer: { readonly keysRefused: boolean; readonly wasSent: boolean }): void {
    if (answer.wasSent) this.#areRefused = answer.keysRefused;
    else this.#probeAtMs = 0;
  }
}
