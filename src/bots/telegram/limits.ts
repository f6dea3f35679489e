import type { PaceLimit } from '../../core/pacer.ts';

/** Telegram's limits. Text is counted in UTF-16 units, which is never more than Telegram allows. */
export const LIMITS = {
  textLength: 4096,
  callbackDataBytes: 64,
  buttons: 100,
  buttonsInRow: 3,
  /** Labels in one row, all together; beyond it phones cut them off. */
  rowLabelLength: 30,
  commands: 100,
  commandName: /^[a-z0-9_]{1,32}$/,
  commandDescriptionLength: 256,
  webhookSecret: /^[A-Za-z0-9_-]{1,256}$/,
  /** Ours: an update that carries text is a few KiB. */
  webhookBodyBytes: 1024 * 1024,
} as const;

/**
 * One a second in a chat with bursts, 20 a minute in a group, 30 a second in all. For a group that is a
 * burst of 8 and 12 more in any minute: a bucket of 20 that refills would let 40 through in its first minute,
 * and the 429 for that holds back the whole group for most of another one.
 */
export const paceOf = (chatId: string): PaceLimit[] => {
  const limits = [
    { key: chatKey(chatId), burst: 3, perMs: 1_000 },
    { key: 'telegram', burst: 30, perMs: 34 },
  ];
  if (isGroupId(chatId)) limits.push({ key: `telegram:group:${chatId}`, burst: 8, perMs: 5_000 });
  return limits;
};

/** What to block when Telegram asks for patience in a chat. */
export const chatKey = (chatId: string): string => `telegram:chat:${chatId}`;

/** People have positive ids, groups and channels negative ones. */
export const isGroupId = (chatId: string): boolean => chatId.startsWith('-');
