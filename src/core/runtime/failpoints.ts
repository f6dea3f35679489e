import { channel } from 'node:diagnostics_channel';

/**
 * The moments between which nothing may get lost or happen twice, whatever ends the process there. Whoever
 * examines that (`npm run crash-test`) listens; while nobody does, a moment costs one look at a field.
 */
export const MOMENTS = {
  'lock-taken': 'The data folder is locked, and nothing in it has been read.',
  'snapshot-read': 'The snapshot is in memory, the journal behind it is not.',
  'journal-replayed': 'All records are in memory; the end of the journal is not made safe yet.',
  'schema-locked': 'The database lets this instance alone change its schema.',
  'schema-step': 'A step of the schema is carried out, and not committed.',
  'recovery-begun': 'The store is open; payments that were on their way are not looked at yet.',
  'commit-begun': 'A change is about to be written.',
  'commit-written': 'A change is in the file, and not flushed.',
  'commit-flushed': 'A change is durable, and nobody has heard of it.',
  'archive-added': 'Ended payments are in the archive; the snapshot still has them as well.',
  'file-ready': 'A new file is flushed beside the old one, which still counts.',
  'file-renamed': 'A new file has taken its place; the folder is not flushed.',
  'work-claimed': 'Due work is taken, and not begun.',
  'work-counted': 'Work that an earlier process left is counted, and not begun.',
  'draft-stored': 'A question to a person is stored, and not shown.',
  'payment-confirmed': 'A press is stored, and the person has not heard that it counts.',
  'card-posted': 'The payment card stands in the chat, and is not recorded.',
  'submitting-stored': 'The payment is stored as on its way, and nothing is sent.',
  'payment-answered': 'The answer to the payment request is read, and not recorded.',
  'outcome-stored': 'What became of the payment request is stored.',
  'callback-received': 'A callback is read, and not stored.',
  'callback-stored': 'A callback is stored, and not answered.',
  'status-answered': 'The answer to a status check is read, and not recorded.',
  'notice-begun': 'A notice is about to be posted.',
  'notice-posted': 'A notice stands in the chat, and is still owed.',
  'sms-stored': 'A part of an SMS is stored as on its way, and nothing is sent.',
  'stop-begun': 'The process was told to stop, and everything still runs.',
  'workers-stopped': 'Nothing is in hand any more; the store is open.',
  'checkpoint-finished': 'The last snapshot is written; journal and lock are still held.',
  'lock-released': 'Another process may have the data folder.',
} as const;

export type Moment = keyof typeof MOMENTS;

/** What is published. */
export type Passing = {
  readonly name: Moment;
  /** What it is about, such as a payment's id; absent where there is only one thing it can be. */
  readonly subject?: string;
};

export const MOMENTS_CHANNEL = 'paythread:moment';

// Kept here: a channel that nobody holds is collected together with its subscribers.
const moments = channel(MOMENTS_CHANNEL);

/** Says that the program has come to this moment. Listeners are called before it goes on. */
export const moment = (name: Moment, subject?: string): void => {
  if (moments.hasSubscribers)
    moments.publish({ name, ...(subject === undefined ? {} : { subject }) });
};
