/** The kinds of due work; each is served by its own worker. */
export type Queue = 'submit' | 'check' | 'notice' | 'sms' | 'tidy';

/** When a record wants attention, and whose. */
export type Due = { readonly queue: Queue; readonly atMs: number };
