import type { Entity } from './message.ts';

/** What Telegram makes active by itself in any text, marked up or not. */
const DETECTED = [
  { type: 'bot_command', pattern: /(?<![\w/<>])\/\w{1,64}(?:@\w{3,32})?(?![\w/<>])/g },
  { type: 'mention', pattern: /(?<!\w)@\w{2,32}\b/g },
  { type: 'url', pattern: /\bhttps?:\/\/[^\s<>"]+/gi },
] as const;
const CODE = new Set(['code', 'pre', 'text_link', 'text_mention']);

/** The entities Telegram finds in a text outside code, links and mentions, beside the `marked` ones. */
export const detectEntities = (text: string, marked: readonly Entity[] = []): Entity[] => {
  const closedTo = marked.filter(({ type }) => CODE.has(type));
  const found = DETECTED.flatMap(({ type, pattern }) =>
    [...text.matchAll(pattern)].map((match) => ({
      type,
      offset: match.index,
      length: match[0].length,
    })),
  ).filter((entity) => !closedTo.some((other) => overlap(entity, other)));
  return [...marked, ...found].sort((a, b) => a.offset - b.offset || b.length - a.length);
};

const overlap = (one: Entity, other: Entity): boolean =>
  one.offset < other.offset + other.length && other.offset < one.offset + one.length;
