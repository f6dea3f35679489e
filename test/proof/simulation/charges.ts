export type Truth = { readonly atMs: number; readonly word: 'completed' | 'failed' };

/** A `make_payment` that was taken. Each is a charge: nothing is recognised as a repetition. */
export type Charge = {
  readonly id: string;
  readonly amountMinor: number;
  readonly customerNumber: string;
  readonly atMs: number;
  /** Before, the status check does not find it. */
  readonly foundAtMs: number;
  readonly truths: readonly Truth[];
  /** How much later than the truth its status is. */
  readonly lagMs: number;
  readonly callbackUrl: string;
};

/** What the books say at a moment. */
export const wordAt = ({ truths }: Charge, atMs: number): 'pending' | Truth['word'] =>
  truths.findLast((truth) => truth.atMs <= atMs)?.word ?? 'pending';
