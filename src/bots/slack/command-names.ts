import { COMMAND_NAMES } from '../../commands/all-commands.ts';
import type { Card, CardPart, Fact, ListItem } from '../../commands/cards/card.ts';

/** Commands whose names Slack keeps for itself, and what people type instead. */
const RENAMED: Readonly<Record<string, string>> = { status: 'paystatus', help: 'payhelp' };

/**
 * How commands are typed in Slack, where all apps of a workspace share one list of names: of two apps with a
 * `/charge` the one that was installed last has it. With a prefix, such as `pay-`, every name has it.
 */
export class CommandNames {
  /** As typed, by the command's own name. */
  readonly #typed: Readonly<Record<string, string>>;
  readonly #own: ReadonlyMap<string, string>;
  /** Not inside a path or an address, and not part of a longer word. */
  readonly #named: RegExp;

  constructor(prefix = '') {
    const names = COMMAND_NAMES.map((name) => [name, `${prefix}${name}`] as const);
    this.#typed = prefix === '' ? RENAMED : Object.fromEntries(names);
    const typed = [...Object.entries(RENAMED), ...Object.entries(this.#typed)];
    this.#own = new Map(typed.map(([name, as]) => [as, name]));
    const changed = Object.keys(this.#typed).join('|');
    this.#named = new RegExp(`(?<![\\p{L}\\p{N}_./:-])/(${changed})(?![\\p{L}\\p{N}_/-])`, 'gu');
  }

  /** A command's own name for what was typed, with or without a slash: `/paystatus` is `status`. Other words stay as they are. */
  nameOf(typed: string): string {
    const word = typed.replace(/^\//, '');
    const name = word.toLowerCase();
    return this.#own.get(name) ?? (COMMAND_NAMES.includes(name) ? name : word);
  }

  /** Whether words begin with a command, so that they are no answer to a question. */
  isCommand(typed: string): boolean {
    return typed.startsWith('/') || COMMAND_NAMES.includes(this.nameOf(typed));
  }

  /** What follows a command: behind `help` it is the name of another one, which may be written in Slack's way. */
  wordsOf(command: string, typed: string): string {
    return command === 'help' ? this.nameOf(typed.trim()) : typed;
  }

  /** A sentence with each command as it is typed in Slack. Applied twice it changes nothing more. */
  text(text: string): string {
    return text.replace(this.#named, (_, name: string) => `/${this.#typed[name] ?? name}`);
  }

  /**
   * The same card with each command as it is typed in Slack, where `/status` sets a person's status and
   * would show a transaction id to everyone. Quotes and the values of facts came from outside and stay as they are.
   */
  card(card: Card): Card {
    const { buttons } = card;
    return {
      ...card,
      title: this.text(card.title),
      parts: card.parts.map((part) => this.#part(part)),
      ...(buttons && {
        buttons: buttons.map((button) => ({ ...button, label: this.text(button.label) })),
      }),
    };
  }

  #part(part: CardPart): CardPart {
    switch (part.kind) {
      case 'quote':
      case 'line':
        return part;
      case 'facts':
        return { ...part, facts: part.facts.map((fact) => this.#fact(fact)) };
      case 'list':
        return { ...part, items: part.items.map((item) => this.#item(item)) };
      default:
        return { ...part, text: this.text(part.text) };
    }
  }

  #item(item: ListItem): ListItem {
    return typeof item === 'string' ? this.text(item) : { ...item, text: this.text(item.text) };
  }

  #fact(fact: Fact): Fact {
    return fact.namesCommands === true ? { ...fact, value: this.text(fact.value) } : fact;
  }
}

/** Those of an app that keeps the names of manifest.yml. */
export const PLAIN_NAMES = new CommandNames();
