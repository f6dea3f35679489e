import { defined } from '../../core/runtime/defined.ts';
import { type Parsed, parsed } from '../../core/runtime/errors.ts';
import type { CustomerNumber } from '../../core/values/customer-number.ts';
import { showNumber } from '../../core/values/customer-number.ts';
import type { Context, MessageShortcut, Press, Services } from '../command.ts';
import type { Form } from '../forms/form.ts';
import { askingWhere } from '../last-place.ts';
import { answersFrom } from './charge-form.ts';
import type { ChargeParts } from './parse-charge-options.ts';
import { readMessage } from './read-message.ts';

/** Asks for a new charge outside of a conversation. It grants nothing: what may be charged is asked where the card goes. */
export const newCharge = (services: Pick<Services, 'store'>, form: Form): Press => ({
  checksAccessItself: true,
  run: async (_id, { surface, caller }) =>
    surface.ask(form, {}, await askingWhere(services, caller)),
});

/**
 * A charge of what a message says. The form is asked where the message leaves anything open, names more than one
 * customer, or has an amount that may be something else.
 */
export const chargeOfMessage =
  (
    { settings }: Pick<Services, 'settings'>,
    form: Form,
    proceed: (read: Parsed<ChargeParts>, context: Context) => Promise<void>,
  ): MessageShortcut =>
  async (text, context) => {
    const { numbers, amount, isAmountCertain } = readMessage(text, settings);
    const [first, second] = numbers;
    const number = second === undefined ? first : undefined;
    const parts: ChargeParts = { option: 'MOM', ...defined({ number, amount }) };
    if (number !== undefined && isAmountCertain) return proceed(parsed(parts), context);
    const problems = second === undefined ? {} : { problems: { number: whichOf(numbers) } };
    return context.surface.ask(form, answersFrom(parts), problems);
  };

const MOST_NAMED = 5;

const whichOf = (numbers: readonly CustomerNumber[]): string => {
  const named = numbers.slice(0, MOST_NAMED).map(({ e164 }) => showNumber(e164));
  return `Which one? The message has ${numbers.length} numbers: ${named.join(', ')}.`;
};
