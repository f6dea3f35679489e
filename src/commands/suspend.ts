import { type Parsed, parsed, wrong } from '../core/errors.ts';
import { showTime } from '../core/shown-time.ts';
import type { Suspension } from '../core/suspensions.ts';
import { plainCard, problemCard } from './answer-cards.ts';
import type { Card } from './card.ts';
import type { Command, Context, Services } from './command.ts';

const LONGEST_REASON = 200;

/** `/suspend`: stops a person at once, whatever the access file grants, until somebody takes it back. */
export const suspendCommand = ({ suspensions, settings }: Services): Command => ({
  name: 'suspend',
  summary: 'Stop a person at once, or see who is stopped',
  usage: '[person] [why]',
  examples: ['', 'slack:U024BE7LH lost the phone', 'telegram:123456789'],
  run: async (words, { caller, surface }: Context) => {
    if (words === '') return surface.say(listCard(await suspensions.all(), settings.timeZone));
    const { who, rest } = split(words);
    const id = parsePerson(who, caller.platform);
    if (!id.ok) return surface.say(problemCard(id.problem, '/suspend <person> [why]'));
    if (id.value === `${caller.platform}:${caller.id}`)
      return surface.say(
        plainCard('That is you', 'Nobody can suspend themselves. Nothing was changed.'),
      );
    const why = rest.slice(0, LONGEST_REASON);
    const isNew = await suspensions.suspend(
      id.value,
      caller,
      caller.conversation,
      why === '' ? undefined : why,
    );
    await surface.say(
      isNew
        ? plainCard(
            `${id.value} is suspended`,
            `From now on nothing is granted there, also for buttons that are shown already. /reinstate ${id.value} takes it back.`,
          )
        : plainCard(`${id.value} is suspended already`, 'Nothing was changed.'),
    );
  },
});

/** `/reinstate`: what the access file grants counts again. */
export const reinstateCommand = ({ suspensions }: Services): Command => ({
  name: 'reinstate',
  summary: 'Take a suspension back',
  usage: '<person>',
  examples: ['slack:U024BE7LH'],
  run: async (words, { caller, surface }: Context) => {
    const id = parsePerson(split(words).who, caller.platform);
    if (!id.ok) return surface.say(problemCard(id.problem, '/reinstate <person>'));
    const was = await suspensions.reinstate(id.value, caller, caller.conversation);
    await surface.say(
      was
        ? plainCard(
            `${id.value} is no longer suspended`,
            'What the access file grants counts again.',
          )
        : plainCard(`${id.value} was not suspended`, 'Nothing was changed.'),
    );
  },
});

/** What a suspended person is told in place of everything. */
export const suspendedCard = ({ by, atMs }: Suspension, timeZone: string): Card => ({
  ...plainCard(
    'You are suspended here',
    `${by.name} did that at ${showTime(atMs, timeZone)}. Nothing was done. Ask whoever runs Paythread.`,
  ),
  tone: 'warning',
});

const listCard = (all: readonly Suspension[], timeZone: string): Card =>
  all.length === 0
    ? plainCard('Nobody is suspended', '/suspend slack:U024BE7LH stops a person at once.')
    : {
        title: 'Suspended',
        parts: [
          {
            kind: 'list',
            items: all.map(
              ({ of, by, atMs, why }) =>
                `${of}, by ${by.name} at ${showTime(atMs, timeZone)}${why === undefined ? '' : `: ${why}`}`,
            ),
          },
        ],
      };

const split = (words: string): { who: string; rest: string } => {
  const [, who = '', rest = ''] = /^(\S*)\s*([\s\S]*)$/.exec(words.trim()) ?? [];
  return { who, rest };
};

/** An id, never a name: names can be copied. A mention that Slack resolved has the id in it. */
const parsePerson = (text: string, platform: string): Parsed<string> => {
  const [, named, id = ''] = /^(?:(slack|telegram|terminal):|@)?([\w.-]+)$/.exec(text) ?? [];
  const where = named ?? platform;
  const isId =
    where === 'slack'
      ? /^[UW][A-Z0-9]{2,}$/.test(id)
      : where === 'telegram'
        ? /^[1-9]\d*$/.test(id)
        : id !== '';
  return isId
    ? parsed(`${where}:${id}`)
    : wrong(
        'A person is named by id, because names can be copied. /whoami shows everybody their own, and refusals show it as well.',
        '/suspend slack:U024BE7LH',
      );
};
