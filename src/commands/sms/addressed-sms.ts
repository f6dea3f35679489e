import type { Card } from '../cards/card.ts';
import type { Context, Services } from '../command.ts';
import { digitCount, numberWords } from '../leading-number.ts';
import { customerOfReply } from '../payments/replied-payment.ts';

/** Fewer digits at the beginning are words of the text, such as `2 bags are ready`. */
const FEWEST_DIGITS = 6;
const TEMPLATE = /^@\S+/;

/** The words of `/sms`; in a reply to a card and without a number with that of its customer, or why that is not shown. */
export const addressedSms = async (
  services: Pick<Services, 'payments' | 'store'>,
  words: string,
  context: Context,
): Promise<string | Card> => {
  const [template = ''] = TEMPLATE.exec(words) ?? [];
  const rest = words.slice(template.length).trim();
  if (digitCount(numberWords(rest.split(/\s+/))) >= FEWEST_DIGITS) return words;
  const number = await customerOfReply(services, context);
  return typeof number === 'string' ? `${template} ${number} ${rest}`.trim() : (number ?? words);
};
