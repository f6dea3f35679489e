import { eventually } from '../eventually.ts';
import type { SimPress } from './account-methods.ts';
import type { Chat } from './chat.ts';

/**
 * What the presser alone was told: in the press itself, or in the private chat when the fast clock of a test
 * let the two seconds for that run out. Call it at once after the press.
 */
export const refusalOf = async (press: SimPress, privateChat: Chat): Promise<string> => {
  const before = privateChat.fromBot.length;
  return eventually(() => {
    const told = press.isAlert ? press.answer : privateChat.fromBot[before]?.text;
    if (told === undefined) throw new Error('the presser was told nothing yet');
    return told;
  });
};
