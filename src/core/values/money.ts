import { type Parsed, parsed, wrong } from '../runtime/errors.ts';
import { hasCardNumber, neverTypeCards } from './card-number.ts';
import { hasOtherDigits, letterAmongDigits, plainText, quoted } from './normalise-input.ts';

/** An amount in whole minor units (pesewas for GHS), so that no sum is ever off by a rounding. */
export type Money = {
  readonly amountMinor: number;
  /** ISO 4217, upper case. */
  readonly currency: string;
};

/** Codes of ISO 4217 that `Intl` leaves out. */
const LEFT_OUT = ['BOV', 'CHE', 'CHW', 'CLF', 'COU', 'MXV', 'USN', 'UYI', 'UYW', 'VED'];

const CURRENCIES: ReadonlySet<string> = new Set([
  ...Intl.supportedValuesOf('currency'),
  ...LEFT_OUT,
]);

/**
 * Decimals by ISO 4217 where they are not two. Written down here, because `Intl` follows habit (none for
 * HUF or IDR) and changes its mind with its version, while amounts are stored in minor units.
 */
const DECIMALS: ReadonlyMap<string, number> = new Map(
  Object.entries({
    0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
    3: 'BHD IQD JOD KWD LYD OMR TND',
    4: 'CLF UYW',
  }).flatMap(([decimals, codes]) => codes.split(' ').map((code) => [code, Number(decimals)])),
);

/** What people write for a currency besides its code. GHC is the cedi's code from before 2007. */
const CURRENCY_ALIASES: ReadonlyMap<string, string> = new Map(
  [
    'GHC|CEDI|CEDIS|₵|¢|Ȼ|GH₵|GH¢|GHȻ|GH CEDI|GH CEDIS',
    'GHANA CEDI|GHANA CEDIS|GHANAIAN CEDI|GHANAIAN CEDIS',
  ].flatMap((aliases) => aliases.split('|').map((alias) => [alias, 'GHS'])),
);

/** Whether this is an ISO 4217 code, in upper case, of a currency in use. */
export const isCurrency = (code: string): boolean => CURRENCIES.has(code);

/** The currency that is meant, by its code, its sign or its name; upper and lower case are the same. */
export const parseCurrency = (text: string): string | undefined => {
  const typed = plainText(text).toUpperCase();
  return isCurrency(typed) ? typed : CURRENCY_ALIASES.get(typed);
};

/** How many decimals a currency has: 2 for GHS, 0 for XOF. */
const decimalsIn = (currency: string): number => DECIMALS.get(currency) ?? 2;

/**
 * Reads an amount as people in Ghana write it: `50`, `1,200.50`, `GHS50`, `GH₵ 50`, `50 cedis`, `USD 20`.
 * What can be read in two ways is asked back, never guessed; nothing is ever rounded.
 */
export const parseMoney = (text: string, defaultCurrency: string): Parsed<Money> => {
  const parts = splitAmount(plainText(text));
  if (!parts.ok) return parts;
  const { before, digits, after } = parts.value;
  const currency = readCurrency([before.trim(), after.trim()], defaultCurrency);
  if (!currency.ok) return currency;
  const minor = readDigits(digits, currency.value);
  return minor.ok ? parsed({ amountMinor: minor.value, currency: currency.value }) : minor;
};

/** The one currency that the words around an amount name. */
const readCurrency = (words: readonly string[], defaultCurrency: string): Parsed<string> => {
  const named = new Set<string>();
  for (const word of words) {
    if (word === '') continue;
    const currency = parseCurrency(word);
    if (currency === undefined) return unknownCurrency(word);
    named.add(currency);
  }
  const [first = defaultCurrency, second] = named;
  if (second === undefined) return parsed(first);
  return wrong(`I see two currencies, ${first} and ${second}. Please give one.`);
};

const unknownCurrency = (word: string) =>
  /[\p{L}\p{Sc}]/u.test(word)
    ? wrong(
        `I do not know the currency ${quoted(word)}. Please use its three letters, such as GHS.`,
      )
    : wrong(
        `I cannot read ${quoted(word)} next to an amount. Please write it like 50 or 1,200.50.`,
      );

/** More whole digits than any shop needs, and few enough for exact arithmetic with 3 decimals. */
const MAX_WHOLE_DIGITS = 12;

const MAX_TYPED_LENGTH = 60;

type AmountText = {
  /** The text before the first digit. */
  readonly before: string;
  /** From the first digit to the last. */
  readonly digits: string;
  /** The text behind the last digit. */
  readonly after: string;
};

/**
 * Minor units of a plain decimal number, exactly. Undefined when it has more decimals than the currency
 * (zeros at the end do not count) or too many digits to be exact.
 */
const toMinorUnits = (whole: string, fraction: string, decimals: number): number | undefined => {
  const significant = fraction.replace(/0+$/, '');
  if (significant.length > decimals) return undefined;
  const minor = Number(whole + significant.padEnd(decimals, '0'));
  return Number.isSafeInteger(minor) ? minor : undefined;
};

/** Takes a typed amount apart, or asks back when it does not hold exactly one amount in full. */
const splitAmount = (typed: string): Parsed<AmountText> => {
  if (typed === '') return wrong('Please give an amount, such as 50 or 1,200.50.');
  if (hasCardNumber(typed)) return neverTypeCards();
  if (typed.length > MAX_TYPED_LENGTH) return wrong('That is too long to be an amount.');
  if (hasOtherDigits(typed)) return wrong('Please type the amount with the digits 0 to 9.');
  const letter = letterAmongDigits(typed);
  if (letter !== undefined) return letter;
  const match = /^(\D*)(\d(?:.*\d)?)(\D*)$/u.exec(typed);
  if (match === null) return wrong('Please type the amount in digits, such as 50.');
  const [, before = '', digits = '', after = ''] = match;
  return troubleWith({ before, digits, after }, typed) ?? parsed({ before, digits, after });
};

/** Whether the digits, with the text before them, look like a telephone number. */
const looksLikePhone = ({ before, digits }: AmountText): boolean => {
  const bare = digits.replace(/[\s().-]/g, '');
  const international = before.trimEnd().endsWith('+') && /^\d{7,15}$/.test(bare);
  return international || /^(0\d{9}|(00)?233\d{9})$/.test(bare);
};

const troubleWith = (parts: AmountText, typed: string) => {
  const { before, digits, after } = parts;
  if (looksLikePhone(parts))
    return wrong(`${quoted(typed)} looks like a phone number. Please give an amount, such as 50.`);
  if (before.includes('-')) return wrong('The amount must be more than zero.');
  if (/pesewa/i.test(digits + after) || /^\s*ps?\b/i.test(after))
    return wrong('Please write pesewas as part of the amount, such as 0.50.');
  if (/^\s*(k|m|bn?|mil|hundred|thousand|million|billion|grand)\b/i.test(after))
    return wrong('Please write the amount in full, such as 1500 for 1.5k.');
  if (SPACED.test(digits))
    return wrong(
      `I see a space in ${quoted(digits)}. Write one amount without it: ${digits.replaceAll(' ', ',')}.`,
    );
  if (/[^\d.,' ]|\.\./.test(digits) || isRow(digits))
    return wrong(
      `I see more than one number in ${quoted(typed)}. Please give one amount, such as 50.`,
    );
  return undefined;
};

/** Plain numbers with spaces between them. */
const isRow = (digits: string): boolean =>
  / /.test(digits) && digits.split(' ').every((part) => PLAIN.test(part));

const PLAIN = /^\d+(\.\d+)?$/;
/** Thousands with spaces between them, or an amount and a reference: never read, because only the writer knows. */
const SPACED = /^[1-9]\d{0,2}(?: \d{3})+(?:\.\d+)?$/;
/** `1,200.50`. */
const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/;
/** `1.200` is 1,200 in half of the world. */
const POINT_GROUPED = /^[1-9]\d{0,2}\.\d{3}$/;
const UNGROUPED = /^(?:0|[1-9]\d*)(?:\.\d+)?$/;

/** The digits of an amount as minor units, or a question where they can be read in two ways. */
const readDigits = (digits: string, currency: string): Parsed<number> => {
  const decimals = decimalsIn(currency);
  const clear = GROUPED.test(digits) || UNGROUPED.test(digits);
  if (!clear || (decimals < 3 && POINT_GROUPED.test(digits))) return unsure(digits);
  const [whole = '', fraction = ''] = digits.replaceAll(',', '').split('.');
  if (fraction.length > decimals) return tooManyDecimals(currency, decimals);
  if (whole.length > MAX_WHOLE_DIGITS) return wrong('That amount is too large.');
  const minor = toMinorUnits(whole, fraction, decimals);
  if (minor === undefined) return wrong('That amount is too large.');
  return minor > 0 ? parsed(minor) : wrong('The amount must be more than zero.');
};

const unsure = (digits: string) =>
  wrong(
    `I am not sure how to read ${quoted(digits)}. ` +
      'Use a point for decimals and commas for thousands, such as 1,200.50.',
  );

const tooManyDecimals = (currency: string, decimals: number) =>
  decimals === 0
    ? wrong(`${currency} has no decimals. Please give a whole amount, such as 50.`)
    : wrong(`${currency} has ${decimals} decimals at most. Please give an amount such as 1.50.`);

/** Plain decimal text with all of the currency's decimals, such as `1200.50`. */
export const decimalText = ({ amountMinor, currency }: Money): string => {
  const decimals = decimalsIn(currency);
  const digits = String(Math.abs(amountMinor)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const sign = amountMinor < 0 ? '-' : '';
  return decimals === 0 ? sign + whole : `${sign}${whole}.${digits.slice(-decimals)}`;
};

/** `GHS 1,200.50`: the same on every machine, and with a plain space, which keeps an SMS cheap. */
export const formatMoney = (money: Money): string => {
  const [whole = '', fraction] = decimalText(money).split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return `${money.currency} ${fraction === undefined ? grouped : `${grouped}.${fraction}`}`;
};

/** The JSON number sent to the service: the one whose decimal text is the amount. */
export const moneyToNumber = (money: Money): number => Number(decimalText(money));

/**
 * An amount or balance as the service gave it, such as `50`, `50.0` or `"50.00"`; it may be zero or less.
 * Undefined for anything that is not exactly an amount in this currency.
 */
export const moneyFromService = (value: string | number, currency: string): Money | undefined => {
  const match = /^(-?)(\d*)(?:\.(\d*))?$/.exec(String(value).trim());
  if (match === null || !/\d/.test(String(value))) return undefined;
  const [, sign = '', whole = '', fraction = ''] = match;
  const minor = toMinorUnits(whole, fraction, decimalsIn(currency));
  if (minor === undefined) return undefined;
  return { amountMinor: sign === '-' && minor !== 0 ? -minor : minor, currency };
};

export const sameMoney = (a: Money, b: Money): boolean =>
  a.currency === b.currency && a.amountMinor === b.amountMinor;

/** Below 0 when `a` is less, 0 when equal, above 0 when more. Throws on different currencies. */
export const compareMoney = (a: Money, b: Money): number => {
  refuseMixing(a, b);
  return a.amountMinor - b.amountMinor;
};

/** A sum that a number cannot hold exactly. */
export class InexactSumError extends RangeError {}

/** The sum. Throws on different currencies, and `InexactSumError` when it would not be exact. */
export const addMoney = (a: Money, b: Money): Money => {
  refuseMixing(a, b);
  const amountMinor = a.amountMinor + b.amountMinor;
  if (!Number.isSafeInteger(amountMinor))
    throw new InexactSumError('The sum is too large to be exact.');
  return { amountMinor, currency: a.currency };
};

const refuseMixing = (a: Money, b: Money): void => {
  if (a.currency !== b.currency)
    throw new TypeError(`${a.currency} and ${b.currency} cannot be added or compared.`);
};
