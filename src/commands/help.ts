import { type Card, type CardPart, cardOf, part } from './cards/card.ts';
import type { Command, Context } from './command.ts';
import { isOpenToAll, isUsable } from './command-rights.ts';
import { firstWord } from './inbound.ts';

const GREETING =
  /^(?:h+i+|hell+o+|hey+|hallo|yo|akwaaba|good (?:morning|afternoon|evening|day))\b/i;

/** `/help`, made from the same records that register the commands. */
export const helpCommand = (commands: () => readonly Command[]): Command => ({
  name: 'help',
  summary: 'See the commands',
  deed: 'see the commands',
  usage: '[command]',
  examples: ['', 'charge'],
  run: async (words, context) => {
    const name = words.trim().replace(/^\//, '').toLowerCase();
    if (name === '') return context.surface.say(overview(commands(), context));
    const command = commands().find((each) => each.name === name);
    await context.surface.say(
      command === undefined ? notUnderstoodCard(commands(), context, name) : details(command),
    );
  },
});

/** The answer to words that are no command: a greeting, the command that was meant, or one to try. */
export const notUnderstoodCard = (
  commands: readonly Command[],
  { caller, grants }: Pick<Context, 'caller' | 'grants'>,
  typed: string,
): Card => {
  const usable = commands.filter((command) => isUsable(command, grants));
  if (typed === '' || GREETING.test(typed))
    return cardOf(`Hello ${firstWord(caller.name).word}`, [
      part.text(`${purpose(usable)} Try:`),
      ...toTry(usable),
    ]);
  const names = usable.map(({ name }) => name);
  const meant = nearestName(firstWord(typed).word, names);
  const command = usable.find(({ name }) => name === meant);
  return command === undefined
    ? cardOf('I did not understand that', [part.text('Try:'), ...toTry(usable)])
    : cardOf(`Did you mean /${command.name}?`, [exampleOf(command)]);
};

const overview = (commands: readonly Command[], { grants }: Context): Card => {
  const allowed = commands.filter((command) => isUsable(command, grants));
  const lines = allowed.map(
    (command) => `${withWords(command, command.usage)}: ${command.summary}`,
  );
  const [first] = allowed.filter(({ name }) => !isOpenToAll(name));
  return cardOf('Paythread', [
    part.list(lines),
    ...(first === undefined
      ? []
      : [part.text('Leave a part out, and I ask for it. Try:'), exampleOf(first)]),
    allowed.length < commands.length
      ? part.note('There are more commands. To get access, send your id: /whoami shows it.')
      : undefined,
  ]);
};

const details = (command: Command): Card =>
  cardOf(withWords(command, command.usage), [
    part.text(`${command.summary}.`),
    ...command.examples.map((words) => part.example(withWords(command, words))),
  ]);

const purpose = (usable: readonly Command[]): string => {
  if (usable.some(({ name }) => name === 'charge')) return 'I ask customers to pay by MoMo.';
  const names = granted(usable).map(({ name }) => `/${name}`);
  return `You can use ${new Intl.ListFormat('en-GB').format(names)}.`;
};

const toTry = (usable: readonly Command[]): CardPart[] => [
  ...granted(usable).slice(0, 1).map(exampleOf),
  part.note('/help shows all you can do.'),
];

/** The commands that a role has to grant; an approver may have none of these, and gets all that are usable. */
const granted = (usable: readonly Command[]): readonly Command[] => {
  const some = usable.filter(({ name }) => !isOpenToAll(name));
  return some.length > 0 ? some : usable;
};

const exampleOf = (command: Command): CardPart =>
  part.example(withWords(command, command.examples[0] ?? ''));

const withWords = ({ name }: Command, words: string): string => `/${name} ${words}`.trim();

const SHORT = 4;

/** The name that was most likely meant: within one slip for short words, two for others; undefined: none is near. */
const nearestName = (typed: string, names: readonly string[]): string | undefined => {
  const most = typed.length <= SHORT ? 1 : 2;
  // Longer words are never near, and the table below grows with them.
  const near = names.filter((name) => Math.abs(name.length - typed.length) <= most);
  const [best] = near
    .map((name) => ({ name, slips: slipsBetween(typed, name) }))
    .filter(({ slips }) => slips <= most)
    .sort((one, other) => one.slips - other.slips);
  return best?.name;
};

/** Optimal string alignment distance: letters added, left out, replaced, or swapped with the next one. */
const slipsBetween = (one: string, other: string): number => {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  const at = (row: number, column: number): number => rows[row]?.[column] ?? 0;
  for (let row = 1; row <= one.length; row++) {
    rows.push([row]);
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwapped =
        row > 1 &&
        column > 1 &&
        one[row - 1] === other[column - 2] &&
        one[row - 2] === other[column - 1];
      rows[row]?.push(
        Math.min(
          at(row - 1, column) + 1,
          at(row, column - 1) + 1,
          at(row - 1, column - 1) + (isSame ? 0 : 1),
          isSwapped ? at(row - 2, column - 2) + 1 : Number.POSITIVE_INFINITY,
        ),
      );
    }
  }
  return at(one.length, other.length);
};
