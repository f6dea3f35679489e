import type { Api } from 'grammy';
import type { InFlight } from '../../core/runtime/in-flight.ts';
import type { Conversation } from '../../core/values/conversation.ts';
import type { BotParts } from '../platform.ts';
import { safeError } from './failure.ts';

const FIRST_AFTER_MS = 500;
/** Telegram shows the action for five seconds. */
const AGAIN_AFTER_MS = 4_500;

type Tools = Pick<BotParts, 'clock' | 'log'> & { readonly api: Api; readonly inFlight: InFlight };

/**
 * Shows "typing" in the conversation while `work`, such as an account look-up, takes longer than half a second.
 * The action is no message, so it takes no place in the limits that outcomes need. Settles as `work` does; an
 * action that Telegram refuses is not tried again.
 */
export const whileTyping = async (
  tools: Tools,
  conversation: Conversation,
  work: Promise<void>,
): Promise<void> => {
  const done = new AbortController();
  void tools.inFlight.add(showTyping(tools, conversation, done.signal));
  try {
    await work;
  } finally {
    done.abort();
  }
};

const showTyping = async (
  { api, clock, log }: Tools,
  { channel, thread }: Conversation,
  done: AbortSignal,
): Promise<void> => {
  const topic = thread === undefined ? {} : { message_thread_id: Number(thread) };
  try {
    for (let waitMs = FIRST_AFTER_MS; ; waitMs = AGAIN_AFTER_MS) {
      await clock.sleep(waitMs, done);
      if (done.aborted) return;
      await api.sendChatAction(Number(channel), 'typing', topic);
    }
  } catch (error) {
    log.debug(safeError(error), 'the typing action was refused');
  }
};
