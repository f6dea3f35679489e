import { defined } from '../../core/runtime/defined.ts';
import type { CustomerNumber } from '../../core/values/customer-number.ts';
import { showNumber } from '../../core/values/customer-number.ts';
import type { Context, MessageShortcut, Services } from '../command.ts';
import type { Form } from '../forms/form.ts';
import { answersFrom } from './charge-form.ts';
import type { ChargeParts } from './parse-charge-options.ts';
import { readMessage } from './read-message.ts';

/**
 * A charge of what a message says. The form is asked where the message leaves anything open, names more than one
 * customer, or has an amount that may be something else.
 */
export const chargeOfMessage =
  (
    { settings }: Pick<Services, 'settings'>,
    form: Form,
    proceed: (parts: ChargeParts, context: Context) => Promise<void>,
  ): MessageShortcut =>
  async (text, context) => {
    const { numbers, amount, isAmountCertain } = readMessage(text, settings);
    const [first, second] = numbers;
    const number = second === undefined ? first : undefined;
    const parts: ChargeParts = { option: 'MOM', ...defined({ number, amount }) };
    if (number !== undefined && isAmountCertain) return proceed(parts, context);
    const problems = second === undefined ? {} : { problems: { number: whichOf(numbers) } };
    return context.surface.ask(form, answersFrom(parts), problems);
  };

const MOST_NAMED = 5;

const whichOf = (numbers: readonly CustomerNumber[]): string => {
  const named = numbers.slice(0, MOST_NAMED).map(({ e164 }) => showNumber(e164));
  return `Which one? The message has ${numbers.length} numbers: ${named.join(', ')}.`;
};
