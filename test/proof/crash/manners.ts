export type Truth = 'completed' | 'failed';

/** What the service does with a payment. */
export type Manner = {
  readonly name: string;
  /** How often it says 429 first. */
  readonly busyTimes: number;
  /** It says 429 once, and charges all the same. */
  readonly chargesWhileBusy?: true;
  /** Whether it charges at all. */
  readonly charges: boolean;
  readonly answer: 'accept' | 'cut' | 'break';
  readonly answersAfterMs: number;
  readonly truth: Truth;
  readonly settlesAfterMs: number;
  /** So long a status check does not find it. */
  readonly hiddenMs: number;
  /** How often the end is told to the callback address. */
  readonly callbacks: number;
};

const USUAL: Manner = {
  name: 'usual',
  busyTimes: 0,
  charges: true,
  answer: 'accept',
  answersAfterMs: 5,
  truth: 'completed',
  settlesAfterMs: 80,
  hiddenMs: 0,
  callbacks: 1,
};

/** By the last two digits of the customer number, as the sandbox has them; everything passes more quickly here. */
export const MANNERS: Readonly<Record<string, Manner>> = {
  '00': USUAL,
  '01': { ...USUAL, name: 'failed', truth: 'failed' },
  '02': { ...USUAL, name: 'callback lost', callbacks: 0 },
  '03': { ...USUAL, name: 'callback three times', callbacks: 3 },
  '04': { ...USUAL, name: 'answer cut', answer: 'cut', callbacks: 0 },
  '05': { ...USUAL, name: '429 first', busyTimes: 1 },
  // Later than the first checks, and long before the next one by schedule: the callback has to count.
  '06': { ...USUAL, name: 'late', settlesAfterMs: 1_400 },
  '07': { ...USUAL, name: 'callback before the answer', answersAfterMs: 250 },
  '08': { ...USUAL, name: 'not found at first', hiddenMs: 700, answer: 'cut', callbacks: 0 },
  '09': { ...USUAL, name: '500 and charged', answer: 'break' },
  '10': { ...USUAL, name: '500 and not charged', answer: 'break', charges: false, callbacks: 0 },
  '11': { ...USUAL, name: '429 and charged', chargesWhileBusy: true },
};

export const mannerOf = (customerNumber: string): Manner =>
  MANNERS[customerNumber.slice(-2)] ?? USUAL;
