import {
  type Button,
  type Card,
  type CardPart,
  itemText,
  lineSign,
  signedTitle,
} from '../../commands/cards/card.ts';
import { assertNever } from '../../core/runtime/errors.ts';

export type PressButton = Extract<Button, { kind: 'press' }>;

/** A card as lines for a terminal. Buttons that are answers are numbered from 1. */
export const cardToText = (card: Card): string => {
  const called = [...(card.mention === undefined ? [] : [card.mention]), ...(card.calls ?? [])];
  const mention = called.flatMap((each) => ('id' in each ? [`@${plain(each.name)}`] : []));
  const asides = asidesOf(card).map(({ label }) => inList(plain(label)));
  return [
    [...mention, plain(signedTitle(card))].join(' '),
    ...card.parts.flatMap(partLines),
    ...answerLines(answersOf(card)),
    ...(asides.length === 0 ? [] : [`  (${asides.join(', ')})`]),
    ...(card.buttons ?? []).flatMap((button) =>
      button.kind === 'link' ? [`  ${plain(button.label)}: ${plain(button.url)}`] : [],
    ),
  ].join('\n');
};

/** Each with its number in front; those that are called by their number share a line. */
const answerLines = (answers: readonly PressButton[]): string[] => {
  const isCalledByIt = ({ label }: PressButton, at: number): boolean => label === String(at + 1);
  const called = answers.filter(isCalledByIt).map(({ label }) => `[${label}]`);
  return [
    ...(called.length === 0 ? [] : [`  ${called.join(' ')}`]),
    ...answers.flatMap((answer, at) =>
      isCalledByIt(answer, at) ? [] : [`  [${at + 1}] ${plain(answer.label)}`],
    ),
  ];
};

/** `check now`, and `GHS 10.00` as every chat writes it. */
const inList = (label: string): string =>
  label.replace(/^[A-Z](?=[a-z])/, (first) => first.toLowerCase());

/** The buttons that answer a card, in the order of their numbers. */
export const answersOf = (card: Card): PressButton[] =>
  pressButtons(card).filter(({ aside }) => aside !== true);

export const asidesOf = (card: Card): PressButton[] =>
  pressButtons(card).filter(({ aside }) => aside === true);

const pressButtons = ({ buttons = [] }: Card): PressButton[] =>
  buttons.filter((button) => button.kind === 'press');

const partLines = (part: CardPart): string[] => {
  switch (part.kind) {
    case 'text':
    case 'note':
    case 'example':
      return [`  ${plain(part.text)}`];
    case 'line':
      return [`  ${plain(itemText(part.item))}`];
    case 'warning':
      return [`  ! ${plain(part.text)}`];
    case 'quote':
      return part.text.split(/\r?\n/).map((line) => `  | ${plain(line)}`);
    case 'list':
      return part.items.map((item, at) => `  ${lineSign(part, at, '-')} ${plain(itemText(item))}`);
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
export const plainLines = (text: string): string => text.split('\n').map(plain).join('\n');

const plain = (text: string): string => text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, ' ');
