import type { Readable, Writable } from 'node:stream';
import type { Pace } from '../core/cluster/rate-limiter.ts';
import type { Clock } from '../core/runtime/clock.ts';
import type { Log } from '../core/runtime/log.ts';

/** The outside of the process. */
export type Surroundings = {
  readonly clock: Clock;
  readonly log: Log;
  readonly input: Readable;
  readonly output: Writable;
  /** Shown as the requester in a local chat. */
  readonly userName: string;
  /** Something that only a new process can mend: end this one. `what` goes on after "Paythread stops:". */
  readonly onFatal: (error: unknown, what: string) => void;
  /** What messages to the chats keep to; only measurements have their own. @default what the platforms bear */
  readonly pace?: Pace;
};
