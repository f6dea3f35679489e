/** What the sandbox does with a payment, decided by the last two digits of the customer number. */
export type Scenario = {
  /** How `make_payment` answers. */
  readonly onRequest: 'accept' | 'cut' | 'rate limit twice' | 'break';
  /** Where the payment ends, and how long after it was taken; absent: it stays pending. */
  readonly end?: { readonly status: 'completed' | 'failed'; readonly afterMs: number };
  /** How often the outcome is told to the callback address. */
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
