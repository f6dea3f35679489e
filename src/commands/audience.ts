import type { Conversation, Person } from '../core/conversation.ts';

/** Who can read a message: only the person it is for, or others as well. */
export type Audience = 'one person' | 'others too';

/**
 * Slack's direct channels begin with D, a private chat in Telegram has the id of its person, and in front
 * of the terminal there is one person. What is not known to be private is not.
 */
export const audienceOf = ({ platform, channel }: Conversation, { id }: Person): Audience =>
  platform === 'terminal' || channel === id || /^D[A-Z0-9]+$/.test(channel)
    ? 'one person'
    : 'others too';

/** `KOFI MENSAH` as others may read it: `Kofi M.` */
export const nameFor = (audience: Audience, name: string): string => {
  if (audience === 'one person') return name;
  const words = name.split(/\s+/).filter((word) => word !== '');
  const [first = name, ...rest] = words;
  const [initial] = [...(rest.at(-1) ?? '')];
  return initial === undefined
    ? capitalised(first)
    : `${capitalised(first)} ${initial.toUpperCase()}.`;
};

const capitalised = (word: string): string => {
  const [first = '', ...rest] = [...word];
  return `${first.toUpperCase()}${rest.join('').toLowerCase()}`;
};
