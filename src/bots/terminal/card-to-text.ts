import { type Button, type Card, type CardPart, itemText } from '../../commands/cards/card.ts';
import { assertNever } from '../../core/runtime/errors.ts';

/** A card as lines for a terminal. Buttons that are answers are numbered from 1. */
export const cardToText = (card: Card): string => {
  const called = [...(card.mention === undefined ? [] : [card.mention]), ...(card.calls ?? [])];
  const mention = called.flatMap((each) => ('id' in each ? [`@${plain(each.name)}`] : []));
  const lines = [[...mention, plain(card.title)].join(' '), ...card.parts.flatMap(partLines)];
  const asides = (card.buttons ?? []).filter(isAside).map(({ label }) => label.toLowerCase());
  return [
    ...lines,
    ...answersOf(card).map(({ label }, index) => `  [${index + 1}] ${plain(label)}`),
    ...(asides.length === 0 ? [] : [`  (${asides.join(', ')})`]),
    ...(card.buttons ?? []).flatMap((button) =>
      button.kind === 'link' ? [`  ${plain(button.label)}: ${plain(button.url)}`] : [],
    ),
  ].join('\n');
};

export type PressButton = Extract<Button, { kind: 'press' }>;

/** The buttons that answer a card, in the order of their numbers. */
export const answersOf = (card: Card): PressButton[] =>
  (card.buttons ?? [])
    .filter((button) => button.kind === 'press')
    .filter((button) => !isAside(button));

export const isAside = (button: Button): boolean =>
  button.kind === 'press' && button.aside === true;

const partLines = (part: CardPart): string[] => {
  switch (part.kind) {
    case 'text':
    case 'note':
      return [`  ${plain(part.text)}`];
    case 'warning':
      return [`  ! ${plain(part.text)}`];
    case 'example':
      return [`  ${plain(part.text)}`];
    case 'quote':
      return part.text.split(/\r?\n/).map((line) => `  | ${plain(line)}`);
    case 'list':
      return part.items.map(
        (item, at) => `  ${part.numbered === true ? `${at + 1}.` : '-'} ${plain(itemText(item))}`,
      );
    case 'facts': {
      const width = Math.max(...part.facts.map(({ label }) => label.length));
      return part.facts.map(
        ({ label, value }) => `  ${`${plain(label)}:`.padEnd(width + 2)}${plain(value)}`,
      );
    }
    default:
      return assertNever(part);
  }
};

/** The one place where text from outside meets the terminal: control and direction characters could rewrite the screen. */
const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
