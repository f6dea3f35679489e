import type { Entity } from './message.ts';

/** Telegram's tags, and the kind of entity each becomes. */
const TAGS = new Map([
  ['a', 'text_link'],
  ['b', 'bold'],
  ['strong', 'bold'],
  ['i', 'italic'],
  ['em', 'italic'],
  ['u', 'underline'],
  ['ins', 'underline'],
  ['s', 'strikethrough'],
  ['strike', 'strikethrough'],
  ['del', 'strikethrough'],
  ['code', 'code'],
  ['pre', 'pre'],
  ['blockquote', 'blockquote'],
  ['tg-spoiler', 'spoiler'],
]);
const ENTITY = /^&(?:(lt|gt|amp|quot)|#(\d{1,7})|#x([0-9a-f]{1,6}));/i;
const NAMED = { lt: '<', gt: '>', amp: '&', quot: '"' } as const;
const TAG = /^<(?<end>\/?)(?<name>[a-z-]+)(?<attributes>(?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>/i;

export class HtmlError extends Error {}

/**
 * Telegram's HTML, read strictly: what the documentation asks to be escaped must be escaped, although the
 * real server lets a lone `&` or `>` pass.
 */
export const parseHtml = (html: string): { text: string; entities: Entity[] } => {
  const open: { tag: string; offset: number; href?: string }[] = [];
  const entities: Entity[] = [];
  let text = '';
  for (let at = 0; at < html.length; ) {
    const rest = html.slice(at);
    const char = html[at] ?? '';
    if (char === '&') {
      const found = ENTITY.exec(rest);
      if (found === null) throw new HtmlError(`Unescaped "&" at offset ${at}`);
      text += decoded(found);
      at += found[0].length;
    } else if (char === '>') {
      throw new HtmlError(`Unescaped ">" at offset ${at}`);
    } else if (char === '<') {
      const tag = tagAt(rest, at);
      if (tag.end) entities.push(...closed(open.pop(), tag.name, text, at));
      else open.push({ tag: tag.name, offset: text.length, ...tag.link });
      at += tag.length;
    } else {
      text += char;
      at += 1;
    }
  }
  const left = open.at(-1);
  if (left) throw new HtmlError(`Can't find end tag corresponding to start tag "${left.tag}"`);
  return { text, entities: entities.sort((a, b) => a.offset - b.offset || b.length - a.length) };
};

const tagAt = (rest: string, at: number) => {
  const found = TAG.exec(rest);
  const name = found?.groups?.name?.toLowerCase() ?? /^<\/?([^\s>]*)/.exec(rest)?.[1] ?? '';
  if (found === null || !TAGS.has(name))
    throw new HtmlError(`Unsupported start tag "${name}" at byte offset ${at}`);
  const href = /href="([^"]*)"/i.exec(found.groups?.attributes ?? '')?.[1];
  const link = href === undefined ? {} : { href: parseHtml(href).text };
  return { name, end: found.groups?.end === '/', link, length: found[0].length };
};

const closed = (
  start: { tag: string; offset: number; href?: string } | undefined,
  name: string,
  text: string,
  at: number,
): Entity[] => {
  if (start === undefined) throw new HtmlError(`Unexpected end tag at byte offset ${at}`);
  if (start.tag !== name)
    throw new HtmlError(
      `Unmatched end tag at byte offset ${at}, expected "</${start.tag}>", found "</${name}>"`,
    );
  const length = text.length - start.offset;
  if (length === 0) return [];
  return [entityOf(start.tag, start.offset, length, start.href ?? text.slice(start.offset))];
};

const entityOf = (tag: string, offset: number, length: number, href: string): Entity => {
  const type = TAGS.get(tag) ?? 'bold';
  if (type !== 'text_link') return { type, offset, length };
  const userId = /^tg:\/\/user\?id=(\d+)$/.exec(href)?.[1];
  return userId === undefined
    ? { type, offset, length, url: href }
    : { type: 'text_mention', offset, length, user: { id: Number(userId) } };
};

const decoded = ([, name, decimal, hex]: RegExpExecArray): string => {
  if (name !== undefined) return NAMED[name.toLowerCase() as keyof typeof NAMED];
  return String.fromCodePoint(
    decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal),
  );
};
