import type { Gateway, PaymentOutcome } from '../gateway/gateway.ts';
import { ChargeFreeze } from '../guards/charge-freeze.ts';
import { whyStopped } from '../guards/stopped-people.ts';
import { Suspensions } from '../guards/suspensions.ts';
import type { Alerts } from '../notices/alerts.ts';
import type { Outbox } from '../notices/outbox.ts';
import type { Payment } from '../records/payment.ts';
import type { Clock } from '../runtime/clock.ts';
import { assertNever } from '../runtime/errors.ts';
import { failpoint } from '../runtime/failpoints.ts';
import type { Log } from '../runtime/log.ts';
import { type Random, systemRandom } from '../runtime/random.ts';
import { everyPayment } from '../store/every-payment.ts';
import type { Store } from '../store/store.ts';
import type { MessageRef } from '../values/conversation.ts';
import {
  LONGEST_RATE_LIMIT_WAIT_MS,
  MOST_RATE_LIMITS,
  rateLimitWaitMs,
  requestDeadlines,
} from '../work/send-once.ts';
import { CircuitBreaker } from './circuit-breaker.ts';
import type { ConfirmationSeal } from './confirmation-seal.ts';
import { RESTORED } from './payment-event.ts';
import { type Payments, SUBMIT_WITHIN_MS } from './payments.ts';

const PAGE = 100;
/** The longest that a payment can wait to be sent, whatever its record says. */
const LONGEST_CONFIRMED_MS =
  SUBMIT_WITHIN_MS + MOST_RATE_LIMITS * (LONGEST_RATE_LIMIT_WAIT_MS + SUBMIT_WITHIN_MS);

/** Sends confirmed payments to the service: first the card, then the record, then the request. */
export class PaymentSubmitter {
  readonly #payments: Payments;
  readonly #store: Store;
  readonly #gateway: Gateway;
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #alerts: Alerts;
  readonly #breaker: CircuitBreaker;
  readonly #freeze: ChargeFreeze;
  readonly #suspensions: Suspensions;
  readonly #seal: ConfirmationSeal;
  readonly #callbackUrl: (paymentId: string) => string;
  readonly #outbox: Pick<Outbox, 'postFirstCard'>;
  readonly #requestTimeoutMs: number;
  readonly #random: Random;
  /** Payments whose card this process could not post yet. */
  readonly #withoutCard = new Set<string>();

  constructor(options: {
    payments: Payments;
    store: Store;
    gateway: Gateway;
    clock: Clock;
    log: Log;
    alerts: Alerts;
    seal: ConfirmationSeal;
    callbackUrl: (paymentId: string) => string;
    outbox: Pick<Outbox, 'postFirstCard'>;
    /** Longest time that one request takes; past it a payment still `submitting` has lost its sender. */
    requestTimeoutMs: number;
    /** @default the system's */
    random?: Random;
  }) {
    this.#payments = options.payments;
    this.#store = options.store;
    this.#gateway = options.gateway;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#alerts = options.alerts;
    this.#breaker = new CircuitBreaker(options.clock);
    this.#freeze = new ChargeFreeze(options.store);
    this.#suspensions = new Suspensions(options);
    this.#seal = options.seal;
    this.#callbackUrl = options.callbackUrl;
    this.#outbox = options.outbox;
    this.#requestTimeoutMs = options.requestTimeoutMs;
    this.#random = options.random ?? systemRandom;
  }

  /**
   * Presumes payments lost that were being sent when the process died. Only for a store that no other process
   * uses; in a shared one each payment waits until its lease has run out.
   */
  async recover(): Promise<void> {
    for await (const { id } of everyPayment(this.#store, { states: ['submitting'] }, PAGE))
      await this.#presumeLost(id);
  }

  async serve(payment: Payment): Promise<void> {
    if (payment.state === 'submitting') return this.#presumeLost(payment.id);
    if (payment.state !== 'confirmed') return;
    if ((await this.#freeze.standing()) !== undefined) return this.#distrust(payment.id);
    if (this.#clock.now() > latestSubmitMs(payment)) return this.#expire(payment);
    if (!this.#seal.isOn(payment)) return this.#withhold(payment.id, 'given up');
    const stopped = await whyStopped(this.#suspensions, payment);
    if (stopped !== undefined) return this.#giveUp(payment.id, stopped);
    if (!this.#breaker.lets()) return this.#holdBack(payment.id);
    const card = payment.card ?? (await this.#postedCard(payment));
    if (card !== undefined) await this.#send(payment.id, card);
  }

  async #send(id: string, card: MessageRef): Promise<void> {
    // Read first: other workers presume the request lost counting from this moment, however long the next steps take.
    const { sendByMs, presumedLostAtMs } = requestDeadlines(
      this.#clock.now(),
      this.#requestTimeoutMs,
    );
    const submitting = { kind: 'submitting', presumedLostAtMs, card } as const;
    const recorded = await this.#payments.record(id, submitting);
    // Only the call that made this transition may send: another worker may hold the same payment.
    if (recorded?.changed !== true || recorded.payment.state !== 'submitting') return;
    failpoint('submitting-stored', id);
    // Read again: the store may have been restored from a backup since the first look.
    if ((await this.#freeze.standing()) !== undefined) return this.#distrust(id);
    // Checked on the stored record, because that is what is sent.
    if (!this.#seal.isOn(recorded.payment)) return this.#withhold(id, 'not sent');
    const { terms } = recorded.payment;
    const outcome = await this.#gateway.makePayment({
      transactionId: id,
      reference: terms.reference,
      customerNumber: terms.customerNumber,
      network: terms.network,
      amount: terms.amount,
      option: terms.option,
      callbackUrl: this.#callbackUrl(id),
      // After a long pause of this process, other workers have presumed the request lost and people were told so.
      sendByMs,
      whyNotToSend: () => this.#whyNotToSend(id),
    });
    failpoint('payment-answered', id);
    this.#log.info({ payment: id, ...loggedOutcome(outcome) }, 'payment requested');
    const keysRefused = outcome.kind === 'refused' && outcome.keysRefused === true;
    this.#breaker.heard({ keysRefused });
    await this.#recordOutcome(recorded.payment, outcome);
    failpoint('outcome-stored', id);
    if (keysRefused)
      await this.#alerts.raise('keys', { kind: 'keys refused', operation: 'make_payment' });
  }

  /** While the request waits under `PAYMENTS_RATE`, a callback about an earlier request may come, or a suspension. */
  async #whyNotToSend(id: string): Promise<string | undefined> {
    const payment = await this.#payments.get(id);
    return payment?.state === 'submitting' && payment.hints === 0
      ? whyStopped(this.#suspensions, payment)
      : 'Something happened to the payment before the request could go out.';
  }

  /** After a restore it is not known whether the payment was sent after the backup. */
  async #distrust(id: string): Promise<void> {
    await this.#payments.record(id, RESTORED);
  }

  /** The stored payment is not what was confirmed: the store was written to, or the key of the MAC was changed. */
  async #withhold(id: string, kind: 'given up' | 'not sent'): Promise<void> {
    const reason =
      'What is stored is not what was confirmed. It was not sent. Type the command again.';
    await this.#payments.record(id, { kind, reason });
    await this.#alerts.raise(`seal.${id}`, { kind: 'seal broken', paymentId: id });
  }

  async #holdBack(id: string): Promise<void> {
    const reason =
      'The payment service does not accept our keys right now. The owner has to correct them.';
    await this.#giveUp(id, reason);
  }

  async #giveUp(id: string, reason: string): Promise<void> {
    await this.#payments.record(id, { kind: 'given up', reason });
  }

  async #recordOutcome(payment: Payment, outcome: PaymentOutcome): Promise<void> {
    const { id } = payment;
    switch (outcome.kind) {
      case 'accepted': {
        const { answer, checkoutUrl } = outcome;
        const link = checkoutUrl === undefined ? {} : { checkoutUrl };
        await this.#payments.record(id, { kind: 'accepted', answer, ...link });
        return;
      }
      case 'notSent':
        await this.#payments.record(id, { kind: 'not sent', reason: outcome.reason });
        return;
      case 'refused': {
        const { answer, reason } = outcome;
        await this.#payments.record(id, { kind: 'refused', answer, reason });
        return;
      }
      case 'unknown': {
        const { answer, reason } = outcome;
        await this.#payments.record(id, { kind: 'lost', answer, reason });
        return;
      }
      case 'rateLimited':
        return this.#afterRateLimit(payment, outcome);
      default:
        return assertNever(outcome);
    }
  }

  async #afterRateLimit(
    payment: Payment,
    { answer, retryAfterMs }: Extract<PaymentOutcome, { kind: 'rateLimited' }>,
  ): Promise<void> {
    if (payment.rateLimits >= MOST_RATE_LIMITS) {
      const reason = 'Ask again in a few minutes.';
      await this.#payments.record(payment.id, { kind: 'not sent', reason, answer });
      return;
    }
    const waitMs = rateLimitWaitMs(payment.rateLimits + 1, retryAfterMs, this.#random);
    const retryAtMs = this.#clock.now() + waitMs;
    await this.#payments.record(payment.id, {
      kind: 'rate limited',
      answer,
      retryAtMs,
      submitByMs: retryAtMs + SUBMIT_WITHIN_MS,
    });
  }

  /** Undefined: there is no card (yet), and an outcome needs a place to go to before the request may go out. */
  async #postedCard(payment: Payment): Promise<MessageRef | undefined> {
    const { id } = payment;
    const first = await this.#outbox.postFirstCard(payment);
    if (first.kind === 'waiting') {
      this.#withoutCard.add(id);
      // At most until the payment has to be given up, however long the chat asks to wait.
      const againAtMs = Math.min(first.untilMs, latestSubmitMs(payment) + 1);
      await this.#store.release('payment', id, againAtMs);
      return undefined;
    }
    this.#withoutCard.delete(id);
    if (first.kind === 'posted') return first.card;
    const reason = ['The payment card could not be posted in this conversation.', first.remedy]
      .filter((sentence) => sentence !== undefined)
      .join(' ');
    const detail = { delivery: first.reason };
    await this.#payments.record(id, { kind: 'given up', reason }, { detail });
    return undefined;
  }

  async #expire(payment: Payment): Promise<void> {
    // The process before may have posted the card: only what this one tried is blamed on it.
    const isForCard = this.#withoutCard.delete(payment.id) && payment.card === undefined;
    const reason = isForCard
      ? 'The payment card could not be posted in time. Type the command again.'
      : 'It could not be sent in time. Type the command again.';
    await this.#payments.record(payment.id, { kind: 'given up', reason });
  }

  async #presumeLost(id: string): Promise<void> {
    const reason = 'Paythread stopped while the request was on its way.';
    await this.#payments.record(id, { kind: 'lost', reason, answer: {} });
  }
}

const latestSubmitMs = ({ submitByMs, confirmedAtMs }: Payment): number =>
  Math.min(submitByMs, confirmedAtMs + LONGEST_CONFIRMED_MS);

/** Without the service's words: they may name the customer. A reason of `notSent` is Paythread's own. */
const loggedOutcome = (outcome: PaymentOutcome): Record<string, unknown> =>
  outcome.kind === 'notSent'
    ? { outcome: outcome.kind, reason: outcome.reason }
    : { outcome: outcome.kind, code: outcome.answer.code };
