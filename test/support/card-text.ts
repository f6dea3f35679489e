import { type Card, type CardPart, itemText } from '../../src/commands/cards/card.ts';

/** Everything that a card says, as one text. */
export const cardText = ({ title, parts }: Card): string =>
  [title, ...parts.map(partText)].join(' | ');

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

/** The value of a fact, by its label. */
export const factOf = (card: Card, label: string): string | undefined =>
  card.parts
    .flatMap((part) => (part.kind === 'facts' ? part.facts : []))
    .find((fact) => fact.label === label)?.value;
