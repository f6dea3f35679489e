import type { PaceLimit } from '../../core/pacer.ts';

/** Telegram's limits. Text is counted in UTF-16 units, which is never more than Telegram allows. */
export const LIMITS = {
  textLength: 4096,
  callbackDataBytes: 64,
  /** What an answer to a press may say. */
  alertLength: 200,
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
 * What Telegram bears: one a second in a chat with bursts, 20 a minute in a group, 30 a second in all. A
 * bucket lets a whole burst through on top of what refills meanwhile, so burst and refill together make up
 * the limit: 8 and 12 a minute in a group. Its 429 would hold back the group for most of a minute.
 */
export const paceOf = (chatId: string): PaceLimit[] => {
  const limits = [
    { key: chatKey(chatId), burst: 3, perMs: 1_000 },
    { key: 'telegram', burst: 15, perMs: 67 },
  ];
  if (isGroupId(chatId)) limits.push({ key: `telegram:group:${chatId}`, burst: 8, perMs: 5_000 });
  return limits;
};

/** What to block when Telegram asks for patience in a chat. */
export const chatKey = (chatId: string): string => `telegram:chat:${chatId}`;

/** People have positive ids, groups and channels negative ones. */
export const isGroupId = (chatId: string): boolean => chatId.startsWith('-');
