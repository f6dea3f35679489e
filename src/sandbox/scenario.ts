import type { SandboxPayment } from './payment-ledger.ts';

/** What the sandbox does with a payment, decided by the last two digits of the customer number. */
export type Scenario = {
  /** How `make_payment` answers. */
  readonly onRequest: 'accept' | 'cut' | 'rate limit twice' | 'break';
  /** Where the payment ends, and how long after it was taken; absent: it stays pending. */
  readonly end?: { readonly status: 'completed' | 'failed'; readonly afterMs: number };
  /** How often the callback is sent. */
  readonly callbacks: number;
  readonly lookup: 'active' | 'inactive' | 'not found';
};

const USUAL: Scenario = {
  onRequest: 'accept',
  end: { status: 'completed', afterMs: 2000 },
  callbacks: 1,
  lookup: 'active',
};

const LATE = { status: 'completed', afterMs: 5000 } as const;

const { end: _never, ...ENDLESS } = USUAL;

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  '01': { ...USUAL, end: { status: 'failed', afterMs: 2000 } },
  '02': { ...USUAL, end: LATE, callbacks: 0 },
  '03': { ...USUAL, callbacks: 3 },
  '04': { ...USUAL, onRequest: 'cut', end: LATE, callbacks: 0 },
  '05': { ...USUAL, onRequest: 'rate limit twice' },
  '06': { ...ENDLESS, callbacks: 0 },
  '07': { ...USUAL, lookup: 'inactive' },
  '08': { ...USUAL, lookup: 'not found' },
  '09': { ...USUAL, onRequest: 'break' },
};

/** `number` in any spelling. */
export const scenarioOf = (number: string): Scenario =>
  SCENARIOS[number.replace(/\D/g, '').slice(-2)] ?? USUAL;

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
