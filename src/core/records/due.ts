/** The kinds of due work; each is served by its own worker. */
export type Queue = 'submit' | 'check' | 'notice' | 'sms' | 'bulk' | 'tidy';

/** When a record is due, and in which queue. */
export type Due = { readonly queue: Queue; readonly atMs: number };

/** What every record has. A store refuses a version that is not the next one. */
export type Stored = {
  readonly id: string;
  readonly version: number;
  readonly due?: Due;
};
