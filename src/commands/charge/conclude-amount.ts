import { type Parsed, parsed, wrong } from '../../core/runtime/errors.ts';
import { parseCustomerNumber } from '../../core/values/customer-number.ts';
import { type Money, parseCurrency, parseMoney } from '../../core/values/money.ts';
import { quoted } from '../../core/values/normalise-input.ts';

/** Longer rows of numbers are not written out again in the question about them. */
const MAX_ECHO_LENGTH = 40;

/** Numbers with spaces between them; a currency may be attached to the first or the last. */
const ROW = /^(?<before>[^\d\s]*)(?<first>\d[\d.,]*)(?<others>(?: \d[\d.,]*)+)(?<after>[^\d\s]*)$/u;

/** What commas can make one number of. */
const ONE_NUMBER = /^\d{1,3}(?:,\d{3})*(?: \d{3})+(?:\.\d+)?$/;

/** The words of an amount as money; undefined when there are none. */
export const concludeAmount = (
  words: readonly string[],
  currency: string | undefined,
  defaults: { readonly currency: string; readonly country: string },
): Parsed<Money | undefined> => {
  const text = words.join(' ');
  // A form would ask for the amount, and forget that it was to be in another currency.
  if (text === '' && currency !== undefined && currency !== defaults.currency)
    return wrong(`How much is it? Please give the amount in ${currency} as well.`);
  if (text === '') return parsed(undefined);
  const inCurrency = currency ?? defaults.currency;
  const question = askAboutRow(text, inCurrency) ?? askAboutPhone(text, defaults.country);
  if (question !== undefined) return question;
  const amount = parseMoney(text, inCurrency);
  if (!amount.ok || currency === undefined || amount.value.currency === currency) return amount;
  return twoCurrencies(amount.value.currency, currency);
};

export const twoCurrencies = (one: string, other: string) =>
  wrong(`I see two currencies, ${one} and ${other}. Please give one.`);

/** A space inside digits separates thousands, or an amount from a reference: the question names both readings. */
const askAboutRow = (text: string, currency: string) => {
  const { before = '', first = '', others = '', after = '' } = ROW.exec(text)?.groups ?? {};
  if (first === '' || !parseMoney(before + first, currency).ok) return undefined;
  const isOne = ONE_NUMBER.test(first + others);
  const asOne = isOne
    ? `Is ${quoted(text)} one amount? Then write ${text.replaceAll(' ', ',')}.`
    : `I see more than one number in ${quoted(text)}.`;
  if (after !== '' || text.length > MAX_ECHO_LENGTH)
    return wrong(`${asOne} Please give one amount, such as 50.`);
  const reference = others.trim();
  const named = parseCurrency(before) ?? currency;
  return wrong(
    `${asOne} ${isOne ? 'Or is' : 'Is'} ${reference} a reference? Then write ${first} ${named} ${reference}.`,
  );
};

/** An amount alone may have as many digits, but not one behind a customer number. */
const askAboutPhone = (text: string, country: string) => {
  const number = /^\d{9,}$/.test(text) ? parseCustomerNumber(text, country) : undefined;
  return number?.ok && !number.value.doubtful
    ? wrong(`${quoted(text)} looks like a phone number. Please give an amount, such as 50.`)
    : undefined;
};
