import { PaymentSubmitter } from '../../core/payments/payment-submitter.ts';
import { StatusChecker } from '../../core/payments/status-checker.ts';
import { smsSeal } from '../../core/records/seals.ts';
import { systemRandom } from '../../core/runtime/random.ts';
import { SmsSender } from '../../core/sms/sms-sender.ts';
import type { MessageParts } from './build-messages.ts';
import type { PaymentParts } from './build-payments.ts';
import type { EngineOptions } from './engine-options.ts';

/** What talks to the payment service when work is due. */
export const buildSenders = (
  options: EngineOptions,
  { alerts, seal, payments, callbacks }: PaymentParts,
  { outbox }: MessageParts,
) => {
  const { store, gateway, clock, log, requestTimeoutMs } = options;
  const { random = systemRandom } = options;
  const shared = { store, clock, log, alerts };
  return {
    submitter: new PaymentSubmitter({
      ...shared,
      payments,
      gateway,
      seal,
      requestTimeoutMs,
      random,
      callbackUrl: (id) => callbacks.address(id),
      outbox,
    }),
    checks: new StatusChecker({ ...shared, payments, gateway, random }),
    smsSender: new SmsSender({
      ...shared,
      gateway,
      requestTimeoutMs,
      random,
      seal: smsSeal(options.sealSecret),
    }),
  };
};

export type SenderParts = ReturnType<typeof buildSenders>;
