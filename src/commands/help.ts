import { problemCard } from './answer-cards.ts';
import type { Card, CardPart } from './card.ts';
import type { Command, Context } from './command.ts';

/** `/help`, made from the same records that register the commands. */
export const helpCommand = (commands: () => readonly Command[]): Command => ({
  name: 'help',
  summary: 'See the commands',
  deed: 'see the commands',
  usage: '[command]',
  examples: ['', 'charge'],
  openToAll: true,
  run: async (words, context) => {
    const typed = words.trim().replace(/^\//, '');
    const name = typed.toLowerCase();
    if (name === '') return context.surface.say(overview(commands(), context));
    const command = commands().find((each) => each.name === name);
    await context.surface.say(
      command === undefined
        ? problemCard({ message: `There is no command "${typed.slice(0, 40)}".`, example: '/help' })
        : details(command),
    );
  },
});

const withWords = ({ name }: Command, words: string): string => `/${name} ${words}`.trim();

const overview = (commands: readonly Command[], { grants }: Context): Card => {
  const allowed = commands.filter(
    (command) => command.openToAll === true || grants.may(command.name),
  );
  const parts: CardPart[] = [
    {
      kind: 'list',
      items: allowed.map((command) => `${withWords(command, command.usage)}: ${command.summary}`),
    },
    { kind: 'text', text: 'Leave a part out, and I ask for it. Try:' },
    { kind: 'example', text: '/charge 0244123456 50 GHS' },
  ];
  if (allowed.length < commands.length)
    parts.push({
      kind: 'note',
      text: 'There are more commands. To ask for access, send your id: /whoami shows it.',
    });
  return { title: 'Paythread', parts };
};

const details = (command: Command): Card => ({
  title: withWords(command, command.usage),
  parts: [
    { kind: 'text', text: `${command.summary}.` },
    ...command.examples.map(
      (words): CardPart => ({ kind: 'example', text: withWords(command, words) }),
    ),
  ],
});
