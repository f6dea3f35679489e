import { hasCardNumber, neverTypeCards } from '../core/card-number.ts';
import type { CustomerNumber } from '../core/customer-number.ts';
import { type Parsed, type Problem, parsed, wrong } from '../core/errors.ts';
import { plainText, quoted, withoutAutoLinks } from '../core/typed-text.ts';
import {
  digitCount,
  leadingNumbers,
  numberProblem,
  numberWords,
  writeWithoutSpaces,
} from './leading-number.ts';

/** What was typed after `/sms`. */
export type SmsWords = {
  /** Without repeats. */
  readonly recipients?: readonly CustomerNumber[];
  /** With its line breaks. */
  readonly text?: string;
};

/** A word with so many digits between commas was meant to be a number. */
const DIGITS_OF_A_NUMBER = 6;

const MAX_NAMED = 5;

/** Reads `<number[,number…]> <text>`. */
export const parseSmsWords = (
  words: string,
  { country }: { country: string },
): Parsed<SmsWords> => {
  const result = readSmsWords(words, country);
  return result.ok ? result : { ok: false, problem: withExample(result.problem) };
};

const withExample = (problem: Problem): Problem => ({
  example: '/sms 0244123456 Your order is ready.',
  ...problem,
});

const readSmsWords = (typed: string, country: string): Parsed<SmsWords> => {
  if (plainText(typed) === '') return parsed({});
  if (hasCardNumber(plainText(typed))) return neverTypeCards();
  const list = readRecipients(cleanText(typed), country);
  if (!list.ok) return list;
  const { numbers, rest } = list.value;
  const text = rest.trim();
  if (startsWithNumber(text, country))
    return wrong('Please put commas between the numbers, and the text after the last one.');
  return parsed({ recipients: numbers, ...(text === '' ? {} : { text }) });
};

/** Reads a list of numbers alone, as a form asks for it: commas or line breaks between them. */
export const parseRecipients = (
  list: string,
  { country }: { country: string },
): Parsed<readonly CustomerNumber[]> => {
  const inLine = cleanText(list)
    .trim()
    .replace(/\s*\n\s*/g, ',');
  if (hasCardNumber(plainText(inLine))) return neverTypeCards();
  const read = readRecipients(inLine, country);
  if (!read.ok) return read;
  const rest = read.value.rest.trim();
  if (rest !== '')
    return wrong(`Please put commas between the numbers; I cannot read ${quoted(rest)}.`);
  return parsed(read.value.numbers);
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

/** The numbers at the beginning, each after a comma, and what follows them. */
const readRecipients = (
  typed: string,
  country: string,
): Parsed<{ numbers: readonly CustomerNumber[]; rest: string }> => {
  const numbers = new Map<string, CustomerNumber>();
  const bad: string[] = [];
  let rest: string | undefined = typed;
  let behind = '';
  while (rest !== undefined) {
    const item = readItem(rest, country);
    if (item === 'unclear') return writeWithoutSpaces();
    if ('number' in item) numbers.set(item.number.e164, item.number);
    else bad.push(item.bad);
    ({ next: rest, behind } = afterItem(item.rest));
  }
  if (bad.length > 0) return badNumbers(bad, country);
  return parsed({ numbers: [...numbers.values()], rest: behind });
};

type Item = { readonly rest: string } & (
  | { readonly number: CustomerNumber }
  | { readonly bad: string }
);

/** One number, typed with or without spaces, and what follows it. */
const readItem = (typed: string, country: string): Item | 'unclear' => {
  const upToComma = /^[^,;]*/.exec(typed)?.[0] ?? '';
  const places = [...upToComma.matchAll(/\S+/g)];
  const words = places.map(([word]) => plainText(word));
  const [reading, another] = leadingNumbers(words, country);
  if (another !== undefined) return 'unclear';
  const used =
    reading === undefined
      ? Math.max(numberWords(words).length, 1)
      : words.length - reading.rest.length;
  const last = places[used - 1];
  const rest = typed.slice(last === undefined ? 0 : last.index + last[0].length);
  return reading === undefined
    ? { bad: words.slice(0, used).join(' '), rest }
    : { number: reading.number, rest };
};

/** Behind a comma comes the next number, if it looks meant as one, else the text. */
const afterItem = (rest: string): { next: string | undefined; behind: string } => {
  const comma = /^\s*[,;][\s,;]*/.exec(rest)?.[0];
  if (comma === undefined) return { next: undefined, behind: rest };
  const behind = rest.slice(comma.length);
  const word = plainText(/^[^\s,;]*/.exec(behind)?.[0] ?? '');
  const isMeant = /^[+(\d]/.test(word) || digitCount([word]) >= DIGITS_OF_A_NUMBER;
  return { next: isMeant ? behind : undefined, behind };
};

const badNumbers = (bad: readonly string[], country: string) => {
  const [only = ''] = bad;
  if (bad.length === 1) {
    const { message } = numberProblem(only.split(' '), country);
    return wrong(message.includes(only) ? message : `${quoted(only)}: ${message}`);
  }
  const named = bad.slice(0, MAX_NAMED).map(quoted).join(', ');
  const others = bad.length > MAX_NAMED ? ` and ${bad.length - MAX_NAMED} more` : '';
  return wrong(`These are not mobile numbers: ${named}${others}.`);
};

/** A second number without a comma would be sent as text, and its owner get nothing. */
const startsWithNumber = (text: string, country: string): boolean => {
  const words = text
    .replace(/^(and\b|&)\s*/i, '')
    .split(/\s+/)
    .slice(0, MAX_NAMED);
  return leadingNumbers(words.map(plainText), country).length > 0;
};
