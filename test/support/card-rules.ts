import { type Card, type CardPart, itemText, signedTitle } from '../../src/commands/cards/card.ts';
import { sentencesOf } from './shown-sentences.ts';
import { PHONE_LINE_PX, widthPx } from './text-width.ts';

const STATES =
  'being sent|pending|completed|failed|unknown|refused|not sent|conflict|needs a person';
const STATE = new RegExp(`\\b(${STATES})\\b`);
/** How many payments are in a state; the digits of an amount are none. */
const COUNTS = new RegExp(`(?<![\\d.,])[\\d,]+ (${STATES})\\b`, 'g');
const SIGN = /^(✅|⏳|❌|❓|⚠️) /;

const wordsOf = (part: CardPart): string[] => {
  if (part.kind === 'facts') return part.facts.map(({ label, value }) => `${label}: ${value}`);
  if (part.kind === 'line') return [itemText(part.item)];
  return part.kind === 'list' ? part.items.map(itemText) : [part.text];
};

/** The lines of its lists that name the state of a payment without the sign in front. */
export const linesWithoutSign = ({ parts }: Card): string[] =>
  parts
    .flatMap((part) => (part.kind === 'list' ? wordsOf(part) : []))
    .filter((line) => STATE.test(line.replaceAll(COUNTS, '')) && !SIGN.test(line));

/** What it says twice: sentences, and facts with their labels. The lines of a list may be alike. */
export const saidTwice = (card: Card): string[] => {
  const said = card.parts.flatMap((part) => {
    if (part.kind === 'list') return [];
    return part.kind === 'facts' ? wordsOf(part) : wordsOf(part).flatMap(sentencesOf);
  });
  const all = [...sentencesOf(card.title), ...said];
  return all.filter((sentence, at) => all.indexOf(sentence) !== at);
};

/** Whether the first line is too long for a phone of 360 px. */
export const isTooWide = (card: Card): boolean => widthPx(signedTitle(card)) > PHONE_LINE_PX;
