import type { PromptAnswer, SandboxPayment } from './payment-ledger.ts';

/** What the sandbox does with a payment, decided by the last two digits of the customer number. */
export type Scenario = {
  readonly onRequest: 'accept' | 'cut' | 'rate limit twice' | 'break';
  /** Where the payment ends, and how long after it was taken; absent: it stays pending. */
  readonly end?: { readonly status: 'completed' | 'failed'; readonly afterMs: number };
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

const MESSAGES = {
  pending: 'Waiting for the customer to approve',
  completed: 'Transaction successful',
  failed: 'NOT_ENOUGH_FUNDS: the customer does not have enough money',
} as const;

/** How a payment ends after each answer of the customer. */
const ANSWERED: Readonly<Record<PromptAnswer, Settlement>> = {
  approved: { status: 'completed', message: MESSAGES.completed },
  declined: { status: 'failed', message: 'PAYER_REJECTED: the customer declined' },
  'no money': { status: 'failed', message: MESSAGES.failed },
};

type Settlement = { readonly status: keyof typeof MESSAGES; readonly message: string };

/** When the outcome is there to be told; `Infinity` for a payment that never ends or whose prompt has no answer. */
export const settledAtMs = ({ customerNumber, takenAtMs, prompt }: SandboxPayment): number => {
  if (prompt !== undefined)
    return prompt.answer === 'none' ? Number.POSITIVE_INFINITY : prompt.answeredAtMs;
  return takenAtMs + (scenarioOf(customerNumber).end?.afterMs ?? Number.POSITIVE_INFINITY);
};

/**
 * The state of a payment with a sentence about it. Worked out from times and the customer's answer, so nothing has to
 * run in between, or to survive a restart.
 */
export const settlementAt = (payment: SandboxPayment, nowMs: number): Settlement => {
  const { customerNumber, prompt } = payment;
  if (nowMs < settledAtMs(payment)) return { status: 'pending', message: MESSAGES.pending };
  if (prompt !== undefined && prompt.answer !== 'none') return ANSWERED[prompt.answer];
  const status = scenarioOf(customerNumber).end?.status ?? 'pending';
  return { status, message: MESSAGES[status] };
};

/** Day names and other first names, and family names, as they are common in Ghana. */
const FIRST_NAMES = [
  'Kojo Kwabena Kwaku Yaw Kofi Kwame Kwasi Nii Selorm Emmanuel',
  'Adwoa Abena Akua Yaa Afia Ama Akosua Naa Esi Grace Fatima',
].flatMap((names) => names.split(' '));
const FAMILY_NAMES = [
  'Mensah Owusu Boateng Asante Osei Appiah Agyeman Addo Quaye',
  'Tetteh Lamptey Amoah Ansah Dogbe Agbeko Iddrisu Alhassan Sarpong',
].flatMap((names) => names.split(' '));

/** A made-up holder of a number: always the same one for the same number, in any spelling. */
export const accountNameOf = (number: string): string => {
  const subscriber = Number(number.replace(/\D/g, '').slice(-9));
  // The last digits choose the scenario; neighbours in a test should still have different names.
  const first = FIRST_NAMES[subscriber % FIRST_NAMES.length];
  const family = FAMILY_NAMES[Math.floor(subscriber / 7) % FAMILY_NAMES.length];
  return `${first} ${family}`;
};
