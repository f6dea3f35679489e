import { RIGHTS } from '../../commands/all-commands.ts';
import type { Card, CardPart, Fact, ListItem } from '../../commands/cards/card.ts';

/** Commands whose names Slack keeps for itself, and what people type instead. */
export const SPELLED: Readonly<Record<string, string>> = { status: 'paystatus', help: 'payhelp' };

/** Other names under which a command may be typed; some workspaces keep `/help` for Slack. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries(SPELLED).map(([name, spelled]) => [spelled, name]),
);

/** A command's own name for what was typed, with or without a slash: `/paystatus` is `status`. */
export const commandNameOf = (typed: string): string => {
  const word = typed.replace(/^\//, '').toLowerCase();
  return ALIASES.get(word) ?? word;
};

/** Whether words begin with a command, so that they are no answer to a question. */
export const isCommandWord = (typed: string): boolean =>
  typed.startsWith('/') || RIGHTS.has(commandNameOf(typed));

/** What follows a command: behind `help` it is the name of another one, which may be written in Slack's way. */
export const wordsOf = (command: string, typed: string): string =>
  command === 'help' ? commandNameOf(typed.trim()) : typed;

/** Not inside a path or an address, and not part of a longer word. */
const NAMED = new RegExp(
  `(?<![\\p{L}\\p{N}_./:-])/(${Object.keys(SPELLED).join('|')})(?![\\p{L}\\p{N}_/-])`,
  'gu',
);

/** A sentence with each command as it is typed in Slack. Applied twice it changes nothing more. */
export const spelledText = (text: string): string =>
  text.replace(NAMED, (typed, name: string) => `/${SPELLED[name] ?? typed.slice(1)}`);

/**
 * The same card with each command as it is typed in Slack, where `/status` sets a person's status and
 * would show a transaction id to everyone. Quotes and the values of facts came from outside and stay as they are.
 */
export const spelledCard = (card: Card): Card => ({
  ...card,
  title: spelledText(card.title),
  parts: card.parts.map(spelledPart),
});

const spelledPart = (part: CardPart): CardPart => {
  switch (part.kind) {
    case 'quote':
      return part;
    case 'facts':
      return { ...part, facts: part.facts.map(spelledFact) };
    case 'list':
      return { ...part, items: part.items.map(spelledItem) };
    case 'line':
      return part;
    default:
      return { ...part, text: spelledText(part.text) };
  }
};

const spelledItem = (item: ListItem): ListItem =>
  typeof item === 'string' ? spelledText(item) : { ...item, text: spelledText(item.text) };

const spelledFact = (fact: Fact): Fact =>
  fact.namesCommands === true ? { ...fact, value: spelledText(fact.value) } : fact;
