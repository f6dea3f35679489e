import { nearestName } from '../core/values/nearest-name.ts';
import { askAccessButton, canAskForAccess, type RoleGiving } from './access/ask-access.ts';
import { hasNoRights } from './access/check-access.ts';
import type { Grants } from './access/grants.ts';
import { type Card, type CardPart, cardOf, part, pressButton } from './cards/card.ts';
import { isAlone } from './cards/visibility.ts';
import {
  type Command,
  type CommandRecord,
  type Context,
  inPlace,
  type Services,
} from './command.ts';
import { isUsable } from './command-rights.ts';
import { homeMessage } from './home.ts';
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

/** Verb of the button that shows every command that the presser may use. */
export const ALL_COMMANDS = 'all-commands';

/** What a new chat begins with: in private the home, elsewhere this help. */
export const START = 'start';

/** Lines of `/help`; the others are behind `More`. */
const MOST_LINES = 8;

/** `/help`, made from the same records that register the commands. */
export const helpCommand = (
  services: Services,
  commands: () => readonly Command[],
): CommandRecord => ({
  summary: 'See the commands',
  deed: 'see the commands',
  usage: '[command]',
  examples: ['', 'charge'],
  presses: {
    [ALL_COMMANDS]: inPlace(async (_id, { grants }) => allCard(commands(), grants)),
    help: {
      run: async (_id, context) => context.surface.say(overview(services, commands(), context)),
    },
  },
  run: async (words, context) => {
    const name = words.trim().replace(/^\//, '').toLowerCase();
    const { caller, grants, surface } = context;
    const isHome = name === START && isAlone(caller, services.platforms) && !hasNoRights(grants);
    if (isHome) return surface.say(await homeMessage(services, context));
    if (name === '' || name === START) return surface.say(overview(services, commands(), context));
    const command = commands().find((each) => each.name === name);
    await surface.say(
      command === undefined ? notUnderstoodCard(commands(), context, name) : details(command),
    );
  },
});

export const isGreeting = (typed: string): boolean => typed === '' || GREETING.test(typed);

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

/** What people do most, by what they may do. What it does not name follows. */
const mostUsed = (grants: Grants): readonly string[] => {
  const [administrator, seller, other] = [
    'charge today payments report close balance access suspend',
    'charge today payments customer sms status bulk balance',
    'payments today report close export balance customer bulk status',
  ];
  return (grants.admin ? administrator : grants.may('charge') ? seller : other).split(' ');
};

/** The commands that the holder of these grants may use, the most used first; `/help` itself is not among them. */
const inOrder = (commands: readonly Command[], grants: Grants): readonly Command[] => {
  const names = mostUsed(grants);
  const placeOf = ({ name }: Command) => (names.includes(name) ? names.indexOf(name) : MOST_LINES);
  return commands
    .filter((command) => isUsable(command, grants) && command.name !== 'help')
    .sort((one, other) => placeOf(one) - placeOf(other));
};

const overview = (
  services: RoleGiving,
  commands: readonly Command[],
  { caller, grants }: Context,
): Card => {
  const allowed = inOrder(commands, grants);
  const first = allowed.slice(0, MOST_LINES);
  const hasMore = grants.roles.length > 0;
  const mayAsk = !hasMore && grants.suspended === undefined;
  const canAsk = mayAsk && canAskForAccess(services);
  return cardOf(
    'Paythread',
    [part.list(first.map(lineOf)), mayAsk && part.note(canAsk ? ASK_FOR_MORE : SEND_ID_FOR_MORE)],
    {
      buttons: [
        hasMore && pressButton('More', ALL_COMMANDS, 'more', { aside: true }),
        canAsk && askAccessButton('more', caller),
        grants.may('today') && pressButton('Today', 'today', 'all', { aside: true }),
      ],
    },
  );
};

const allCard = (commands: readonly Command[], grants: Grants): Card => {
  const allowed = inOrder(commands, grants);
  const asks = allowed.some(({ form }) => form !== undefined);
  return cardOf('All you can do', [
    part.list(allowed.map(lineOf)),
    asks && part.text('Leave a part out, and I ask for it.'),
    part.text('See how one is written:'),
    part.example(`/help ${allowed[0]?.name}`),
  ]);
};

/** `/charge 0244123456 50 · ask a customer to pay` */
const lineOf = (command: Command): string => {
  const { summary } = command;
  return `${withWords(command, command.examples[0] ?? '')} · ${summary.charAt(0).toLowerCase()}${summary.slice(1)}`;
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
