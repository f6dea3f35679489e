/** The kinds of due work; each is served by its own worker. */
export const QUEUES = ['submit', 'check', 'notice', 'sms', 'bulk', 'tidy'] as const;
export type Queue = (typeof QUEUES)[number];

/** When a record is due, and in which queue. */
export type Due = { readonly queue: Queue; readonly atMs: number };

/** What every record has. A store refuses a version that is not the next one. */
export type Stored = {
  readonly id: string;
  readonly version: number;
  readonly due?: Due;
};
