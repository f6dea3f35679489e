import type { types } from '@slack/bolt';
import type {
  Button,
  Called,
  Card,
  CardPart,
  Fact,
  ListItem,
  NamedPlace,
} from '../../commands/cards/card.ts';
import { itemText, lineSign, signedTitle } from '../../commands/cards/card.ts';
import { defined } from '../../core/runtime/defined.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import type { Person } from '../../core/values/conversation.ts';
import { buttonValue } from '../button-value.ts';
import { cut, sanitise } from '../sanitise.ts';
import { PLAIN_NAMES } from './command-names.ts';
import { limits } from './limits.ts';
import { escapeMarkup } from './markup.ts';

type Block = types.KnownBlock;
type Inline = types.RichTextElement;

/** A card as Slack wants it: blocks, and the words alone for notifications and screen readers. */
export type SlackMessage = { readonly text: string; readonly blocks: Block[] };

/**
 * The one renderer. Texts go into `plain_text` and rich text, in which Slack reads no markup, so `<!channel>`, a
 * link or an asterisk in a name stays text; only the fallback text needs escaping.
 */
export const cardToMessage = (made: Card, names = PLAIN_NAMES): SlackMessage => {
  const card = names.card(made);
  return { text: cardToText(card), blocks: cardToBlocks(card) };
};

const cardToBlocks = (card: Card): Block[] => {
  const buttons = buttonRows(card.buttons ?? []);
  const first = [headBlock(card), ...mentionBlocks(card.calls?.flatMap(mentionOf) ?? [])];
  const words = [...first, ...partBlocks(card.parts, lengthOf([...first, ...buttons]))];
  // Buttons matter more than the last words.
  return [...words.slice(0, limits.blocksPerMessage - buttons.length), ...buttons];
};

/** A heading holds no mention, and is larger than what one line of a phone takes. */
const headBlock = (card: Card): Block => {
  const title = titleOf(card);
  if (card.compact !== true && card.mention === undefined)
    return { type: 'header', text: plainText(title, limits.header) };
  const called = card.mention === undefined ? [] : mentionOf(card.mention);
  const front = called.flatMap(({ element }) => [element, ...words(' ')]);
  return richText(section([...front, ...inBold(cut(title, limits.header))]));
};

const titleOf = (card: Card): string =>
  signedTitle({ ...card, title: onOneLine(card.title) || 'Paythread' });

const onOneLine = (text: string): string => sanitise(text).replaceAll('\n', ' ').trim();

/** A live reference: in rich text, and in the text beside the blocks, which Slack reads as markup. */
type Mention = { readonly element: Inline; readonly token: string };

export const isChannel = (id: string): boolean => /^[CG][A-Z0-9]+$/.test(id);

/** A person in the place of a channel means the bot's direct channel with them. */
export const isPerson = (channel: string): boolean => /^[UW]/.test(channel);

/** Only a valid Slack id becomes a mention: anything else would show as raw markup. */
const isUserId = (id: string): boolean => /^[UW][A-Z0-9]+$/.test(id);

const LONGEST_NAME = 80;

/** The mention; a person without a Slack id is named instead, any other group left out. */
const mentionOf = (called: Called): Mention[] => {
  if ('group' in called) {
    const { group } = called;
    if (!/^S[A-Z0-9]+$/.test(group)) return [];
    return [{ element: { type: 'usergroup', usergroup_id: group }, token: `<!subteam^${group}>` }];
  }
  const { id } = called;
  if (isUserId(id)) return [{ element: { type: 'user', user_id: id }, token: `<@${id}>` }];
  const text = `@${oneLine(called.name, LONGEST_NAME)}`;
  return [{ element: { type: 'text', text }, token: escapeMarkup(text) }];
};

const mentionBlocks = (mentions: readonly Mention[]): Block[] => {
  const elements = mentions.flatMap(({ element }, at) =>
    at === 0 ? [element] : [...words(' '), element],
  );
  return elements.length === 0 ? [] : [richText(section(elements))];
};

/** Parts in order, until the message's room for words is used up. */
const partBlocks = (parts: readonly CardPart[], taken: number): Block[] => {
  const blocks: Block[] = [];
  let room = limits.messageText - taken - CUT_OFF_LENGTH;
  for (const part of parts) {
    const block = partBlock(part);
    if (block === undefined) continue;
    room -= lengthOf([block]);
    if (room < 0) return [...blocks, CUT_OFF];
    blocks.push(block);
  }
  return blocks;
};

const lengthOf = (shown: unknown): number => {
  if (typeof shown !== 'object' || shown === null) return 0;
  let length = 0;
  for (const [key, value] of Object.entries(shown))
    length += key === 'text' && typeof value === 'string' ? value.length : lengthOf(value);
  return length;
};

/** Undefined when nothing of the part would be seen. */
const partBlock = (part: CardPart): Block | undefined => {
  if (part.kind === 'facts') return factsBlock(part.facts);
  if (part.kind === 'list') return listBlock(part.items, part.numbered);
  if (part.kind === 'line') return richText(section(lineOf(part.item, limits.partText)));
  const visible = cut(sanitise(part.text).trim(), limits.partText);
  if (visible === '') return undefined;
  switch (part.kind) {
    case 'text':
      return textBlock(visible, part.place);
    case 'warning':
      return richText(section(inBold(visible)));
    case 'note':
      return noteBlock(visible);
    case 'example':
      return richText({ type: 'rich_text_preformatted', elements: words(visible) });
    case 'quote':
      return richText({ type: 'rich_text_quote', elements: words(visible) });
    default:
      return assertNever(part);
  }
};

export const textBlock = (text: string, place?: NamedPlace): Block =>
  richText(section(textWithPlace(text, place)));

/** A text in which the name of a conversation is Slack's link to it. */
const textWithPlace = (text: string, place: NamedPlace | undefined): Inline[] => {
  if (place === undefined) return words(text);
  const { channel } = place.conversation;
  const at = text.indexOf(place.words);
  if (at < 0 || !isChannel(channel)) return words(text);
  return [
    ...words(text.slice(0, at)),
    { type: 'channel', channel_id: channel },
    ...words(text.slice(at + place.words.length)),
  ];
};

const factsBlock = (facts: readonly Fact[]): Block | undefined => {
  const longest = Math.floor(limits.partText / Math.max(facts.length, 1)) - 4;
  const elements = facts.flatMap(({ label, value, person, code }, index): Inline[] => {
    const front = inBold(`${index === 0 ? '' : '\n'}${oneLine(label, 80)}: `);
    if (person !== undefined) return [...front, ...nameWithId(person)];
    const text = oneLine(value, Math.max(longest - 80, 20));
    return [...front, ...(code === true ? inCode(text) : words(text))];
  });
  return elements.length === 0 ? undefined : richText(section(elements));
};

/** Names are not unique: Slack's own mention, which shows the name, or the name with the id on another platform. */
const nameWithId = ({ platform, id, name }: Person): Inline[] =>
  isUserId(id) && platform === 'slack'
    ? [{ type: 'user', user_id: id }]
    : words(`${oneLine(name, LONGEST_NAME)} (${oneLine(`${platform}:${id}`, 80)})`);

/** Slack's own numbers begin with 1 in all that its library describes: others are words. */
const listBlock = (items: readonly ListItem[], numbered = 0): Block | undefined => {
  const longest = Math.max(Math.floor(limits.partText / Math.max(items.length, 1)), 40);
  const left = items.length - limits.listItems;
  const front = (at: number) => (numbered > 1 ? words(`${numbered + at}. `) : []);
  const elements = items
    .slice(0, limits.listItems)
    .map((item, at) => section([...front(at), ...lineOf(item, longest)]));
  if (elements.length === 0) return undefined;
  if (left > 0) elements.push(section(words(`and ${left.toLocaleString('en')} more`)));
  const style = numbered === 1 ? 'ordered' : 'bullet';
  return richText({ type: 'rich_text_list', style, elements });
};

/** The code to copy comes last and is kept whole; the words before it are cut. */
const lineOf = (item: ListItem, longest: number): Inline[] => {
  if (typeof item === 'string') return words(oneLine(item, longest));
  if ('loud' in item) return inBold(oneLine(item.text, longest));
  const code = oneLine(item.code, longest);
  const text = oneLine(item.text, Math.max(longest - code.length - 1, 20));
  return [...words(`${text} `), ...inCode(code)];
};

/** Rich text refuses empty words, so an empty value is shown as a dash. */
const oneLine = (text: string, longest: number): string => cut(onOneLine(text) || '–', longest);

const noteBlock = (text: string): Block => ({
  type: 'context',
  elements: [plainText(text, limits.noteText)],
});

/** Slack refuses empty words here as well. */
export const plainText = (text: string, longest: number): types.PlainTextElement => ({
  type: 'plain_text',
  text: cut(sanitise(text).trim() || '–', longest),
  emoji: false,
});

/** In the place of parts for which a message has no room. */
const CUT_OFF = noteBlock('The rest did not fit into one message.');
const CUT_OFF_LENGTH = lengthOf(CUT_OFF);

/** None for an empty text, which Slack refuses. */
const words = (text: string): types.RichTextText[] => (text === '' ? [] : [{ type: 'text', text }]);

const inBold = (text: string): types.RichTextText[] => [
  { type: 'text', text, style: { bold: true } },
];

const inCode = (text: string): types.RichTextText[] => [
  { type: 'text', text, style: { code: true } },
];

const section = (elements: Inline[]): types.RichTextSection => ({
  type: 'rich_text_section',
  elements,
});

const richText = (element: types.RichTextBlockElement): Block => ({
  type: 'rich_text',
  elements: [element],
});

const buttonRows = (buttons: readonly Button[]): Block[] => {
  const elements = buttons.filter(isPressable).map(buttonElement);
  const rows: Block[] = [];
  for (let first = 0; first < elements.length; first += limits.buttonsPerRow)
    rows.push({ type: 'actions', elements: elements.slice(first, first + limits.buttonsPerRow) });
  return rows.slice(0, limits.buttonRows);
};

/** Slack refuses a whole message for one invalid address. */
const isPressable = (button: Button): boolean =>
  button.kind === 'press' ||
  (/^https?:\/\/[^\s]+$/.test(button.url) && button.url.length <= limits.buttonUrl);

const buttonElement = (button: Button, index: number): types.Button => {
  const text = plainText(oneLine(button.label, limits.buttonLabel), limits.buttonLabel);
  if (button.kind === 'link')
    return { type: 'button', text, url: button.url, action_id: `link.${index}` };
  // The index, because one block must not hold the same action id twice.
  const action_id = `${button.verb}.${index}`;
  const { style } = button;
  return { type: 'button', text, action_id, value: buttonValue(button), ...defined({ style }) };
};

/** The words alone. Slack reads this text as markup, so it is escaped; mentions are its only live tokens. */
const cardToText = (card: Card): string => {
  const links = (card.buttons ?? [])
    .filter((button) => button.kind === 'link')
    .map(({ label, url }) => `${label}: ${url}`);
  const lines = [titleOf(card), ...card.parts.map(partText), ...links];
  const text = lines.map((line) => sanitise(line).trim()).filter((line) => line !== '');
  const people = [...(card.mention === undefined ? [] : [card.mention]), ...(card.calls ?? [])];
  const tokens = people.flatMap(mentionOf).map(({ token }) => `${token} `);
  const called = tokens.join('');
  return `${called}${escapeWithin(text.join('\n'), limits.fallbackText - called.length)}`;
};

/** Escaping makes text longer, and cutting afterwards could halve an entity: so cut until it fits. */
const escapeWithin = (text: string, longest: number): string => {
  let room = longest;
  for (;;) {
    const escaped = escapeMarkup(cut(text, room));
    if (escaped.length <= longest) return escaped;
    room = Math.min(room - 1, Math.floor((room * longest) / escaped.length));
  }
};

const partText = (part: CardPart): string => {
  if (part.kind === 'facts')
    return part.facts.map(({ label, value }) => `${label}: ${value}`).join('\n');
  if (part.kind === 'line') return itemText(part.item);
  if (part.kind !== 'list') return part.text;
  return part.items.map((item, at) => `${lineSign(part, at, '•')} ${itemText(item)}`).join('\n');
};
