import type { Card, CardPart } from '../cards/card.ts';
import type { Command, Context } from '../command.ts';
import { isOpenToAll } from '../command-rights.ts';
import { exampleOf, isUsable, notUnderstoodCard } from './not-understood.ts';

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

const withWords = ({ name }: Command, words: string): string => `/${name} ${words}`.trim();

const overview = (commands: readonly Command[], { grants }: Context): Card => {
  const allowed = commands.filter((command) => isUsable(command, grants));
  const [first] = allowed.filter(({ name }) => !isOpenToAll(name));
  const parts: CardPart[] = [
    {
      kind: 'list',
      items: allowed.map((command) => `${withWords(command, command.usage)}: ${command.summary}`),
    },
  ];
  if (first !== undefined)
    parts.push(
      { kind: 'text', text: 'Leave a part out, and I ask for it. Try:' },
      exampleOf(first),
    );
  if (allowed.length < commands.length)
    parts.push({
      kind: 'note',
      text: 'There are more commands. To get access, send your id: /whoami shows it.',
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
