import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import type { Store } from '../../core/store/store.ts';
import type { Person } from '../../core/values/conversation.ts';
import { showNear } from '../../core/values/format-time.ts';
import { exampleIds, type Platforms, parsePlatformId } from '../../core/values/platform.ts';
import {
  type Button,
  type Card,
  cardOf,
  idFact,
  pageOf,
  pageStart,
  part,
  plainCard,
  pressButton,
} from '../cards/card.ts';
import { type CommandRecord, type Context, inPlace, momentOf, type Services } from '../command.ts';
import { sayMisread } from '../forms/words-form.ts';
import { firstWord } from '../inbound.ts';
import { takeBackButton } from './chat-access.ts';

const LONGEST_REASON = 200;
/** Each has a button; /access shows all. */
const MOST_GIFTS = 10;
/** Stopped people on one card: each has a button. */
const PAGE_LENGTH = 10;
const OLDER = 'older-stopped';
/** People offered as buttons: those who asked for payments last. */
const MOST_OFFERED = 6;
const DANGER = { style: 'danger' } as const;

/** `/suspend`: voids a person's grants of the access file at once, until `/reinstate`. */
export const suspendCommand = (services: Services): CommandRecord => {
  const { suspensions, store, platforms, chatGrants } = services;
  const stop: Act = async (id, reason, { caller }) => {
    if (id === idOf(caller))
      return plainCard('That is you', 'Nothing was changed. Another administrator can stop you.');
    const why = reason.slice(0, LONGEST_REASON) || undefined;
    const isNew = await suspensions.suspend(id, caller, caller.conversation, why);
    const name = await nameOf(id, store);
    if (!isNew) return plainCard(`${name} is already stopped`, 'Nothing was changed.');
    const gifts = (await chatGrants.all()).filter(({ by }) => idOf(by) === id);
    return cardOf(
      `${name} is stopped and can do nothing here.`,
      [
        part.facts(idFact('Id', id), ...(why === undefined ? [] : [{ label: 'Why', value: why }])),
        gifts.length === 0
          ? undefined
          : part.text(`The access that ${name} gave is no longer valid. Take it back for good:`),
      ],
      {
        buttons: [
          pressButton('Undo', 'reinstate', id),
          ...gifts.slice(0, MOST_GIFTS).map(takeBackButton),
        ],
      },
    );
  };
  return {
    summary: 'Stop a person immediately, or see who is stopped',
    deed: 'stop people',
    usage: '[person] [why]',
    examples: [
      '',
      ...exampleIds(platforms, 'person').map((id, at) => (at === 0 ? `${id} lost the phone` : id)),
    ],
    run: withPerson(services, 'suspend', stop),
    presses: {
      suspend: { run: async (id, context) => context.surface.say(await stop(id, '', context)) },
      [OLDER]: inPlace((id, context) => listCard(services, context, pageStart(id))),
    },
  };
};

/** `/reinstate`: the rights that the access file grants count again. */
export const reinstateCommand = (services: Services): CommandRecord => {
  const { suspensions, store, platforms } = services;
  const reinstate: Act = async (id, _why, { caller }) =>
    (await suspensions.reinstate(id, caller, caller.conversation))
      ? plainCard(`${await nameOf(id, store)} can work again`)
      : plainCard(`${await nameOf(id, store)} was not stopped`, 'Nothing was changed.');
  return {
    summary: 'Let a stopped person work again',
    deed: 'let people work again',
    usage: '<person>',
    examples: exampleIds(platforms, 'person').slice(0, 1),
    run: withPerson(services, 'reinstate', reinstate),
    presses: { reinstate: inPlace((id, context) => reinstate(id, '', context)) },
  };
};

type Act = (id: string, why: string, context: Context) => Promise<Card>;

/** Does it with the person whom the words name; where nothing names one it shows who is stopped. */
const withPerson =
  (services: Services, command: 'suspend' | 'reinstate', act: Act): CommandRecord['run'] =>
  async (words, context) => {
    const { surface, repliedAuthor } = context;
    if (words === '' && repliedAuthor === undefined)
      return surface.say(await listCard(services, context));
    const named = await namedPerson(services, words, context, command);
    if (!('ok' in named)) return surface.say(whichCard(services, named, command));
    if (named.ok) return surface.say(await act(named.value.id, named.value.rest, context));
    const people = command === 'suspend' ? await stopButtons(services, context) : [];
    await sayMisread(services, context, [command, words], named.problem, people);
  };

/** `@Ama`, as the last payment of this person has it; without one the id. */
const nameOf = async (id: string, store: Store): Promise<string> => {
  const { payments } = await store.listPayments({ requester: id }, { limit: 1 });
  return payments[0] === undefined ? id : `@${payments[0].requester.name}`;
};

/** Of one name: their last charges tell them apart. */
const whichCard = (services: Services, people: readonly Known[], verb: 'suspend' | 'reinstate') =>
  cardOf('Who?', [part.text('Each has the time of their last charge.')], {
    buttons: people.slice(0, MOST_OFFERED).map((person) => {
      const asked = `${person.name}, ${showNear(person.lastMs, momentOf(services))}`;
      const label = verb === 'suspend' ? `Stop ${asked}` : `Reinstate ${asked}`;
      return pressButton(label, verb, idOf(person));
    }),
  });

/** Who is stopped, newest first, each with a button that ends it; and people to stop. */
const listCard = async (services: Services, context: Context, from = 0): Promise<Card> => {
  const { suspensions, store, platforms } = services;
  const all = (await suspensions.all()).toReversed();
  const buttons = await stopButtons(services, context);
  if (all.length === 0)
    return cardOf(
      'No one is stopped',
      [part.text('To stop a person, type:'), part.example(exampleOf('suspend', platforms))],
      { buttons },
    );
  const moment = momentOf(services);
  const { shown, older } = pageOf(all, from, PAGE_LENGTH, OLDER);
  const lines = shown.map(async ({ of, by, atMs, why }) => {
    const name = await nameOf(of, store);
    const reason = why === undefined ? '' : `: ${why}`;
    const text = `${name}, by ${by.name}, ${showNear(atMs, moment)}${reason} ·`;
    return { item: { text, code: of }, button: pressButton(`Reinstate ${name}`, 'reinstate', of) };
  });
  const rows = await Promise.all(lines);
  return cardOf('Stopped', [part.list(rows.map(({ item }) => item))], {
    buttons: [...rows.map(({ button }) => button), older, ...buttons],
  });
};

/** The known people who can be stopped: neither the caller nor those who are stopped already. */
const stopButtons = async (services: Services, { caller }: Context): Promise<Button[]> => {
  const { store, suspensions } = services;
  const out = [idOf(caller), ...(await suspensions.all()).map(({ of }) => of)];
  return (await knownPeople(store))
    .filter((person) => !out.includes(idOf(person)))
    .slice(0, MOST_OFFERED)
    .map((person) => pressButton(`Stop ${person.name}`, 'suspend', idOf(person), DANGER));
};

/** Of so many payments, the newest, the requesters are known by name. */
const MOST_SEARCHED = 500;

/** `lastMs`: when they last asked for a payment. */
type Known = Person & { readonly lastMs: number };

const knownPeople = async (store: Store): Promise<readonly Known[]> => {
  const { payments } = await store.listPayments({}, { limit: MOST_SEARCHED });
  const byPerson = Map.groupBy(payments, ({ requester }) => idOf(requester));
  return [...byPerson.values()].flatMap(([last]) =>
    last === undefined ? [] : [{ ...last.requester, lastMs: last.confirmedAtMs }],
  );
};

const idOf = ({ platform, id }: Pick<Person, 'platform' | 'id'>): string => `${platform}:${id}`;

/**
 * Whom the words name, by `platform:id`, and the words behind: the person of an id, of a mention whose id the platform
 * filled in, of the message replied to, or of a name. Names can be copied, ids cannot: a marked id and the id of a known
 * person come before any name. A name counts for people of this platform who asked for payments, and only if it is of one
 * of them; otherwise all who bear it are returned.
 */
const namedPerson = async (
  { store, platforms }: Services,
  words: string,
  { caller, repliedAuthor }: Context,
  command: string,
): Promise<Parsed<{ readonly id: string; readonly rest: string }> | readonly Known[]> => {
  const { word, rest } = firstWord(words);
  const id = word.includes(':') ? word : idOf({ ...caller, id: word.replace(/^@/, '') });
  const isId = parsePlatformId(platforms, id)?.kind === 'person';
  if (isId && /[:@]/.test(word)) return parsed({ id, rest });
  if (repliedAuthor !== undefined && !/[:@]/.test(word))
    return parsed({ id: idOf(repliedAuthor), rest: words });
  const people = (await knownPeople(store)).filter(({ platform }) => platform === caller.platform);
  if (people.some((person) => idOf(person) === id)) return parsed({ id, rest });
  const found = bearersOf(words, people);
  const [first, second] = found;
  // A name in capitals may look like an id.
  if (first === undefined && isId) return parsed({ id, rest });
  if (first === undefined)
    return wrong(
      'I know no one of that name here. Who? You can type the id: /whoami shows it.',
      exampleOf(command, platforms),
    );
  if (second !== undefined) return found.map(({ person }) => person);
  // As it was typed: a reason may have capitals.
  const why = first.rest === '' ? '' : words.slice(-first.rest.length);
  return parsed({ id: idOf(first.person), rest: why });
};

/** The people whose name the words begin with, or without one whose first name, and the words behind. */
const bearersOf = (words: string, people: readonly Known[]) => {
  const typed = words.replace(/^@/, '').toLowerCase();
  const whose = (names: (person: Person) => string) =>
    people.flatMap((person) => {
      const name = names(person).toLowerCase();
      const isIt = name !== '' && (typed === name || typed.startsWith(`${name} `));
      return isIt ? [{ person, rest: typed.slice(name.length).trim() }] : [];
    });
  const whole = whose(({ name }) => name);
  return whole.length > 0 ? whole : whose(({ name }) => name.split(/\s+/)[0] ?? '');
};

const exampleOf = (command: string, platforms: Platforms): string =>
  `/${command} ${exampleIds(platforms, 'person')[0]}`;
