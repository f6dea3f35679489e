import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { hasCardNumber, neverTypeCards } from '../../core/values/card-number.ts';
import type { CustomerNumber } from '../../core/values/customer-number.ts';
import { plainText, quoted } from '../../core/values/normalise-input.ts';
import {
  digitCount,
  type LeadingNumber,
  leadingNumbers,
  numberProblem,
  numberWords,
  writeWithoutSpaces,
} from '../leading-number.ts';

export type RecipientList = {
  /** At least one, without repeats. */
  readonly numbers: readonly CustomerNumber[];
  /** Entries of the list that are no mobile numbers, as typed. */
  readonly leftOut: readonly string[];
};

/** A word with fewer digits behind the last comma rather belongs to the text. */
const DIGITS_OF_A_NUMBER = 6;

const MAX_NAMED = 20;

/** More than a number typed with spaces has; a long text is not gone through whole behind each number. */
const WORDS_AHEAD = /^(?:\s*\S+){0,13}/;

/** Reads a list of numbers alone, as a form asks for it: commas or line breaks between them. */
export const parseRecipients = (
  typed: string,
  { country }: { country: string },
): Parsed<RecipientList> => {
  const entries = typed
    .split(/[,;\n\r\u0085\u2028\u2029]/)
    .map(plainText)
    .filter((entry) => entry !== '');
  if (hasCardNumber(entries.join(','))) return neverTypeCards();
  const numbers = new Map<string, CustomerNumber>();
  const bad: string[] = [];
  for (const entry of entries) {
    const whole = leadingNumbers(entry.split(' '), country).find(({ rest }) => rest.length === 0);
    if (whole === undefined) bad.push(entry);
    else numbers.set(whole.number.e164, whole.number);
  }
  if (numbers.size > 0) return parsed({ numbers: [...numbers.values()], leftOut: bad });
  return entries.length > 1 ? badNumbers(bad, country) : aloneAndBad(entries[0] ?? '', country);
};

/** A number with something behind it lacks a comma; anything else is no number. */
const aloneAndBad = (entry: string, country: string) => {
  const [reading] = leadingNumbers(entry.split(' '), country);
  return reading === undefined
    ? badNumbers([entry], country)
    : wrong(
        `Please put commas between the numbers; I cannot read ${quoted(reading.rest.join(' '))}.`,
      );
};

/** The numbers at the beginning with commas between them, and the text behind the last. */
export const readLeadingList = (
  typed: string,
  country: string,
): Parsed<RecipientList & { readonly rest: string }> => {
  const numbers = new Map<string, CustomerNumber>();
  const bad: string[] = [];
  for (let ahead = typed; ; ) {
    const { readings, used, next, rest } = takeItem(ahead, country);
    const [reading, another] = readings;
    if (another !== undefined) return writeWithoutSpaces();
    if (reading === undefined) bad.push(used);
    else numbers.set(reading.number.e164, reading.number);
    if (next === undefined) {
      if (numbers.size === 0) return badNumbers(bad, country);
      const text = rest.trim();
      if (reading === undefined && text !== '' && !isOneNumber(used)) return askAfterComma(used);
      return parsed({ numbers: [...numbers.values()], leftOut: bad, rest: text });
    }
    if (!mayBeNumber(next)) return askAfterComma(next);
    ahead = next;
  }
};

/** The entries at the beginning, right or wrong, as they were typed, and the text behind the last. */
export const splitLeadingList = (
  typed: string,
  country: string,
): { readonly entries: readonly string[]; readonly rest: string } => {
  const entries: string[] = [];
  for (let ahead = typed; ; ) {
    const { used, next, rest } = takeItem(ahead, country);
    entries.push(used);
    // A second number without a comma is meant to be one more recipient.
    const follows = next ?? (rest.trimStart() || undefined);
    if (follows === undefined || !mayBeNumber(follows)) return { entries, rest: rest.trim() };
    ahead = follows;
  }
};

type Item = {
  /** Every way to read it as a number. */
  readonly readings: readonly LeadingNumber[];
  readonly used: string;
  /** What follows a comma, up to the end; undefined without one. */
  readonly next: string | undefined;
  readonly rest: string;
};

/** The words up to a comma that are one number, typed with or without spaces, or are meant to be. */
const takeItem = (typed: string, country: string): Item => {
  const upToComma = /^[^,;]*/.exec(typed)?.[0] ?? '';
  const ahead = WORDS_AHEAD.exec(upToComma)?.[0] ?? '';
  const places = [...ahead.matchAll(/\S+/g)];
  const words = places.map(([word]) => plainText(word));
  const readings = leadingNumbers(words, country);
  const [reading] = readings;
  const used =
    reading === undefined
      ? Math.max(numberWords(words).length, 1)
      : words.length - reading.rest.length;
  const last = places[used - 1];
  const tail = typed.slice(last === undefined ? 0 : last.index + last[0].length);
  const comma = /^\s*[,;][\s,;]*/.exec(tail)?.[0] ?? '';
  const rest = tail.slice(comma.length);
  const next = comma === '' || rest === '' ? undefined : rest;
  return { readings, used: words.slice(0, used).join(' '), next, rest };
};

const firstWord = (text: string): string => plainText(/^[^\s,;]*/.exec(text)?.[0] ?? '');

const mayBeNumber = (text: string): boolean => {
  const word = firstWord(text);
  return /^[+(\d]/.test(word) || digitCount([word]) >= DIGITS_OF_A_NUMBER;
};

/** Else a bad last entry may be the first words of the text, and words of a text are never left out. */
const isOneNumber = (entry: string): boolean =>
  !entry.includes(' ') && digitCount([entry]) >= DIGITS_OF_A_NUMBER;

const askAfterComma = (text: string) =>
  wrong(
    `${quoted(firstWord(text))} after the comma is not a phone number. If the text begins there, leave out the comma.`,
  );

const badNumbers = (bad: readonly string[], country: string) => {
  const [only = ''] = bad;
  if (bad.length > 1) return wrong(`These are not mobile numbers: ${named(bad)}.`);
  const { message } = numberProblem(only.split(' '), country);
  return wrong(message.includes(only) ? message : `${quoted(only)}: ${message}`);
};

/** Entries in quotes, and how many more there are. */
export const named = (entries: readonly string[]): string => firstOf(entries, MAX_NAMED, quoted);

/** The first entries as `shown`, at most `most`, and how many more there are. */
export const firstOf = (
  entries: readonly string[],
  most: number,
  shown: (entry: string) => string,
): string => {
  const others = entries.length - most;
  const first = entries.slice(0, most).map(shown).join(', ');
  return others > 0 ? `${first} and ${others} more` : first;
};
