/** The kinds of due work, each served by its own worker; `check` has the balances and the day's summary too, `notice` ends questions. */
export const QUEUES = ['submit', 'check', 'notice', 'sms', 'bulk', 'tidy'] as const;
export type Queue = (typeof QUEUES)[number];

const HOUR_MS = 3_600_000;

/**
 * The longest that a record waits in each queue, with room to spare: for the next day's summary, for an approval or as a
 * chat asks, for the end of a night. What is due later was put off by a clock that was ahead, and is due now.
 */
export const LONGEST_WAIT_MS: Readonly<Record<Queue, number>> = {
  submit: 2 * HOUR_MS,
  check: 26 * HOUR_MS,
  notice: 26 * HOUR_MS,
  sms: 13 * HOUR_MS,
  bulk: 2 * HOUR_MS,
  tidy: Number.MAX_SAFE_INTEGER,
};

export type Due = { readonly queue: Queue; readonly atMs: number };

/** What every record has. A store refuses a version that is not the next one. */
export type Stored = {
  readonly id: string;
  readonly version: number;
  readonly due?: Due;
};
