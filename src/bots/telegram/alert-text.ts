import { type Card, itemText } from '../../commands/cards/card.ts';
import { cleanText } from './escape.ts';
import { LIMITS } from './limits.ts';

const SENTENCE_END = /[.!?](?=\s|$)/g;

/** The words of a card for an alert, which has no markup and no buttons; what is too long ends after a whole sentence. */
export const alertText = ({ title, parts }: Card): string => {
  const said = parts.flatMap((part) => {
    if (part.kind === 'facts') return part.facts.map(({ label, value }) => `${label}: ${value}`);
    return part.kind === 'list' ? part.items.map(itemText) : [part.text];
  });
  return shortened(cleanText([title, ...said].join('\n')).trim());
};

const shortened = (text: string): string => {
  if (text.length <= LIMITS.alertLength) return text;
  const cut = text.slice(0, LIMITS.alertLength - 1);
  const end = [...cut.matchAll(SENTENCE_END)].at(-1);
  if (end !== undefined) return cut.slice(0, end.index + 1);
  return `${cut.replace(/[\uD800-\uDBFF]$/, '')}…`;
};
