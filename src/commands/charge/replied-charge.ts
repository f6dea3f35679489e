import type { Context, Services } from '../command.ts';
import type { Answers } from '../forms/form.ts';
import { repliedPayment } from '../payments/replied-payment.ts';
import { customerAnswers } from './charge-again.ts';
import { answersFrom } from './charge-form.ts';
import type { ChargeParts } from './parse-charge-options.ts';

type Ways = {
  /** For words that are about no card. */
  proceed(parts: ChargeParts, context: Context): Promise<void>;
  /** As the button Charge again of a payment. */
  again(paymentId: string, context: Context): Promise<void>;
  submit(answers: Answers, context: Context): Promise<void>;
};

/** A typed charge; in a reply to a card and without a customer it is for the customer of that card. */
export const repliedCharge =
  (services: Services, { proceed, again, submit }: Ways) =>
  async (parts: ChargeParts, context: Context): Promise<void> => {
    const isAddressed = parts.number !== undefined || parts.customer !== undefined;
    const replied = isAddressed ? undefined : await repliedPayment(services, context);
    if (replied === undefined) return proceed(parts, context);
    const typed = answersFrom(parts);
    await (Object.keys(typed).length === 0
      ? again(replied.id, context)
      : submit({ ...customerAnswers(replied, context), ...typed }, context));
  };
