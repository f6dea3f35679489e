import type { PaceLimit, Weight } from '../../core/cluster/pace-book.ts';

/** Telegram's limits. Text is counted in UTF-16 units, which is never more than Telegram allows. */
export const LIMITS = {
  textLength: 4096,
  callbackDataBytes: 64,
  /** Of the words under a file. */
  captionLength: 1024,
  /** https://core.telegram.org/bots/api#sending-files */
  fileBytes: 50_000_000,
  /** A larger picture goes as a file, as does one of odd measures, once it was refused: https://github.com/tdlib/td/issues/2544 */
  photoBytes: 10_000_000,
  /** What an answer to a press may say. */
  alertLength: 200,
  buttons: 100,
  buttonsInRow: 3,
  /** Of buttons that are numbers. */
  numbersInRow: 5,
  /** Labels in one row, all together; beyond it phones cut them off. */
  rowLabelLength: 30,
  /**
   * In one menu. 100 are documented; more than about 60, or 7.8 KB, were refused with BOT_COMMANDS_TOO_MUCH:
   * https://github.com/NousResearch/hermes-agent/pull/4006, https://github.com/adolfousier/opencrabs/issues/1613
   */
  commands: 60,
  commandName: /^[a-z0-9_]{1,32}$/,
  commandDescriptionLength: 256,
  /** Ours: an update that carries text is a few KiB. */
  webhookBodyBytes: 1024 * 1024,
  /** Of all that are not whole yet; Telegram delivers over 40 connections at most. */
  webhookBodiesBytes: 16 * 1024 * 1024,
} as const;

/** A minute and a margin: the network delays each message differently, so Telegram's minutes are not ours. */
const MINUTE_MS = 60_500;
const SECOND_MS = 1_200;
/** In a group. What is left of its minute tells what became of them: each also needs an edit and an outcome. */
const QUESTIONS_A_MINUTE = 12;
/** Half of a group's minute, of answers that ask nothing. */
const ANSWERS_A_MINUTE = 10;
/** Places that stay free in a group's minute, beside the one taken, for what matters more. */
const LEFT_IN_GROUPS: Readonly<Partial<Record<Weight, number>>> = { aside: 2, pending: 10 };

const overall = (weight: Weight): PaceLimit => ({
  key: 'telegram',
  most: 25,
  windowMs: SECOND_MS,
  leave: weight === 'pending' ? 5 : 0,
});

export const MENUS_KEY = 'telegram:menus';
/** Assumed: Telegram documents no limit of menus, and answers 429 to too many. They take what messages leave. */
export const PACE_OF_MENUS: readonly PaceLimit[] = [
  overall('pending'),
  { key: MENUS_KEY, burst: 5, perMs: 1_000 },
];

/**
 * What Telegram documents: one message a second in a chat, in private ones with short bursts, 20 a minute in
 * a group, 30 a second in all. Edits share these limits: https://github.com/tdlib/td/issues/3034. Answers to presses have
 * none: https://github.com/tdlib/telegram-bot-api/issues/648. How long a burst may be is assumed.
 */
export const paceOf = (chatId: string, weight: Weight): PaceLimit[] => {
  const all = overall(weight);
  const key = chatKey(chatId);
  if (!isGroupId(chatId))
    return [all, { key, burst: 3, perMs: SECOND_MS, leave: weight === 'pending' ? 1 : 0 }];
  const minute = { most: 20, leave: LEFT_IN_GROUPS[weight] ?? 0, questions: QUESTIONS_A_MINUTE };
  const limits: PaceLimit[] = [
    all,
    { key, most: 1, windowMs: SECOND_MS },
    { key: `${key}:minute`, windowMs: MINUTE_MS, ...minute },
  ];
  if (weight === 'question')
    limits.push({ key: `${key}:questions`, most: QUESTIONS_A_MINUTE, windowMs: MINUTE_MS });
  if (weight === 'answer' || weight === 'aside')
    limits.push({ key: `${key}:answers`, most: ANSWERS_A_MINUTE, windowMs: MINUTE_MS });
  return limits;
};

/** People without any grant: one answer a minute to each of them in a group. */
export const paceOfAside = (chatId: string, personId: string): PaceLimit[] => [
  ...paceOf(chatId, 'aside'),
  ...(isGroupId(chatId)
    ? [{ key: `${chatKey(chatId)}:to:${personId}`, most: 1, windowMs: MINUTE_MS }]
    : []),
];

/** The limit to block after a 429 in a chat. */
export const chatKey = (chatId: string): string => `telegram:chat:${chatId}`;

/** People have positive ids, groups and channels negative ones. */
export const isGroupId = (chatId: string): boolean => chatId.startsWith('-');
