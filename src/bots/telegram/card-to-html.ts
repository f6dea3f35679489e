import type { InlineKeyboardButton } from 'grammy/types';
import {
  type Button,
  type Card,
  type CardPart,
  type Fact,
  itemText,
  type ListItem,
  lineSign,
  SIGNS,
  withoutButtons,
} from '../../commands/cards/card.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import type { Person } from '../../core/values/conversation.ts';
import { isTransactionId } from '../../core/values/transaction-id.ts';
import { buttonValue } from '../button-value.ts';
import { cut, sanitise } from '../sanitise.ts';
import { LIMITS } from './limits.ts';

/** A card as Telegram takes it. `plain` says the same without markup, should the HTML ever be refused. */
export type RenderedCard = {
  readonly html: string;
  readonly plain: string;
  readonly keyboard: InlineKeyboardButton[][];
};

/** A stretch of text between two tags, so that cutting it short never leaves a tag open. */
type Segment = { readonly before: string; readonly text: string; readonly after: string };

const CUT_NOTE = '\n\n… The rest did not fit into one message.';
/** How far back to look for a space, so that a cut does not go through a word or number. */
const LONGEST_WORD = 40;
const SENTENCE_END = /[.!?](?=\s|$)/g;
/** Telegram turns `@name` into a mention that notifies that account; e-mail addresses it leaves alone. */
const MENTION = /(?<!\w)@(?=\w)/g;
/** Captured, so that `split` keeps the ids. */
const ID_IN_TEXT = /(?<![\w@])([0-9A-HJKMNP-TV-Z]{16})(?!\w)/;
const WORD_JOINER = '\u{2060}';

/** The renderer of all cards. Links Telegram would refuse as buttons become lines of text. */
export const cardToHtml = (card: Card): RenderedCard => {
  const buttons = card.buttons ?? [];
  const links = buttons.filter(isTextLink).map(({ label, url }) => words(`${label}: ${url}`));
  const segments = fitted([
    ...headOf(card),
    ...card.parts.flatMap((part) => [
      words(part.kind === 'line' ? '\n' : '\n\n'),
      ...segmentsOf(part),
    ]),
    ...links.flatMap((link) => [words('\n\n'), link]),
  ]);
  return {
    html: segments.map(({ before, text, after }) => before + escapeHtml(text) + after).join(''),
    plain: segments.map(({ text }) => text).join(''),
    keyboard: keyboardOf(buttons.filter((button) => !isTextLink(button))),
  };
};

/** Whether all words of a card fit below a picture. */
export const fitsCaption = (card: Card): boolean =>
  cardToHtml(card).plain.length <= LIMITS.captionLength;

/** The words of a card for the answer to a press, which has no markup and no buttons; what is too long ends after a whole sentence. */
export const cardToAlert = (card: Card): string => {
  const { title, parts } = withoutButtons(card);
  const said = parts.flatMap((part) => {
    if (part.kind === 'facts') return part.facts.map(({ label, value }) => `${label}: ${value}`);
    if (part.kind === 'line') return [itemText(part.item)];
    return part.kind === 'list' ? part.items.map(itemText) : [part.text];
  });
  const text = cleanText([title, ...said].join('\n')).trim();
  if (text.length <= LIMITS.alertLength) return text;
  const end = [...text.slice(0, LIMITS.alertLength - 1).matchAll(SENTENCE_END)].at(-1);
  return end === undefined ? cut(text, LIMITS.alertLength) : text.slice(0, end.index + 1);
};

/** Text from outside as it may be shown: sanitised, and no `@name` in it becomes a mention. */
export const cleanText = (text: string): string =>
  sanitise(text).replace(MENTION, `@${WORD_JOINER}`);

/** The one place where text becomes HTML. Good for attributes as well. */
export const escapeHtml = (text: string): string =>
  text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');

const words = (text: string, tag?: 'b' | 'i' | 'code' | 'blockquote'): Segment => ({
  before: tag === undefined ? '' : `<${tag}>`,
  text: cleanText(text),
  after: tag === undefined ? '' : `</${tag}>`,
});

/** A text with its transaction ids in monospace, beside `tag` and never inside it: Telegram nests nothing with code. */
const withIds = (text: string, tag?: 'b' | 'i'): Segment[] =>
  text.split(ID_IN_TEXT).map((piece) => words(piece, isTransactionId(piece) ? 'code' : tag));

const headOf = ({ mention, calls = [], tone, title }: Card): Segment[] => {
  const head = [
    ...(mention === undefined ? [] : [mentionOf(mention), words(' ')]),
    words(tone === undefined ? '' : `${SIGNS[tone]} `),
    words(title, 'b'),
  ];
  // Telegram has no user groups.
  const people = calls.flatMap((each) => ('id' in each ? [mentionOf(each)] : []));
  const row = people.flatMap((each, at) => (at === 0 ? [each] : [words(', '), each]));
  return row.length === 0 ? head : [...row, words('\n'), ...head];
};

const mentionOf = ({ platform, id, name }: Person): Segment =>
  platform === 'telegram' && /^\d+$/.test(id)
    ? { before: `<a href="tg://user?id=${id}">`, text: cleanText(name), after: '</a>' }
    : words(name);

const factValue = ({ value, code, person }: Fact): Segment[] => {
  if (person === undefined) return code ? [words(value, 'code')] : withIds(value);
  const { platform, id } = person;
  // Names are not unique: the mention leads to the account, and the id tells two people of one name apart.
  return [mentionOf(person), words(` (${platform === 'telegram' ? id : `${platform}:${id}`})`)];
};

const segmentsOf = (part: CardPart): Segment[] => {
  switch (part.kind) {
    case 'text':
      return withIds(part.text);
    case 'line':
      return lineOf(part.item, '');
    case 'facts':
      return part.facts.flatMap((fact, at) => [
        words(`${at === 0 ? '' : '\n'}${fact.label}: `, 'b'),
        ...factValue(fact),
      ]);
    case 'warning':
      return [words(`${SIGNS.warning} `), ...withIds(part.text, 'b')];
    case 'note':
      return withIds(part.text, 'i');
    case 'example':
      // A tap on it copies it.
      return [words(part.text, 'code')];
    case 'quote':
      return [words(part.text, 'blockquote')];
    case 'list':
      return part.items.flatMap((item, at) =>
        lineOf(item, `${at === 0 ? '' : '\n'}${lineSign(part, at, '•')} `),
      );
    default:
      return assertNever(part);
  }
};

const lineOf = (item: ListItem, front: string): Segment[] => {
  if (typeof item === 'string') return withIds(`${front}${item}`);
  return 'loud' in item
    ? [words(front), ...withIds(item.text, 'b')]
    : [words(`${front}${item.text} `), words(item.code, 'code')];
};

/** As much of it as one message holds; empty stretches go, Telegram has nothing to mark in them. */
const fitted = (segments: readonly Segment[]): Segment[] => {
  const filled = segments.filter(({ text }) => text !== '');
  const length = filled.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= LIMITS.textLength) return filled;
  const kept: Segment[] = [];
  let room = LIMITS.textLength - CUT_NOTE.length;
  for (const segment of filled) {
    kept.push({ ...segment, text: cutAt(segment.text, room) });
    room -= segment.text.length;
    if (room < 0) break;
  }
  return [...kept.filter(({ text }) => text !== ''), words(CUT_NOTE)];
};

/** At a space when one is near, and never through a character of two units. */
const cutAt = (text: string, length: number): string => {
  if (text.length <= length) return text;
  const start = text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
  const space = start.search(/\s\S*$/);
  return space > start.length - LONGEST_WORD && space > 0 ? start.slice(0, space) : start;
};

/** Telegram refuses a whole message for one link button it does not like, such as `http://localhost`. */
const isTextLink = (button: Button): button is Extract<Button, { kind: 'link' }> => {
  if (button.kind === 'press') return false;
  const parts = URL.parse(button.url);
  return parts === null || !/^https?:$/.test(parts.protocol) || !/[.:]/.test(parts.hostname);
};

/** Buttons in rows, as many side by side as their labels allow; numbers share rows with numbers alone. */
const keyboardOf = (buttons: readonly Button[]): InlineKeyboardButton[][] => {
  const rows: InlineKeyboardButton[][] = [];
  let room = 0;
  let wasNumber = false;
  for (const button of buttons.slice(0, LIMITS.buttons)) {
    const row = rows.at(-1);
    const isNumber = /^\d{1,2}$/.test(button.label);
    const most = isNumber ? LIMITS.numbersInRow : LIMITS.buttonsInRow;
    room -= button.label.length;
    if (row === undefined || room < 0 || row.length === most || isNumber !== wasNumber) {
      rows.push([inlineButton(button)]);
      room = LIMITS.rowLabelLength - button.label.length;
    } else row.push(inlineButton(button));
    wasNumber = isNumber;
  }
  return rows;
};

const inlineButton = (button: Button): InlineKeyboardButton => {
  const text = cleanText(button.label);
  if (button.kind === 'link') return { text, url: button.url };
  const { style } = button;
  const data = buttonValue(button);
  // Ours by construction, so anything longer is a mistake in the program and must not go out cut off.
  if (Buffer.byteLength(data) > LIMITS.callbackDataBytes)
    throw new RangeError(`button data over ${LIMITS.callbackDataBytes} bytes: verb ${button.verb}`);
  return { text, callback_data: data, ...(style === undefined ? {} : { style }) };
};
