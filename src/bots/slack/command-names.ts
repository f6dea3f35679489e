import { COMMAND_NAMES } from '../../commands/command-rights.ts';
import { SPELLED } from './command-spelling.ts';

/** Other names under which a command may be typed; some workspaces keep `/help` for Slack. */
const ALIASES: ReadonlyMap<string, string> = new Map(
  Object.entries(SPELLED).map(([name, spelled]) => [spelled, name]),
);

/** The first words by which a direct message is known to be a command. */
const COMMANDS: ReadonlySet<string> = new Set(COMMAND_NAMES);

/** A command's own name for what was typed, with or without a slash: `/paystatus` is `status`. */
export const commandNameOf = (typed: string): string => {
  const word = typed.replace(/^\//, '').toLowerCase();
  return ALIASES.get(word) ?? word;
};

/** Whether words begin with a command, so that they are no answer to a question. */
export const isCommandWord = (typed: string): boolean =>
  typed.startsWith('/') || COMMANDS.has(commandNameOf(typed));

/** What follows a command: behind `help` it is the name of another one, which may be written in Slack's way. */
export const wordsOf = (command: string, typed: string): string =>
  command === 'help' ? commandNameOf(typed.trim()) : typed;
