import { type Card, type CardPart, itemText } from '../../src/commands/cards/card.ts';

const shown = (card: Card | undefined): Card => {
  if (card === undefined) throw new Error('no card was shown');
  return card;
};

/** Everything that a card says, as one text. Throws without a card. */
export const cardText = (card: Card | undefined): string => {
  const { title, parts } = shown(card);
  return [title, ...parts.map(partText)].join(' | ');
};

/** What the first of these cards says. Throws without a card. */
export const textOf = ([first]: readonly Card[]): string => cardText(first);

const partText = (part: CardPart): string => {
  switch (part.kind) {
    case 'facts':
      return part.facts.map(({ label, value }) => `${label}: ${value}`).join(', ');
    case 'line':
      return itemText(part.item);
    case 'list':
      return part.items.map(itemText).join(', ');
    default:
      return part.text;
  }
};

/** The value of a fact, by its label; undefined if the card has no such fact. Throws without a card. */
export const factOf = (card: Card | undefined, label: string): string | undefined =>
  shown(card)
    .parts.flatMap((part) => (part.kind === 'facts' ? part.facts : []))
    .find((fact) => fact.label === label)?.value;

/** The payments of a card's list, in the order of its lines: each has a button with its number. */
export const listedIds = (card: Card | undefined): string[] =>
  (shown(card).buttons ?? []).flatMap((button) =>
    button.kind === 'press' && /^\d+$/.test(button.label) ? [button.id] : [],
  );
