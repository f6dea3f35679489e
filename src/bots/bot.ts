import type { Chat } from '../commands/notices/chat.ts';

export type { OutgoingMessage } from '../commands/notices/chat.ts';

/** One chat platform. Thin: it translates what comes in and renders what goes out (`post` and `edit`). */
export interface Bot extends Chat {
  readonly platform: string;
  /** Connects and begins to hand over events. Resolves once connected, or keeps trying in the background. */
  start(): Promise<void>;
  /** Undefined when connected, else what is missing, in a few words. */
  notReady(): string | undefined;
  /** Asks the platform whether it still takes our token, where nothing else would find out; `notReady` tells. Never rejects. */
  probe(): Promise<void>;
  /** Takes no more events, waits for those in hand. */
  stop(): Promise<void>;
}
