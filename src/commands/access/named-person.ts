import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import type { Store } from '../../core/store/store.ts';
import type { Person } from '../../core/values/conversation.ts';
import { exampleIds, type Platforms, parsePlatformId } from '../../core/values/platform.ts';
import type { Context, Services } from '../command.ts';
import { firstWord } from '../inbound.ts';

/** Of so many payments, the newest, the requesters are known by name. */
const MOST_SEARCHED = 500;

/** Whom the words of `/suspend` or `/reinstate` name, by `platform:id`, and the words behind. */
export type Named = { readonly id: string; readonly rest: string };

/** The requesters of the last payments, on any platform. */
export const knownPeople = async (store: Store): Promise<readonly Person[]> => {
  const { payments } = await store.listPayments({}, { limit: MOST_SEARCHED });
  const people = payments.map(({ requester }) => [idOf(requester), requester] as const).reverse();
  return [...new Map(people).values()].reverse();
};

export const idOf = ({ platform, id }: Pick<Person, 'platform' | 'id'>): string =>
  `${platform}:${id}`;

/**
 * The person of an id, of a mention whose id the platform filled in, of the message replied to, or of a name. Names can
 * be copied, ids cannot: a marked id and the id of a known person come before any name. A name counts for people of this
 * platform who asked for payments, and only if it is of one of them; otherwise all who bear it are returned.
 */
export const namedPerson = async (
  { store, platforms }: Pick<Services, 'store' | 'platforms'>,
  words: string,
  { caller, repliedAuthor }: Pick<Context, 'caller' | 'repliedAuthor'>,
  command: string,
): Promise<Parsed<Named> | readonly Person[]> => {
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
      'I know nobody of that name here. Name the person by id. /whoami shows people their id.',
      exampleOf(command, platforms),
    );
  if (second !== undefined) return found.map(({ person }) => person);
  // As it was typed: a reason may have capitals.
  const why = first.rest === '' ? '' : words.slice(-first.rest.length);
  return parsed({ id: idOf(first.person), rest: why });
};

/** The people whose name the words begin with, or without one whose first name, and the words behind. */
const bearersOf = (words: string, people: readonly Person[]) => {
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

export const exampleOf = (command: string, platforms: Platforms): string =>
  `/${command} ${exampleIds(platforms, 'person')[0]}`;
