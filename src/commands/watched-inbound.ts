import type { Command } from './command.ts';
import type { Inbound, InboundHandler } from './inbound.ts';

/** An event for a command, without anything that a person typed. */
export type CommandEvent = {
  /** A command's name; `form` for an answer to a question, `unknown` for what is no command. */
  readonly command: string;
  readonly by: 'typed' | 'pressed' | 'submitted' | 'answered';
  readonly platform: string;
};

/** Called around each event; must call `work` once. `work` resolves with false when no form waited for the event. */
export type AroundCommand = (event: CommandEvent, work: () => Promise<boolean>) => Promise<boolean>;

/** The same handler, with something done around each event. */
export const watchedInbound = (
  handler: InboundHandler,
  commands: readonly Command[],
  around: AroundCommand,
): InboundHandler => {
  const named = new Set(commands.map(({ name }) => name));
  const byVerb = new Map(
    commands.flatMap(({ name, presses = {} }) => Object.keys(presses).map((verb) => [verb, name])),
  );
  const watch = async (
    { caller: { platform } }: Inbound,
    event: Omit<CommandEvent, 'platform'>,
    work: () => Promise<void>,
  ): Promise<void> => {
    await around({ ...event, platform }, async () => {
      await work();
      return true;
    });
  };
  const nameOf = (name: string): string => (named.has(name) ? name : 'unknown');
  return {
    command: (inbound, name, words) =>
      watch(inbound, { command: nameOf(name), by: 'typed' }, () =>
        handler.command(inbound, name, words),
      ),
    press: (inbound, verb, id) =>
      watch(inbound, { command: byVerb.get(verb) ?? 'form', by: 'pressed' }, () =>
        handler.press(inbound, verb, id),
      ),
    submit: (inbound, name, answers) =>
      watch(inbound, { command: nameOf(name), by: 'submitted' }, () =>
        handler.submit(inbound, name, answers),
      ),
    text: (inbound, text) =>
      around({ command: 'form', by: 'answered', platform: inbound.caller.platform }, () =>
        handler.text(inbound, text),
      ),
    formOf: (command) => handler.formOf(command),
  };
};
