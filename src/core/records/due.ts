/** The kinds of due work; each is served by its own worker. */
export type Queue = 'submit' | 'check' | 'notice' | 'sms' | 'bulk' | 'tidy';

const HOUR_MS = 3_600_000;

/**
 * The longest that a record waits in each queue, with room to spare. What is due later than that was put off by a clock
 * that was ahead, and is due now. What is only tidied away may wait for any time.
 */
export const LONGEST_WAIT_MS: Readonly<Record<Queue, number>> = {
  submit: 2 * HOUR_MS,
  // The next day's summary, where clocks change.
  check: 26 * HOUR_MS,
  // An approval, or the patience that a chat platform asks for.
  notice: 26 * HOUR_MS,
  // Until the night is over.
  sms: 13 * HOUR_MS,
  bulk: 2 * HOUR_MS,
  tidy: Number.MAX_SAFE_INTEGER,
};

/** When a record is due, and in which queue. */
export type Due = { readonly queue: Queue; readonly atMs: number };

/** What every record has. A store refuses a version that is not the next one. */
export type Stored = {
  readonly id: string;
  readonly version: number;
  readonly due?: Due;
};
