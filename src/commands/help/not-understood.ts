import type { Grants } from '../access/access.ts';
import type { Card } from '../cards/card.ts';
import type { Command, Context } from '../command.ts';
import { isOpenToAll } from '../command-rights.ts';
import { firstWord } from '../forms/first-word.ts';
import { nearestName } from './nearest-name.ts';

const GREETING =
  /^(?:h+i+|hell+o+|hey+|hallo|yo|akwaaba|good (?:morning|afternoon|evening|day))\b/i;

/** Whether a command may be used by the holder of these grants. */
export const isUsable = (command: Command, grants: Grants): boolean =>
  isOpenToAll(command.name) || grants.may(command.name);

/** Whether the access file gives a person nothing here, or what it gives is stopped. */
export const hasNoRights = ({ roles, suspended }: Grants): boolean =>
  roles.length === 0 || suspended !== undefined;

/** The answer to words that are no command: a greeting, the command that was meant, or one to try. */
export const notUnderstoodCard = (
  commands: readonly Command[],
  { caller, grants }: Pick<Context, 'caller' | 'grants'>,
  typed: string,
): Card => {
  const usable = commands.filter((command) => isUsable(command, grants));
  if (typed === '' || GREETING.test(typed)) return greetingCard(usable, caller.name);
  const meant = nearestName(
    firstWord(typed).word,
    usable.map(({ name }) => name),
  );
  const command = usable.find(({ name }) => name === meant);
  return command === undefined
    ? {
        title: 'I did not understand that',
        parts: [{ kind: 'text', text: 'Try:' }, ...toTry(usable)],
      }
    : { title: `Did you mean /${command.name}?`, parts: [exampleOf(command)] };
};

const greetingCard = (usable: readonly Command[], name: string): Card => ({
  title: `Hello ${firstWord(name).word}`,
  parts: [{ kind: 'text', text: `${purpose(usable)} Try:` }, ...toTry(usable)],
});

const purpose = (usable: readonly Command[]): string => {
  if (usable.some(({ name }) => name === 'charge')) return 'I ask customers to pay by MoMo.';
  const names = granted(usable).map(({ name }) => `/${name}`);
  return `You can use ${new Intl.ListFormat('en-GB').format(names)}.`;
};

const toTry = (usable: readonly Command[]): Card['parts'] => [
  ...granted(usable).slice(0, 1).map(exampleOf),
  { kind: 'note', text: '/help shows all you can do.' },
];

/** What only some may use; an approver may have none of these. */
const granted = (usable: readonly Command[]): readonly Command[] => {
  const some = usable.filter(({ name }) => !isOpenToAll(name));
  return some.length > 0 ? some : usable;
};

/** A command to copy. */
export const exampleOf = ({ name, examples: [words = ''] }: Command): Card['parts'][number] => ({
  kind: 'example',
  text: `/${name} ${words}`.trim(),
});
