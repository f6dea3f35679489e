import type { Command, FormOfButton, MessageShortcut, Press } from './command.ts';
import { wordsForm } from './forms/words-form.ts';

/** What commands offer, by the name that an event brings. */
export type CommandIndex = {
  readonly commands: ReadonlyMap<string, Command>;
  readonly presses: ReadonlyMap<string, { readonly command: Command; readonly press: Press }>;
  readonly shortcuts: ReadonlyMap<
    string,
    { readonly command: Command; readonly run: MessageShortcut }
  >;
  readonly forms: ReadonlyMap<string, { readonly command: Command; readonly form: FormOfButton }>;
};

/** @throws {Error} when two commands have a button, a shortcut or a form of the same name: one of them would never be reached. */
export const commandIndex = (commands: readonly Command[]): CommandIndex => ({
  commands: byName(commands.map((command) => [command.name, command])),
  presses: byName(
    commands.flatMap((command) =>
      Object.entries(command.presses ?? {}).map(([verb, press]) => [verb, { command, press }]),
    ),
  ),
  shortcuts: byName(
    commands.flatMap((command) =>
      Object.entries(command.messageShortcuts ?? {}).map(([name, run]) => [name, { command, run }]),
    ),
  ),
  forms: byName(
    commands.flatMap((command) =>
      formsOf(command).map((form) => [form.form.command, { command, form }]),
    ),
  ),
});

const formsOf = (command: Command): FormOfButton[] => {
  const { form, submit, forms = [] } = command;
  const own = form === undefined || submit === undefined ? [] : [{ form, submit }];
  return [...own, ...forms, wordsForm(command)];
};

const byName = <T>(named: readonly (readonly [name: string, one: T])[]): ReadonlyMap<string, T> => {
  const index = new Map(named);
  const twice = named.find(([name, one]) => index.get(name) !== one);
  if (twice !== undefined) throw new Error(`Two commands have the same "${twice[0]}".`);
  return index;
};
