import { failureReason } from '../gateway/failure-reason.ts';
import type {
  Gateway,
  RateLimited,
  StatusAnswer,
  StatusOutcome,
  Urgency,
} from '../gateway/gateway.ts';
import type { Alerts } from '../notices/alerts.ts';
import type { Payment } from '../records/payment.ts';
import type { Watch } from '../records/records.ts';
import { backoffMs } from '../runtime/backoff.ts';
import type { Clock } from '../runtime/clock.ts';
import { assertNever } from '../runtime/errors.ts';
import { failpoint } from '../runtime/failpoints.ts';
import type { Log } from '../runtime/log.ts';
import { maskPhones } from '../runtime/masking.ts';
import type { Random } from '../runtime/random.ts';
import type { Store } from '../store/store.ts';
import { formatMoney, moneyFromService, sameMoney } from '../values/money.ts';
import type { Cause } from './payment-audit.ts';
import type { Finding } from './payment-event.ts';
import type { Payments } from './payments.ts';

const CHECK_BACKOFF = { firstMs: 5_000, longestMs: 120_000 };
const LONGEST_CHECK_WAIT_MS = 300_000;
/** A check of a settled payment that got no answer is made again after this. */
const LOOK_AGAIN_MS = 900_000;
/** A settled payment is not checked again this long after it settled. */
const LOOKED_LONG_ENOUGH_MS = 72 * 3_600_000;

/** A payment that is being checked is tried again after this. */
const LOOK_WHILE_ASKED_MS = 1_000;
/** A check under way for longer may hang; a callback then brings a second one beside it. */
const MAY_HANG_AFTER_MS = 2_000;
const MOST_AT_ONCE = 2;

/** For parts that ask the service and store what it answers. */
export type AskingParts = {
  readonly store: Store;
  readonly gateway: Gateway;
  readonly clock: Clock;
  readonly log: Log;
  readonly alerts: Alerts;
  readonly random: Random;
};

type StatusCheckerOptions = AskingParts & { readonly payments: Payments };

/** Asks the service about payments. No payment settles in any other way. */
export class StatusChecker {
  readonly #options: StatusCheckerOptions;
  /** When the checks under way began, by payment. */
  readonly #asked = new Map<string, readonly number[]>();

  constructor(options: StatusCheckerOptions) {
    this.#options = options;
  }

  async serve(payment: Payment): Promise<void> {
    const { store, clock } = this.#options;
    const { id } = payment;
    const beganMs = clock.monotonic();
    const asked = this.#asked.get(id) ?? [];
    // A callback during a check is stored, which ends the lease; it must not bring a check of its own.
    if (asked.length >= MOST_AT_ONCE || asked.some((ms) => beganMs - ms < MAY_HANG_AFTER_MS))
      return store.release('payment', id, clock.now() + LOOK_WHILE_ASKED_MS);
    this.#asked.set(id, [...asked, beganMs]);
    try {
      await this.#ask(payment);
    } finally {
      const others = (this.#asked.get(id) ?? []).filter((ms) => ms !== beganMs);
      if (others.length === 0) this.#asked.delete(id);
      else this.#asked.set(id, others);
    }
  }

  async #ask(payment: Payment): Promise<void> {
    const { gateway, store } = this.#options;
    const { id, checks, terms } = payment;
    const outcome = await gateway.checkStatus(id, 'background', terms.merchant);
    failpoint('status-answered', id);
    // A 429 is no answer: the same check is made again later.
    if (outcome.kind === 'rateLimited')
      return store.release('payment', id, this.#afterRateLimit(outcome, checks));
    await this.#settle(payment, outcome);
  }

  /** Checks a settled payment again: an answer that contradicts its state is a conflict. */
  async look(watch: Watch): Promise<void> {
    const { gateway, store, payments, clock } = this.#options;
    const merchant = (await payments.get(watch.id))?.terms.merchant;
    const outcome = await gateway.checkStatus(watch.id, 'background', merchant);
    if (outcome.kind === 'rateLimited')
      return store.release('watch', watch.id, this.#afterRateLimit(outcome, watch.looks));
    const payment = await payments.get(watch.id);
    if (payment !== undefined) await this.#settle(payment, outcome);
    const endedAtMs = payment?.settledAtMs ?? 0;
    // Without an answer the check does not count: the last one must not fall into an outage of the service.
    if (!isAnswer(outcome) && clock.now() < endedAtMs + LOOKED_LONG_ENOUGH_MS)
      return store.release('watch', watch.id, clock.now() + LOOK_AGAIN_MS);
    await payments.looked(watch);
  }

  /** Checks at once for a person; the answer may settle the payment. */
  async askNow(
    id: string,
    urgency: Urgency = 'person',
    cause: Cause = {},
  ): Promise<{ outcome: StatusOutcome; payment?: Payment }> {
    const { gateway, payments } = this.#options;
    const merchant = (await payments.get(id))?.terms.merchant;
    const outcome = await gateway.checkStatus(id, urgency, merchant);
    const payment = await payments.get(id);
    if (payment === undefined) return { outcome };
    if (outcome.kind !== 'status') return { outcome, payment };
    return { outcome, payment: await this.#settle(payment, outcome, cause) };
  }

  #afterRateLimit({ retryAfterMs }: RateLimited, checks: number): number {
    const { clock, random } = this.#options;
    const waitMs = retryAfterMs ?? backoffMs(checks + 1, CHECK_BACKOFF, random);
    return clock.now() + Math.min(waitMs, LONGEST_CHECK_WAIT_MS);
  }

  async #settle(payment: Payment, outcome: StatusOutcome, cause: Cause = {}): Promise<Payment> {
    const { payments, alerts, log } = this.#options;
    const { id } = payment;
    if (outcome.kind === 'refused' && outcome.keysRefused === true)
      await alerts.keysRefused('check_transaction_status', payment.terms.merchant);
    const finding = findingOf(payment, outcome);
    if (!['completed', 'failed', 'pending'].includes(finding.kind)) {
      // Without the service's words: they may name the customer.
      const { code } = finding.answer;
      const what = { payment: id, outcome: outcome.kind, finding: finding.kind, code };
      log.warn(what, 'the status check settled nothing');
    }
    const event = { kind: 'checked', finding, hintsBefore: payment.hints } as const;
    const recorded = await payments.record(id, event, { cause });
    return recorded?.payment ?? payment;
  }
}

/** Whether the service said anything about the payment; that it does not know it is an answer too. */
const isAnswer = (outcome: StatusOutcome): boolean =>
  outcome.kind === 'noStatus' || (outcome.kind === 'status' && outcome.status !== 'unrecognised');

/** What an answer means for this payment: it settles only if id and amount agree with ours. Pure. */
const findingOf = (payment: Payment, outcome: StatusOutcome): Finding => {
  const { answer } = outcome;
  if (outcome.kind !== 'status') return { kind: 'nothing', answer };
  const reason = disagreement(payment, outcome);
  if (reason !== undefined) return { kind: 'mismatch', answer, reason };
  const { status, word } = outcome;
  const missing = isOutcome(status) ? missingIn(outcome) : undefined;
  if (isOutcome(status) && missing !== undefined) {
    const why = `The payment service says ${status} without naming the ${missing}.`;
    return { kind: 'unproven', word: status, answer, reason: why };
  }
  switch (status) {
    case 'completed':
    case 'pending':
      return { kind: status, answer };
    case 'failed': {
      // The status record has no field for a reason; the callback usually brings one.
      const message = payment.hintMessage ?? answer.message ?? '';
      return { kind: 'failed', answer, reason: failureReason(message, word) };
    }
    case 'unrecognised': {
      const message = answer.message ?? word;
      return { kind: 'nothing', answer: { ...answer, message }, knowsIt: true };
    }
    default:
      return assertNever(status);
  }
};

/** How an answer disagrees with the stored payment, in a sentence. */
const disagreement = (
  payment: Payment,
  { status, transactionId, amount }: StatusAnswer,
): string | undefined => {
  if (transactionId !== undefined && transactionId.trim().toUpperCase() !== payment.id)
    return `The payment service answered about another transaction (${maskPhones(transactionId.slice(0, 40))}).`;
  // A pending answer may carry anything; only an outcome for another amount is a conflict.
  if (amount === undefined || !isOutcome(status)) return undefined;
  const money = moneyFromService(amount, payment.terms.amount.currency);
  if (money !== undefined && sameMoney(money, payment.terms.amount)) return undefined;
  const named = money === undefined ? maskPhones(amount.slice(0, 40)) : formatMoney(money);
  return `The payment service speaks of ${named}, not of ${formatMoney(payment.terms.amount)}.`;
};

/** What an outcome has to name and does not; undefined: nothing is missing. */
const missingIn = ({ transactionId, amount }: StatusAnswer): string | undefined =>
  transactionId === undefined ? 'transaction' : amount === undefined ? 'amount' : undefined;

const isOutcome = (status: StatusAnswer['status']): status is 'completed' | 'failed' =>
  status === 'completed' || status === 'failed';
