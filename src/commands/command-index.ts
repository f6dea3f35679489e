import type { Command, FormOfButton, MessageShortcut, Press } from './command.ts';
import { CORRECT } from './forms/correct-it.ts';
import { STEP_VERBS } from './forms/form-steps.ts';
import { RETYPE, wordsForm } from './forms/words-form.ts';

/** What commands offer, by the name that an event brings. */
type Offers<T> = ReadonlyMap<string, { readonly command: Command; readonly offer: T }>;

export type CommandIndex = {
  readonly commands: ReadonlyMap<string, Command>;
  readonly presses: Offers<Press>;
  readonly shortcuts: Offers<MessageShortcut>;
  readonly forms: Offers<FormOfButton>;
};

/** @throws {Error} when two commands have a button, a shortcut or a form of the same name, or forms have a button of it: one of them would never be reached. */
export const commandIndex = (commands: readonly Command[]): CommandIndex => {
  const offers = <T>(of: (command: Command) => readonly (readonly [string, T])[]): Offers<T> =>
    byName(
      commands.flatMap((command) =>
        of(command).map(([name, offer]) => [name, { command, offer }] as const),
      ),
    );
  return {
    commands: byName(commands.map((command) => [command.name, command])),
    presses: offers(pressesOf),
    shortcuts: offers(({ messageShortcuts = {} }) => Object.entries(messageShortcuts)),
    forms: offers((command) => formsOf(command).map((form) => [form.form.command, form])),
  };
};

const FORM_VERBS = new Set([CORRECT, RETYPE, ...STEP_VERBS]);

const pressesOf = ({ presses = {} }: Command): readonly (readonly [string, Press])[] => {
  const taken = Object.keys(presses).find((verb) => FORM_VERBS.has(verb));
  if (taken !== undefined) throw new Error(`Forms have the button "${taken}" already.`);
  return Object.entries(presses);
};

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
