import fc from 'fast-check';
import { classifyResponse } from '../../src/core/gateway/classify-response.ts';
import { readEnvelope } from '../../src/core/gateway/collection-service/envelope.ts';
import { paymentOutcome } from '../../src/core/gateway/collection-service/outcome.ts';
import { failureReason } from '../../src/core/gateway/failure-reason.ts';
import type { PostResult } from '../../src/core/gateway/post-json.ts';
import type { Finding, PaymentEvent } from '../../src/core/payments/payment-event.ts';
import { afterEvent } from '../../src/core/payments/transitions.ts';
import type { Payment } from '../../src/core/records/payment.ts';
import { assertNever } from '../../src/core/runtime/errors.ts';
import { aPayment, shop } from './a-payment.ts';
import { hostileText } from './hostile-text.ts';

const policy = {
  scheduleMs: [10_000, 20_000, 60_000, 3_600_000],
  giveUpMs: 72 * 3_600_000,
};

/** Words of the service that would mislead whoever takes them for the outcome. */
const misleading = fc.oneof(
  hostileText,
  fc.constantFrom('Payment failed, try again', 'FAILED', 'not charged', 'Nothing was charged.'),
);
const answer = fc.record(
  {
    code: fc.oneof(fc.constantFrom('202', '000', '051', 'FAILED'), hostileText),
    message: misleading,
  },
  { requiredKeys: [] },
);

const finding: fc.Arbitrary<Finding> = fc.oneof(
  fc.record({ kind: fc.constant('completed' as const), answer }),
  answer.map((said) => ({
    kind: 'failed' as const,
    answer: said,
    reason: failureReason(said.message ?? '', 'failed'),
  })),
  fc.record({ kind: fc.constant('pending' as const), answer }),
  fc.record(
    { kind: fc.constant('nothing' as const), answer, knowsIt: fc.constant(true as const) },
    { requiredKeys: ['kind', 'answer'] },
  ),
  fc.record({
    kind: fc.constant('unproven' as const),
    word: fc.constantFrom('completed' as const, 'failed' as const),
    answer,
    reason: fc.constant('The payment service says failed without naming the amount.'),
  }),
  fc.record({
    kind: fc.constant('mismatch' as const),
    answer,
    reason: fc.constant('The payment service speaks of GHS 5.00, not of GHS 50.00.'),
  }),
);

/** What becomes of a request, by the gateway's own reading of any answer. */
const sent: fc.Arbitrary<PaymentEvent> = fc
  .oneof(
    fc.record({
      kind: fc.constant('answered' as const),
      httpStatus: fc.constantFrom(200, 200, 202, 302, 400, 401, 429, 500, 502),
      body: fc.oneof(
        answer.map(({ code, message }) =>
          JSON.stringify({ response_code: code, response_message: message }),
        ),
        hostileText,
      ),
    }),
    fc.record({
      kind: fc.constant('unanswered' as const),
      unsent: fc.boolean(),
      reason: fc.constant('The connection broke before an answer had come.'),
    }),
  )
  .map((exchange: PostResult): PaymentEvent => {
    const outcome = paymentOutcome(classifyResponse(exchange, { readEnvelope }, 0));
    switch (outcome.kind) {
      case 'accepted':
        return outcome;
      case 'notSent':
        return { kind: 'not sent', reason: outcome.reason };
      case 'refused':
        return outcome;
      case 'rateLimited':
        return {
          kind: 'rate limited',
          answer: outcome.answer,
          retryAtMs: 5_000,
          submitByMs: 9_000_000,
        };
      case 'unknown':
        return { kind: 'lost', answer: outcome.answer, reason: outcome.reason };
      default:
        return assertNever(outcome);
    }
  });

const submitting: PaymentEvent = {
  kind: 'submitting',
  presumedLostAtMs: 230_000,
  card: { conversation: shop, message: '1.1' },
};

const anyEvent: fc.Arbitrary<PaymentEvent> = fc.oneof(
  { weight: 3, arbitrary: fc.constant(submitting) },
  { weight: 4, arbitrary: sent },
  {
    weight: 4,
    arbitrary: finding.map((found): PaymentEvent => ({ kind: 'checked', finding: found })),
  },
  {
    weight: 3,
    arbitrary: fc.record(
      { kind: fc.constant('callback' as const), message: misleading },
      { requiredKeys: ['kind'] },
    ),
  },
  {
    weight: 1,
    arbitrary: fc.constant<PaymentEvent>({
      kind: 'given up',
      reason: 'It was too late to send it.',
    }),
  },
  { weight: 1, arbitrary: fc.constant<PaymentEvent>({ kind: 'set aside' }) },
  {
    weight: 1,
    arbitrary: fc.constant<PaymentEvent>({
      kind: 'restored',
      reason: 'The store went back to a backup.',
    }),
  },
);

/** One step of a life: what happened, when, and the record on both sides of it. */
export type Step = {
  readonly event: PaymentEvent;
  readonly nowMs: number;
  readonly before: Payment;
  readonly after: Payment;
  /** Whether the event meant anything. */
  readonly changed: boolean;
};

/** Whole lives of payments: any events in any order, between them nothing to three days. */
export const life: fc.Arbitrary<Step[]> = fc
  .array(
    fc.tuple(
      anyEvent,
      fc.oneof(
        fc.constantFrom(0, 10_000, 30_000, 1_800_000, 86_400_000, 259_200_000),
        fc.nat(100_000),
      ),
    ),
    { maxLength: 30 },
  )
  .map((happenings) => {
    let payment: Payment = deepFrozen(aPayment());
    let nowMs = payment.confirmedAtMs;
    return happenings.map(([event, waitMs]) => {
      nowMs += waitMs;
      const before = payment;
      const after = afterEvent(before, deepFrozen(event), nowMs, policy);
      payment = after === undefined ? before : deepFrozen(after);
      return { event, nowMs, before, after: payment, changed: after !== undefined };
    });
  });

const deepFrozen = <T>(value: T): T => {
  if (typeof value === 'object' && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(deepFrozen);
  }
  return value;
};
