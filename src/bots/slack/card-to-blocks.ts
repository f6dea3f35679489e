import type { types } from '@slack/bolt';
import {
  type Button,
  type Called,
  type Card,
  type CardPart,
  type Fact,
  itemText,
  type ListItem,
} from '../../commands/cards/card.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import type { Person } from '../../core/values/conversation.ts';
import { buttonValue } from '../button-value.ts';
import { cut, sanitise } from '../sanitise.ts';
import { spelledCard } from './command-names.ts';
import { limits } from './limits.ts';
import {
  calledBy,
  isUserId,
  mentionElements,
  mentionTokens,
  textWithPlace,
} from './live-references.ts';
import { escapeMarkup } from './markup.ts';

type Block = types.KnownBlock;
type Inline = types.RichTextElement;

/** A card as Slack wants it: blocks, and the words alone for notifications and screen readers. */
export type SlackMessage = { readonly text: string; readonly blocks: Block[] };

/**
 * The one renderer. Texts go into `plain_text` and rich text, in which Slack reads no markup, so `<!channel>`, a
 * link or an asterisk in a name stays text; only the fallback text needs escaping.
 */
export const cardToMessage = (made: Card): SlackMessage => {
  const card = spelledCard(made);
  return { text: cardToText(card), blocks: cardToBlocks(card) };
};

const cardToBlocks = (card: Card): Block[] => {
  const buttons = buttonRows(card.buttons ?? []);
  const words = [headerBlock(card), ...mentionBlocks(calledBy(card)), ...partBlocks(card.parts)];
  // Buttons matter more than the last words.
  return [...words.slice(0, limits.blocksPerMessage - buttons.length), ...buttons];
};

const SIGNS = { good: '✅', bad: '❌', waiting: '⏳', warning: '⚠️' } as const;

const titleOf = ({ title, tone }: Card): string => {
  const words = sanitise(title).replaceAll('\n', ' ').trim();
  return `${tone === undefined ? '' : `${SIGNS[tone]} `}${words === '' ? 'Paythread' : words}`;
};

const headerBlock = (card: Card): Block => ({
  type: 'header',
  text: { type: 'plain_text', text: cut(titleOf(card), limits.header), emoji: false },
});

const mentionBlocks = (called: readonly Called[]): Block[] => {
  const elements = mentionElements(called);
  return elements.length === 0 ? [] : [richText(section(elements))];
};

/** Parts in order, until the message's room for words is used up. */
const partBlocks = (parts: readonly CardPart[]): Block[] => {
  const blocks: Block[] = [];
  let room: number = limits.messageText;
  for (const part of parts) {
    const block = partBlock(part);
    if (block === undefined) continue;
    room -= Math.min(partText(part).length, limits.partText);
    if (room < 0) {
      blocks.push(noteBlock('The rest did not fit into one message.'));
      break;
    }
    blocks.push(block);
  }
  return blocks;
};

const partBlock = (part: CardPart): Block | undefined => {
  switch (part.kind) {
    case 'text': {
      const visible = shown(part.text);
      return visible === undefined
        ? undefined
        : richText(section(textWithPlace(visible, part.place)));
    }
    case 'warning':
      return wordsBlock(part.text, ([text]) => section(text === undefined ? [] : [bold(text)]));
    case 'note':
      return shown(part.text) === undefined ? undefined : noteBlock(part.text);
    case 'example':
      return wordsBlock(part.text, (elements) => ({ type: 'rich_text_preformatted', elements }));
    case 'quote':
      return wordsBlock(part.text, (elements) => ({ type: 'rich_text_quote', elements }));
    case 'facts':
      return factsBlock(part.facts);
    case 'list':
      return listBlock(part.items, part.numbered === true ? 'ordered' : 'bullet');
    default:
      return assertNever(part);
  }
};

const CODE = { style: { code: true } } as const;

const factsBlock = (facts: readonly Fact[]): Block | undefined => {
  const longest = Math.floor(limits.partText / Math.max(facts.length, 1)) - 4;
  const elements = facts.flatMap(({ label, value, person, code }, index): Inline[] => [
    {
      type: 'text',
      text: `${index === 0 ? '' : '\n'}${oneLine(label, 80)}: `,
      style: { bold: true },
    },
    {
      type: 'text',
      text: oneLine(value, Math.max(longest - 80, 20)),
      ...(code === true ? CODE : {}),
    },
    ...idOf(person),
  ]);
  return elements.length === 0 ? undefined : richText(section(elements));
};

/** Beside a name, because names are not unique: Slack's own mention, or the id on another platform. */
const idOf = (person: Person | undefined): Inline[] => {
  if (person === undefined) return [];
  return isUserId(person.id) && person.platform === 'slack'
    ? [
        { type: 'text', text: ' ' },
        { type: 'user', user_id: person.id },
      ]
    : words(` (${oneLine(`${person.platform}:${person.id}`, 80)})`);
};

const listBlock = (items: readonly ListItem[], style: 'bullet' | 'ordered'): Block | undefined => {
  const longest = Math.max(Math.floor(limits.partText / Math.max(items.length, 1)), 40);
  const elements = items.map((item) => section(lineOf(item, longest)));
  if (elements.length === 0) return undefined;
  return richText({ type: 'rich_text_list', style, elements });
};

/** The code to copy comes last and is kept whole; the words before it are cut. */
const lineOf = (item: ListItem, longest: number): Inline[] => {
  if (typeof item === 'string') return words(oneLine(item, longest));
  const code = oneLine(item.code, longest);
  const text = oneLine(item.text, Math.max(longest - code.length - 1, 20));
  return [...words(`${text} `), { type: 'text', text: code, ...CODE }];
};

/** Rich text refuses empty words, so an empty value is shown as a dash. */
const oneLine = (text: string, longest: number): string => {
  const line = sanitise(text).replaceAll('\n', ' ').trim();
  return line === '' ? '–' : cut(line, longest);
};

const noteBlock = (text: string): Block => ({
  type: 'context',
  elements: [{ type: 'plain_text', text: cut(sanitise(text).trim(), 2_000), emoji: false }],
});

const wordsBlock = (
  text: string,
  wrap: (elements: types.RichTextText[]) => types.RichTextBlockElement,
): Block | undefined => {
  const visible = shown(text);
  return visible === undefined ? undefined : richText(wrap(words(visible)));
};

/** The words as they are shown, or undefined when nothing of them would be. */
const shown = (text: string): string | undefined => {
  const visible = sanitise(text).trim();
  return visible === '' ? undefined : cut(visible, limits.partText);
};

const words = (text: string): types.RichTextText[] => [{ type: 'text', text }];

const bold = (text: types.RichTextText): types.RichTextText => ({ ...text, style: { bold: true } });

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
  return rows.slice(0, limits.blocksPerMessage - 1);
};

/** Slack refuses a whole message for one invalid address. */
const isPressable = (button: Button): boolean =>
  button.kind === 'press' ||
  (/^https?:\/\/[^\s]+$/.test(button.url) && button.url.length <= limits.buttonUrl);

const buttonElement = (button: Button, index: number): types.Button => {
  const label = cut(oneLine(button.label, limits.buttonLabel), limits.buttonLabel);
  const text = { type: 'plain_text' as const, text: label, emoji: false };
  if (button.kind === 'link')
    return { type: 'button', text, url: button.url, action_id: `link.${index}` };
  return {
    type: 'button',
    text,
    // The index, because one block must not hold the same action id twice.
    action_id: `${button.verb}.${index}`,
    value: buttonValue(button),
    ...(button.style === undefined ? {} : { style: button.style }),
  };
};

/** The words alone. Slack reads this text as markup, so it is escaped; the mention is the only live token. */
const cardToText = (card: Card): string => {
  const links = (card.buttons ?? [])
    .filter((button) => button.kind === 'link')
    .map(({ label, url }) => `${label}: ${url}`);
  const lines = [titleOf(card), ...card.parts.map(partText), ...links];
  const text = lines.map((line) => sanitise(line).trim()).filter((line) => line !== '');
  const mention = mentionTokens(calledBy(card));
  return `${mention}${escapeWithin(text.join('\n'), limits.fallbackText - mention.length)}`;
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
  switch (part.kind) {
    case 'facts':
      return part.facts.map(({ label, value }) => `${label}: ${value}`).join('\n');
    case 'list':
      return part.items
        .map((item, at) => `${part.numbered === true ? `${at + 1}.` : '•'} ${itemText(item)}`)
        .join('\n');
    case 'text':
    case 'warning':
    case 'note':
    case 'example':
    case 'quote':
      return part.text;
    default:
      return assertNever(part);
  }
};
