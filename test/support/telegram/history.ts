import type { Chat } from './chat.ts';
import { type Account, type Content, SimMessage } from './message.ts';

type PastMessage = {
  readonly id: number;
  readonly from?: Account;
  readonly dateMs: number;
  readonly content: Content;
  /** The id of the message that it answers. */
  readonly replyTo?: number;
};

/** What a chat shows, to be written down. */
export type History = readonly PastMessage[];

export const historyOf = ({ messages }: Chat): History =>
  messages.map(({ id, from, dateMs, content, replyTo }) => ({
    id,
    ...(from === undefined ? {} : { from }),
    dateMs,
    content,
    ...(replyTo === undefined ? {} : { replyTo: replyTo.id }),
  }));

/** The chat shows it again: nobody is told, as these messages were delivered long ago. */
export const bringBack = ({ record }: Chat, history: History): void => {
  for (const { replyTo, ...past } of history) {
    const answered = record.messages.find(({ id }) => id === replyTo);
    record.messages.push(
      new SimMessage({ ...past, chat: record, ...(answered && { replyTo: answered }) }),
    );
  }
};
