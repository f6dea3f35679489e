import type { InlineKeyboardButton } from 'grammy/types';
import type { Card, CardPart, ListItem } from '../../commands/cards/card.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import type { Person } from '../../core/values/conversation.ts';
import { cleanText, escapeHtml } from './escape.ts';
import { isLinkable, keyboardOf } from './keyboard.ts';
import { LIMITS } from './limits.ts';

/** A card as Telegram takes it. `plain` says the same without markup, should the HTML ever be refused. */
export type RenderedCard = {
  readonly html: string;
  readonly plain: string;
  readonly keyboard: InlineKeyboardButton[][];
};

/** A stretch of text between two tags, so that cutting it short never leaves a tag open. */
type Segment = { readonly before: string; readonly text: string; readonly after: string };

const TONES = { good: '✅ ', bad: '❌ ', waiting: '⏳ ', warning: '⚠️ ' } as const;
const GAP = '\n\n';
const CUT_NOTE = '\n\n… The rest did not fit into one message.';
/** How far back to look for a space, so that a cut does not go through a word or number. */
const LONGEST_WORD = 40;

/** The renderer of all cards. Links Telegram would refuse as buttons become lines of text. */
export const cardToHtml = (card: Card): RenderedCard => {
  const buttons = card.buttons ?? [];
  const asText = buttons.filter((button) => button.kind === 'link' && !isLinkable(button));
  const blocks = [
    headOf(card),
    ...card.parts.map(segmentsOf),
    ...asText.map((button) => [
      words(`${button.label}: ${button.kind === 'link' ? button.url : ''}`),
    ]),
  ];
  const segments = fitted(blocks.flatMap((block, at) => (at === 0 ? block : [gap, ...block])));
  return {
    html: segments.map(({ before, text, after }) => before + escapeHtml(text) + after).join(''),
    plain: segments.map(({ text }) => text).join(''),
    keyboard: keyboardOf(buttons.filter((button) => !asText.includes(button))),
  };
};

const headOf = ({ mention, calls = [], tone, title }: Card): Segment[] => {
  const head = [words(tone === undefined ? '' : TONES[tone]), bold(title)];
  const called = [...(mention === undefined ? [] : [mention]), ...calls];
  // Telegram has no user groups.
  const people = called.flatMap((each) => ('id' in each ? [mentionOf(each)] : []));
  const row = people.flatMap((each, at) => (at === 0 ? [each] : [words(', '), each]));
  return row.length === 0 ? head : [...row, words('\n'), ...head];
};

const mentionOf = ({ platform, id, name }: Person): Segment =>
  platform === 'telegram' && /^\d+$/.test(id)
    ? { before: `<a href="tg://user?id=${id}">`, text: cleanText(name), after: '</a>' }
    : words(name);

/** Names are not unique: the mention leads to the account, and the id tells two people of one name apart. */
const nameWithId = (person: Person): Segment[] => [
  mentionOf(person),
  words(` (${person.platform === 'telegram' ? person.id : `${person.platform}:${person.id}`})`),
];

const segmentsOf = (part: CardPart): Segment[] => {
  switch (part.kind) {
    case 'text':
      return [words(part.text)];
    case 'facts':
      return part.facts.flatMap(({ label, value, person, code: isCode }, at) => [
        bold(`${at === 0 ? '' : '\n'}${label}: `),
        ...(person === undefined ? [isCode ? code(value) : words(value)] : nameWithId(person)),
      ]);
    case 'warning':
      return [words(TONES.warning), bold(part.text)];
    case 'note':
      return [{ before: '<i>', text: cleanText(part.text), after: '</i>' }];
    case 'example':
      return [code(part.text)];
    case 'quote':
      return [{ before: '<blockquote>', text: cleanText(part.text), after: '</blockquote>' }];
    case 'list':
      return part.items.flatMap((item, at) =>
        lineOf(item, `${at === 0 ? '' : '\n'}${part.numbered === true ? `${at + 1}.` : '•'} `),
      );
    default:
      return assertNever(part);
  }
};

const words = (text: string): Segment => ({ before: '', text: cleanText(text), after: '' });
const bold = (text: string): Segment => ({ before: '<b>', text: cleanText(text), after: '</b>' });
/** A tap on it copies it. */
const code = (text: string): Segment => ({
  before: '<code>',
  text: cleanText(text),
  after: '</code>',
});
const gap = words(GAP);

const lineOf = (item: ListItem, front: string): Segment[] =>
  typeof item === 'string'
    ? [words(`${front}${item}`)]
    : [words(`${front}${item.text} `), code(item.code)];

/** As much of it as one message holds; empty stretches go, Telegram has nothing to mark in them. */
const fitted = (segments: readonly Segment[]): Segment[] => {
  const filled = segments.filter(({ text }) => text !== '');
  const length = filled.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= LIMITS.textLength) return filled;
  const kept: Segment[] = [];
  let room = LIMITS.textLength - CUT_NOTE.length;
  for (const segment of filled) {
    if (segment.text.length > room) {
      kept.push({ ...segment, text: cutAt(segment.text, room) });
      break;
    }
    kept.push(segment);
    room -= segment.text.length;
  }
  return [...kept.filter(({ text }) => text !== ''), words(CUT_NOTE)];
};

/** At a space when one is near, and never through a character of two units. */
const cutAt = (text: string, length: number): string => {
  const cut = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
  const space = cut.search(/\s\S*$/);
  return space > cut.length - LONGEST_WORD && space > 0 ? cut.slice(0, space) : cut;
};
