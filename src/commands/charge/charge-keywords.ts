import { parseCurrency, parseMoney } from '../../core/values/money.ts';
import type { PaymentOption } from '../../core/values/network.ts';
import { type NetworkCode, parseNetwork } from '../../core/values/network.ts';

/** The meaning of one or two words of a charge. */
export type Meaning = { readonly used: number } & (
  | { readonly kind: 'currency'; readonly currency: string }
  | { readonly kind: 'network'; readonly network: NetworkCode }
  | { readonly kind: 'option'; readonly option: PaymentOption }
);

/** `momo` is how people call mobile money on any network. */
const OPTIONS: ReadonlyMap<string, PaymentOption> = new Map([
  ['momo', 'MOM'],
  ['mobile money', 'MOM'],
  ['card', 'CRD'],
  ['cards', 'CRD'],
  ['bank card', 'CRD'],
  ['checkout', 'CRM'],
]);

/** The second word of `Telecel Cash`, `AT Money`, `MTN MoMo`, `Visa card`. */
const BRAND_TAIL = /^(cash|money|momo|card)$/i;

/** Currencies and networks that are also words with which a reference may begin: `top up`, `at the shop`. */
const ENGLISH = /^(all|top|try|pen|mad|cup|cop|mop|gel|bam|bob|ron|sos|at|air|master)$/i;

const NUMERIC = /^[+-]?[\d.,]+$/;
const WITH_UNIT = /^\d[\d.,]*(k|m|bn|p|ps|pesewas?)$/i;

/** Words after a number that change what it is worth, or name a currency that is not certain. */
const UNIT =
  /^(k|m|bn|p|ps|pesewas?|hundred|thousand|million|billion|grand|dollars?|bucks|euros?|pounds?|naira|francs?|cfa|rands?|shillings?|[$€£₦])$/i;

/** What the first words mean, two of them if they belong together. */
export const meaningOf = (words: readonly string[]): Meaning | undefined => {
  const [first, second] = words;
  if (first === undefined) return undefined;
  const pair = second === undefined ? undefined : meaningOfPair(first, second);
  return pair ?? meaningOfText(first, 1);
};

const meaningOfPair = (first: string, second: string): Meaning | undefined => {
  const pair = `${first} ${second}`;
  const meaning = meaningOfText(pair, 2);
  // `a t` is no network, though spaces do not count in its name.
  return meaning?.kind === 'network' && !BRAND_TAIL.test(second) ? undefined : meaning;
};

const meaningOfText = (text: string, used: number): Meaning | undefined => {
  const currency = parseCurrency(text);
  if (currency !== undefined) return { kind: 'currency', currency, used };
  const option = OPTIONS.get(text.toLowerCase());
  if (option !== undefined) return { kind: 'option', option, used };
  const network = parseNetwork(text);
  return network === undefined ? undefined : { kind: 'network', network, used };
};

/** Whether a word with a meaning could as well begin a reference. */
export const isEnglish = (word: string): boolean => ENGLISH.test(word);

/** `50`, `50GHS`, `50p`: good or bad, it is meant as an amount. */
export const isAmountWord = (word: string): boolean =>
  /\d/.test(word) && (NUMERIC.test(word) || WITH_UNIT.test(word) || parseMoney(word, 'GHS').ok);

export const isUnitWord = (word: string): boolean => UNIT.test(word);
