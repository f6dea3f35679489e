import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { hasCardNumber, neverTypeCards } from '../../core/values/card-number.ts';
import { plainText, withoutAutoLinks } from '../../core/values/normalise-input.ts';
import { leadingNumbers, withExample } from '../leading-number.ts';
import { type RecipientList, readLeadingList } from './recipient-list.ts';

/** An SMS that is complete enough to be previewed. */
export type SmsRequest = {
  readonly senderId: string;
  readonly recipients: RecipientList;
  /** With its line breaks. */
  readonly text: string;
};

/** An SMS as far as it was typed or filled in; absent is what was left out. */
export type SmsParts = Partial<SmsRequest>;

/** So many words of the text are looked through for a second number. */
const WORDS_OF_A_NUMBER = 5;

/** Reads `<number[,number…]> <text>`. */
export const parseSms = (words: string, { country }: { country: string }): Parsed<SmsParts> =>
  withExample(readSms(words, country), '/sms 0244123456 Your order is ready.');

const readSms = (typed: string, country: string): Parsed<SmsParts> => {
  if (plainText(typed) === '') return parsed({});
  if (hasCardNumber(plainText(typed))) return neverTypeCards();
  const list = readLeadingList(cleanText(typed), country);
  if (!list.ok) return list;
  const { rest, ...recipients } = list.value;
  const text = rest.trim();
  if (startsWithNumber(text, country))
    return wrong('Please put commas between the numbers. The text comes after the last one.');
  return parsed({ recipients, ...(text === '' ? {} : { text }) });
};

/** A text as it may be sent: what cannot be seen is gone, unless letters or emoji are joined by it. */
export const cleanText = (typed: string): string =>
  withoutAutoLinks(typed)
    .replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n')
    // One no-break space would make a message more than twice as dear.
    .replace(/[^\S\n\ufeff]/g, ' ')
    .replace(
      /(?![\n])\p{Cc}|[\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]/gu,
      '',
    )
    .toWellFormed();

/** A second number without a comma would be sent as text, and its owner would get nothing. */
const startsWithNumber = (text: string, country: string): boolean => {
  const words = text
    .replace(/^(and\b|&)\s*/i, '')
    .split(/\s+/)
    .slice(0, WORDS_OF_A_NUMBER);
  return leadingNumbers(words.map(plainText), country).length > 0;
};
