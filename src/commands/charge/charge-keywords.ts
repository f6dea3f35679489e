import { parseCurrency, parseMoney } from '../../core/values/money.ts';
import {
  isCard,
  type NetworkCode,
  type PaymentOption,
  parseNetwork,
} from '../../core/values/network.ts';

export type SaidKeywords = {
  readonly currency?: string;
  readonly network?: NetworkCode;
  readonly option?: PaymentOption;
};

/** What one or two words say: one of the three. `used`: how many words that are. */
export type Meaning = { readonly used: number; readonly said: SaidKeywords };

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
export const ENGLISH = /^(all|top|try|pen|mad|cup|cop|mop|gel|bam|bob|ron|sos|at|air|master)$/i;

const NUMERIC = /^[+-]?[\d.,]+$/;
const WITH_UNIT = /^\d[\d.,]*(k|m|bn|p|ps|pesewas?)$/i;

/** What the first words mean, two of them if they belong together. */
export const meaningOf = ([first, second]: readonly string[]): Meaning | undefined => {
  const pair = second === undefined ? undefined : saidBy(`${first} ${second}`);
  // `a t` is no network, though spaces do not count in its name.
  if (pair !== undefined && (pair.network === undefined || BRAND_TAIL.test(second ?? '')))
    return { used: 2, said: pair };
  const said = first === undefined ? undefined : saidBy(first);
  return said && { used: 1, said };
};

const saidBy = (text: string): SaidKeywords | undefined => {
  const currency = parseCurrency(text);
  if (currency !== undefined) return { currency };
  const option = OPTIONS.get(text.toLowerCase());
  if (option !== undefined) return { option };
  const network = parseNetwork(text);
  return network && { network };
};

/** `50`, `50GHS`, `50p`: good or bad, it is meant as an amount. */
export const isAmountWord = (word: string): boolean =>
  /\d/.test(word) && (NUMERIC.test(word) || WITH_UNIT.test(word) || parseMoney(word, 'GHS').ok);

/** Whether a word says by card or by checkout: mobile money is what happens without it. */
export const namesPayment = ({ option, network }: SaidKeywords): boolean =>
  (option !== undefined && option !== 'MOM') || (network !== undefined && isCard(network));
