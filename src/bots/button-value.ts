import { plainCard } from '../commands/cards/card.ts';
import type { ButtonPress } from '../commands/inbound.ts';

/** What a button carries: `charge:01JD2M4X9QK7T3VB`. */
export const buttonValue = ({ verb, id }: ButtonPress): string => `${verb}:${id}`;

/** The verb before the first colon and the id after it; without a colon all of it is the verb. */
export const readButtonValue = (value: string): ButtonPress => {
  const colon = value.indexOf(':');
  return colon < 0
    ? { verb: value, id: '' }
    : { verb: value.slice(0, colon), id: value.slice(colon + 1) };
};

/** Says what a press comes to that names a button which its message does not have: a changed client can send any. */
export const NOT_THERE = plainCard(
  'This button is no longer there',
  'Nothing was done. Type the command again.',
);
