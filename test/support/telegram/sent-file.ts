import type { Chat } from './chat.ts';
import type { SimMessage } from './message.ts';

/** The bytes of the file that a message of the bot has; none where it has no file. */
export const fileOf = async ({ content: { file } }: SimMessage): Promise<Buffer> =>
  Buffer.from((await file?.arrayBuffer()) ?? new ArrayBuffer());

/** Waits for a file of this name from the bot; the newest. */
export const sentFile = async (chat: Chat, name: RegExp): Promise<Buffer> =>
  fileOf(await chat.waitFor(({ content: { file } }) => name.test(file?.name ?? '')));
