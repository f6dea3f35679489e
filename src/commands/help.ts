import { askAccessButton, canAskForAccess, type RoleGiving } from './access/ask-access.ts';
import { type Card, type CardPart, cardOf, part, pressButton } from './cards/card.ts';
import type { Command, CommandRecord, Context } from './command.ts';
import { isUsable } from './command-rights.ts';
import { firstWord } from './inbound.ts';

/** What the bot says once in a conversation to which it was invited. It names no customer: everyone there reads it. */
export const greetingCard: Card = cardOf('Hello, I am Paythread', [
  part.text('I ask customers to pay by MoMo. I tell you here when they have paid. Try:'),
  part.example('/charge 0244123456 50'),
]);

const ASK_FOR_MORE = 'There are more commands. Ask for access to use them.';
const SEND_ID_FOR_MORE = 'There are more commands. To get access, send your id: /whoami shows it.';

const GREETING =
  /^(?:h+i+|hell+o+|hey+|hallo|yo|akwaaba|good (?:morning|afternoon|evening|day))\b/i;

/** `/help`, made from the same records that register the commands. */
export const helpCommand = (
  services: RoleGiving,
  commands: () => readonly Command[],
): CommandRecord => ({
  summary: 'See the commands',
  deed: 'see the commands',
  usage: '[command]',
  examples: ['', 'charge'],
  run: async (words, context) => {
    const name = words.trim().replace(/^\//, '').toLowerCase();
    if (name === '') return context.surface.say(overview(services, commands(), context));
    const command = commands().find((each) => each.name === name);
    await context.surface.say(
      command === undefined ? notUnderstoodCard(commands(), context, name) : details(command),
    );
  },
});

const isGreeting = (typed: string): boolean => typed === '' || GREETING.test(typed);

/** The answer to words that are no command: a greeting, the command that was meant, or one to try. */
export const notUnderstoodCard = (
  commands: readonly Command[],
  { caller, grants }: Pick<Context, 'caller' | 'grants'>,
  typed: string,
): Card => {
  const usable = commands.filter((command) => isUsable(command, grants));
  if (isGreeting(typed))
    return cardOf(`Hello ${firstWord(caller.name).word}`, [
      part.text(`${purpose(usable)} Try:`),
      ...toTry(usable),
    ]);
  const command = meantCommand(commands, { grants }, typed);
  return command === undefined
    ? cardOf('I did not understand that', [part.text('Try:'), ...toTry(usable)])
    : cardOf(`Did you mean /${command.name}?`, [exampleOf(command)]);
};

/** The command that was most likely meant by words that are none, if the person may use it. */
export const meantCommand = (
  commands: readonly Command[],
  { grants }: Pick<Context, 'grants'>,
  typed: string,
): Command | undefined => {
  if (isGreeting(typed)) return undefined;
  const usable = commands.filter((command) => isUsable(command, grants));
  const meant = nearestName(
    firstWord(typed).word,
    usable.map(({ name }) => name),
  );
  return usable.find(({ name }) => name === meant);
};

const overview = (
  services: RoleGiving,
  commands: readonly Command[],
  { caller, grants }: Context,
): Card => {
  const allowed = commands.filter((command) => isUsable(command, grants));
  const lines = allowed.map(
    (command) => `${withWords(command, command.usage)}: ${command.summary}`,
  );
  const [first] = allowed.filter(({ right }) => right !== 'everyone');
  const hasMore = allowed.length < commands.length;
  const mayAsk = hasMore && grants.roles.length === 0 && grants.suspended === undefined;
  const canAsk = mayAsk && canAskForAccess(services);
  return cardOf(
    'Paythread',
    [
      part.list(lines),
      ...(first === undefined
        ? []
        : [
            part.text(
              `${first.form === undefined ? '' : 'Leave a part out, and I ask for it. '}Try:`,
            ),
            exampleOf(first),
          ]),
      mayAsk ? part.note(canAsk ? ASK_FOR_MORE : SEND_ID_FOR_MORE) : undefined,
    ],
    {
      buttons: [
        canAsk ? askAccessButton('more', caller) : undefined,
        grants.may('today') ? pressButton('Today', 'today', 'all', { aside: true }) : undefined,
      ],
    },
  );
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
  const some = usable.filter(({ right }) => right !== 'everyone');
  return some.length > 0 ? some : usable;
};

const exampleOf = (command: Command): CardPart =>
  part.example(withWords(command, command.examples[0] ?? ''));

const withWords = ({ name }: Command, words: string): string => `/${name} ${words}`.trim();

const SHORT = 4;

/** The name that was most likely meant: within one slip for short words, two for others; undefined: none is near. */
const nearestName = (typed: string, names: readonly string[]): string | undefined => {
  const most = typed.length <= SHORT ? [0, 1] : [0, 1, 2];
  return most
    .map((slips) => names.find((name) => isWithin(slips, typed, name)))
    .find((name) => name !== undefined);
};

/** Whether so many slips make one word of the other: letters added, left out, replaced, or swapped with the next one. */
const isWithin = (slips: number, one: string, other: string): boolean => {
  // Ends the search in long words as well: each slip makes up for one letter.
  if (Math.abs(one.length - other.length) > slips) return false;
  if (one === '' || other === '') return true;
  if (one[0] === other[0]) return isWithin(slips, one.slice(1), other.slice(1));
  if (slips === 0) return false;
  const isSwapped = one[0] === other[1] && one[1] === other[0];
  return (
    isWithin(slips - 1, one.slice(1), other) ||
    isWithin(slips - 1, one, other.slice(1)) ||
    isWithin(slips - 1, one.slice(1), other.slice(1)) ||
    (isSwapped && isWithin(slips - 1, one.slice(2), other.slice(2)))
  );
};
