import type { SandboxPayment } from './payment-ledger.ts';
import { scenarioOf } from './scenario.ts';

/** What has become of a payment. */
export type Settlement = {
  readonly status: 'pending' | 'completed' | 'failed';
  /** A sentence in the service's manner. */
  readonly message: string;
};

const MESSAGES = {
  pending: 'Waiting for the customer to approve',
  completed: 'Transaction successful',
  failed: 'NOT_ENOUGH_FUNDS: the customer does not have enough money',
} as const;

/** Worked out from the time the payment was taken, so nothing has to run in between, or to survive a restart. */
export const settlementAt = (payment: SandboxPayment, nowMs: number): Settlement => {
  const { end } = scenarioOf(payment.customerNumber);
  const ended = end !== undefined && nowMs >= payment.takenAtMs + end.afterMs;
  const status = ended ? end.status : 'pending';
  return { status, message: MESSAGES[status] };
};

/** When the outcome is there to be told; `undefined` for a payment that never ends. */
export const settledAtMs = (payment: SandboxPayment): number | undefined => {
  const { end } = scenarioOf(payment.customerNumber);
  return end === undefined ? undefined : payment.takenAtMs + end.afterMs;
};
