/** The kinds of due work; each is served by its own worker. */
export type Queue = 'submit' | 'check' | 'notice' | 'sms' | 'tidy';

/** When a record is due, and in which queue. */
export type Due = { readonly queue: Queue; readonly atMs: number };
