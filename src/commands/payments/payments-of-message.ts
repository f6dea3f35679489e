import { showNumber } from '../../core/values/customer-number.ts';
import { cardOf, part } from '../cards/card.ts';
import { readMessage } from '../charge/read-message.ts';
import type { Context, MessageShortcut, Services } from '../command.ts';

const MOST_NAMED = 5;

/** The payments of the customer whose number a message has. With more than one number the person copies the right one. */
export const paymentsOfMessage =
  (
    { settings }: Pick<Services, 'settings'>,
    list: (words: string, context: Context) => Promise<void>,
  ): MessageShortcut =>
  async (text, context) => {
    const numbers = readMessage(text, settings).numbers.map(({ e164 }) => showNumber(e164));
    const [first, second] = numbers;
    if (first !== undefined && second === undefined) return list(first, context);
    const [title, next, toCopy] =
      first === undefined
        ? ['No number', 'Give me the number. Try:', ['024 412 3456']]
        : [`${numbers.length} numbers`, 'Which one? Copy a line:', numbers.slice(0, MOST_NAMED)];
    const lines = toCopy.map((number) => part.example(`/payments ${number}`));
    return context.surface.say(cardOf(`${title} in this message`, [part.text(next), ...lines]));
  };
