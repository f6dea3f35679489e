import { maskPhones } from '../../core/runtime/masking.ts';
import type { Conversation, Person } from '../../core/values/conversation.ts';
import type { Platforms } from '../../core/values/platform.ts';
import type { Caller } from '../inbound.ts';

/** Who can read a message: only the person it is for, or others as well. */
export type Audience = 'one person' | 'others too';

/**
 * Who reads what is shown in a conversation, for a person who typed in `typedIn`. A conversation that has the
 * person's id is theirs. A direct channel names no person, so it counts as theirs only if they typed there: the
 * direct channel of an operator looks the same. Everything else is read by others.
 */
export const audienceOf = (
  { platform, channel }: Conversation,
  { person, typedIn }: { readonly person: Person; readonly typedIn: Conversation },
  platforms: Platforms,
): Audience => {
  const isDirect = platforms.find(({ name }) => name === platform)?.directChannels?.test(channel);
  return channel === person.id || (isDirect === true && channel === typedIn.channel)
    ? 'one person'
    : 'others too';
};

/** The audience of an answer to this caller. */
export const audienceAround = (
  { conversation, ...person }: Caller,
  platforms: Platforms,
): Audience => audienceOf(conversation, { person, typedIn: conversation }, platforms);

/** `KOFI MENSAH` as others may read it: `Kofi M.` */
export const nameFor = (audience: Audience, name: string): string => {
  if (audience === 'one person') return name;
  const words = maskPhones(name)
    .split(/\s+/)
    .filter((word) => word !== '');
  const [first = '', ...rest] = words;
  const [initial] = [...(rest.at(-1) ?? '')];
  return initial === undefined
    ? capitalised(first)
    : `${capitalised(first)} ${initial.toUpperCase()}.`;
};

const capitalised = (word: string): string => {
  const [first = '', ...rest] = [...word];
  return `${first.toUpperCase()}${rest.join('').toLowerCase()}`;
};
