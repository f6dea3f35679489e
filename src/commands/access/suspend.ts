import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import type { Store } from '../../core/store/store.ts';
import { showNear } from '../../core/values/format-time.ts';
import { exampleIds, type Platforms, parsePlatformId } from '../../core/values/platform.ts';
import { type Card, cardOf, idFact, part, plainCard, pressButton } from '../cards/card.ts';
import { type CommandRecord, type Context, momentOf, type Services } from '../command.ts';
import { sayMisread } from '../forms/words-form.ts';
import { firstWord } from '../inbound.ts';
import { takeBackButton } from './chat-access.ts';

const LONGEST_REASON = 200;
/** Each has a button; /access shows all. */
const MOST_GIFTS = 10;

/** `/suspend`: voids a person's grants of the access file at once, until `/reinstate`. */
export const suspendCommand = (services: Services): CommandRecord => {
  const { suspensions, store, platforms, chatGrants } = services;
  return {
    summary: 'Stop a person at once, or see who is stopped',
    deed: 'stop people',
    usage: '[person] [why]',
    examples: [
      '',
      ...exampleIds(platforms, 'person').map((id, at) => (at === 0 ? `${id} lost the phone` : id)),
    ],
    run: async (words, context) => {
      const { caller, surface } = context;
      if (words === '') return surface.say(await listCard(services));
      const { word: who, rest } = firstWord(words);
      const id = parsePerson(who, caller.platform, platforms, 'suspend');
      if (!id.ok) return sayMisread(services, context, ['suspend', words], id.problem);
      if (id.value === `${caller.platform}:${caller.id}`)
        return surface.say(
          plainCard('That is you', 'Nothing was changed. You cannot stop yourself.'),
        );
      const why = rest.slice(0, LONGEST_REASON) || undefined;
      const isNew = await suspensions.suspend(id.value, caller, caller.conversation, why);
      const name = await nameOf(id.value, store);
      const gifts = (await chatGrants.all()).filter(
        ({ by }) => `${by.platform}:${by.id}` === id.value,
      );
      await surface.say(
        isNew
          ? cardOf(
              `${name} is stopped and can do nothing here.`,
              [
                part.facts(
                  idFact('Id', id.value),
                  ...(why === undefined ? [] : [{ label: 'Why', value: why }]),
                ),
                gifts.length === 0
                  ? undefined
                  : part.text(
                      `The access that ${name} gave counts no more. Take it back for good:`,
                    ),
              ],
              {
                buttons: [
                  pressButton('Undo', 'reinstate', id.value),
                  ...gifts.slice(0, MOST_GIFTS).map(takeBackButton),
                ],
              },
            )
          : plainCard(`${name} is already stopped`, 'Nothing was changed.'),
      );
    },
  };
};

/** `/reinstate`: the rights that the access file grants count again. */
export const reinstateCommand = (services: Services): CommandRecord => {
  const { suspensions, store, platforms } = services;
  const reinstate = async (id: string, { caller }: Context): Promise<Card> =>
    (await suspensions.reinstate(id, caller, caller.conversation))
      ? plainCard(`${await nameOf(id, store)} can work again`)
      : plainCard(`${await nameOf(id, store)} was not stopped`, 'Nothing was changed.');
  return {
    summary: 'Let a stopped person work again',
    deed: 'let people work again',
    usage: '<person>',
    examples: exampleIds(platforms, 'person').slice(0, 1),
    run: async (words, context) => {
      const { word } = firstWord(words);
      const id = parsePerson(word, context.caller.platform, platforms, 'reinstate');
      await (id.ok
        ? context.surface.say(await reinstate(id.value, context))
        : sayMisread(services, context, ['reinstate', words], id.problem));
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

const listCard = async (services: Services): Promise<Card> => {
  const { suspensions, store, platforms } = services;
  const all = await suspensions.all();
  if (all.length === 0)
    return cardOf('No one is stopped', [
      part.text('To stop a person at once, type:'),
      part.example(exampleOf('suspend', platforms)),
    ]);
  const moment = momentOf(services);
  const lines = all.map(async ({ of, by, atMs, why }) => {
    const reason = why === undefined ? '' : `: ${why}`;
    const text = `${await nameOf(of, store)}, by ${by.name}, ${showNear(atMs, moment)}${reason} ·`;
    return { text, code: of };
  });
  return cardOf('Stopped', [part.list(await Promise.all(lines))]);
};

/**
 * An id, because names can be copied. Without its platform it is one of the platform where it was typed; an `@`
 * in front is what remains of a mention whose id the platform filled in.
 */
const parsePerson = (
  text: string,
  platform: string,
  platforms: Platforms,
  command: string,
): Parsed<string> => {
  const whole = text.includes(':') ? text : `${platform}:${text.replace(/^@/, '')}`;
  return parsePlatformId(platforms, whole)?.kind === 'person'
    ? parsed(whole)
    : wrong('Name the person by id. /whoami shows people their id.', exampleOf(command, platforms));
};

const exampleOf = (command: string, platforms: Platforms): string =>
  `/${command} ${exampleIds(platforms, 'person')[0]}`;
