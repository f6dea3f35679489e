import type { Inbound, InboundHandler } from './inbound.ts';

/** An event for a command, without anything that a person typed. */
type CommandEvent = {
  /** A command's name; `form` for an answer to a question, `unknown` for what is no command. */
  readonly command: string;
  readonly by: 'typed' | 'pressed' | 'submitted' | 'answered';
  readonly platform: string;
};

/** Called around each event; must call `work` once. `work` resolves with false when no form waited for the event. */
export type AroundCommand = (event: CommandEvent, work: () => Promise<boolean>) => Promise<boolean>;

/** The command behind a word, a button or a shortcut; undefined: there is none. */
type Names = Readonly<
  Record<'ofCommand' | 'ofPress' | 'ofShortcut', (word: string) => string | undefined>
>;

/** The same handler, with `around` called around each event. */
export const watchedHandler = (
  handler: InboundHandler,
  names: Names,
  around: AroundCommand,
): InboundHandler => {
  const watch = async (
    { caller }: Inbound,
    event: Omit<CommandEvent, 'platform'>,
    work: () => Promise<void>,
  ): Promise<void> => {
    await around({ ...event, platform: caller.platform }, async () => {
      await work();
      return true;
    });
  };
  const known = (name: string): string => names.ofCommand(name) ?? 'unknown';
  return {
    command: (inbound, name, words) =>
      watch(inbound, { command: known(name), by: 'typed' }, () =>
        handler.command(inbound, name, words),
      ),
    press: (inbound, verb, id) =>
      watch(inbound, { command: names.ofPress(verb) ?? 'form', by: 'pressed' }, () =>
        handler.press(inbound, verb, id),
      ),
    messageShortcut: (inbound, name, text) =>
      watch(inbound, { command: names.ofShortcut(name) ?? 'unknown', by: 'pressed' }, () =>
        handler.messageShortcut(inbound, name, text),
      ),
    submit: (inbound, name, answers) =>
      watch(inbound, { command: known(name), by: 'submitted' }, () =>
        handler.submit(inbound, name, answers),
      ),
    file: (inbound, file, words) =>
      watch(inbound, { command: 'file', by: 'typed' }, () => handler.file(inbound, file, words)),
    text: (inbound, text) =>
      around({ command: 'form', by: 'answered', platform: inbound.caller.platform }, () =>
        handler.text(inbound, text),
      ),
    contact: (inbound, numbers) =>
      watch(inbound, { command: 'form', by: 'answered' }, () => handler.contact(inbound, numbers)),
    formOf: (command) => handler.formOf(command),
    greeting: () => handler.greeting(),
  };
};
