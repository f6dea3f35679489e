import { channel } from 'node:diagnostics_channel';

/**
 * Failpoints: the places where a crash is tested, each with the state of the world there. `npm run crash-test`
 * and the simulation subscribe and end the process; without a subscriber a failpoint costs one field read.
 */
export const FAILPOINTS = {
  'lock-taken': 'The data folder is locked, and nothing in it has been read.',
  'database-made': 'A new database is whole under another name.',
  'database-opened':
    'The database is open, and what an earlier process left in its log is not copied yet.',
  'schema-locked': 'The database lets this instance alone change its schema.',
  'schema-step': 'A step of the schema is carried out, and not committed.',
  'recovery-begun': 'The store is open; payments that were on their way are not looked at yet.',
  'commit-begun': 'A change is about to be written.',
  'commit-written': 'A change is written inside the transaction, and not committed.',
  'commit-flushed': 'A change is durable, and nobody has heard of it.',
  'checkpoint-begun': 'Commits are in the log, and about to be copied into the database.',
  'work-claimed': 'Due work is taken, and not begun.',
  'work-counted': 'Work that an earlier process left is counted, and not begun.',
  'draft-stored': 'A question to a person is stored, and not shown.',
  'payment-confirmed': 'A press is stored, and the person has not heard that it counts.',
  'bulk-confirmed': 'The press on a file is stored, and no charge of it is made.',
  'row-stored':
    'The payment of a row is stored together with how far its file is, and nothing is sent.',
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
  'checkpoint-finished': 'The log is copied into the database; the lock is still held.',
  'lock-released': 'Another process may have the data folder.',
} as const;

export type Failpoint = keyof typeof FAILPOINTS;

/** What is published on {@link FAILPOINT_CHANNEL}. */
export type FailpointHit = {
  readonly name: Failpoint;
  /** The id of the record concerned; absent where the failpoint concerns the whole process. */
  readonly subject?: string;
};

export const FAILPOINT_CHANNEL = 'paythread:failpoint';

// Referenced for life: an unreferenced channel is garbage-collected with its subscribers.
const hits = channel(FAILPOINT_CHANNEL);

/** Publishes the failpoint. Subscribers run synchronously, before the caller continues. */
export const failpoint = (name: Failpoint, subject?: string): void => {
  if (hits.hasSubscribers) hits.publish({ name, ...(subject === undefined ? {} : { subject }) });
};
