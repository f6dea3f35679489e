import { problemCard } from './answer-cards.ts';
import type { Card, CardPart } from './card.ts';
import type { Command, Context } from './command.ts';
import type { Surface } from './inbound.ts';

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
    const command = commands().find(
      (each) => spelled(each, context.surface) === name || each.name === name,
    );
    await context.surface.say(
      command === undefined
        ? problemCard({ message: `There is no command "${typed.slice(0, 40)}".`, example: '/help' })
        : details(command, context.surface),
    );
  },
});

const spelled = ({ name }: Command, surface: Surface): string => surface.spelling?.[name] ?? name;

const withWords = (command: Command, words: string, surface: Surface): string =>
  `/${spelled(command, surface)} ${words}`.trim();

const overview = (commands: readonly Command[], { surface, grants }: Context): Card => {
  const allowed = commands.filter(
    (command) => command.openToAll === true || grants.may(command.name),
  );
  const parts: CardPart[] = [
    {
      kind: 'list',
      items: allowed.map(
        (command) => `${withWords(command, command.usage, surface)}: ${command.summary}`,
      ),
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

const details = (command: Command, surface: Surface): Card => ({
  title: withWords(command, command.usage, surface),
  parts: [
    { kind: 'text', text: `${command.summary}.` },
    ...command.examples.map(
      (words): CardPart => ({ kind: 'example', text: withWords(command, words, surface) }),
    ),
  ],
});
