import { maskPhones } from '../../core/runtime/masking.ts';
import type { Conversation, Person } from '../../core/values/conversation.ts';
import type { Caller } from '../inbound.ts';

/** Who can read a message: only the person it is for, or others as well. */
export type Audience = 'one person' | 'others too';

/**
 * Who reads what is shown in a conversation, for a person who typed in `typedIn`. A private chat in Telegram
 * has the id of its person, as has a direct message by Slack's user id, and one person uses the terminal.
 * Slack's direct channels begin with D and name no one, so it is theirs only if they typed there: an
 * operator's looks the same. What is not known to be private is not.
 */
export const audienceOf = (
  { platform, channel }: Conversation,
  { id }: Person,
  typedIn: Conversation,
): Audience =>
  platform === 'terminal' ||
  channel === id ||
  (/^D[A-Z0-9]+$/.test(channel) && channel === typedIn.channel)
    ? 'one person'
    : 'others too';

/** Who reads what is shown where the caller types or presses. */
export const audienceAround = ({ conversation, ...caller }: Caller): Audience =>
  audienceOf(conversation, caller, conversation);

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
