import type { Suspension } from '../../core/guards/suspensions.ts';
import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import type { Store } from '../../core/store/store.ts';
import { type Moment, showNear } from '../../core/values/format-time.ts';
import { type Button, type Card, idFact } from '../cards/card.ts';
import { plainCard, problemCard } from '../cards/reply-cards.ts';
import type { Command, Context, Services } from '../command.ts';

const LONGEST_REASON = 200;

/** `/suspend`: stops a person at once, whatever the access file grants, until `/reinstate`. */
export const suspendCommand = ({ suspensions, settings, clock, store }: Services): Command => ({
  name: 'suspend',
  summary: 'Stop a person at once, or see who is stopped',
  deed: 'stop people',
  usage: '[person] [why]',
  examples: ['', 'slack:U024BE7LH lost the phone', 'telegram:123456789'],
  run: async (words, { caller, surface }: Context) => {
    if (words === '') {
      const moment = { timeZone: settings.timeZone, nowMs: clock.now() };
      return surface.say(await listCard(await suspensions.all(), moment, store));
    }
    const { who, rest } = split(words);
    const id = parsePerson(who, caller.platform);
    if (!id.ok) return surface.say(problemCard(id.problem, '/suspend <person> [why]'));
    if (id.value === `${caller.platform}:${caller.id}`)
      return surface.say(
        plainCard('That is you', 'Nothing was changed. You cannot stop yourself.'),
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
        ? {
            title: `${await nameOf(id.value, store)} is stopped and can do nothing here.`,
            parts: [{ kind: 'facts', facts: [idFact('Id', id.value)] }],
            buttons: [undo(id.value)],
          }
        : plainCard(`${await nameOf(id.value, store)} is already stopped`, 'Nothing was changed.'),
    );
  },
});

/** `/reinstate`: the rights that the access file grants count again. */
export const reinstateCommand = ({ suspensions, store }: Services): Command => {
  const reinstate = async (id: string, { caller }: Context): Promise<Card> =>
    (await suspensions.reinstate(id, caller, caller.conversation))
      ? plainCard(`${await nameOf(id, store)} can work again`)
      : plainCard(`${await nameOf(id, store)} was not stopped`, 'Nothing was changed.');
  return {
    name: 'reinstate',
    summary: 'Let a stopped person work again',
    deed: 'let people work again',
    usage: '<person>',
    examples: ['slack:U024BE7LH'],
    run: async (words, context) => {
      const id = parsePerson(split(words).who, context.caller.platform);
      await context.surface.say(
        id.ok ? await reinstate(id.value, context) : problemCard(id.problem, '/reinstate <person>'),
      );
    },
    presses: {
      reinstate: {
        run: async (id, context) => context.surface.replace(await reinstate(id, context)),
      },
    },
  };
};

/** `@Ama`, as the last payment of this person has it; without one the id. */
const nameOf = async (id: string, store: Store): Promise<string> => {
  const { payments } = await store.listPayments({ requester: id }, { limit: 1 });
  const [last] = payments;
  return last === undefined ? id : `@${last.requester.name}`;
};

const undo = (id: string): Button => ({ kind: 'press', label: 'Undo', verb: 'reinstate', id });

/** What a suspended person is told in place of everything. */
export const suspendedCard = ({ by, atMs }: Suspension, moment: Moment): Card => ({
  ...plainCard(
    'You are stopped and can do nothing here',
    `Nothing was done. ${by.name} stopped you (${showNear(atMs, moment)}). Ask ${by.name}.`,
  ),
  tone: 'warning',
});

const listCard = async (all: readonly Suspension[], moment: Moment, store: Store): Promise<Card> =>
  all.length === 0
    ? {
        title: 'No one is stopped',
        parts: [
          { kind: 'text', text: 'To stop a person at once, type:' },
          { kind: 'example', text: '/suspend slack:U024BE7LH' },
        ],
      }
    : {
        title: 'Stopped',
        parts: [
          {
            kind: 'list',
            items: await Promise.all(
              all.map(async ({ of, by, atMs, why }) => ({
                text: `${await nameOf(of, store)}, by ${by.name}, ${showNear(atMs, moment)}${why === undefined ? '' : `: ${why}`} ·`,
                code: of,
              })),
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
    : wrong('Name the person by id. /whoami shows people their id.', '/suspend slack:U024BE7LH');
};
