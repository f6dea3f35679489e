import { phoneForms } from './phone-forms.ts';

const SECRET_MARK = '[secret]';

/** Values under these keys are always masked; keys are compared in lower case, letters only. */
const SECRET_KEY =
  /authorization|token|secret|password|passwd|cookie|credential|signature|apikey|clientkey|body$|payload$|customername|accountname/;

/** A shorter one would blot out ordinary words. */
const SHORTEST_SECRET = 4;

/** Secrets recognised by their shape, for those that are not configured. */
const SHAPES: readonly (readonly [RegExp, string])[] = [
  [/\b(Basic|Bearer)\s+[\w+/=.~-]{6,}/gi, `$1 ${SECRET_MARK}`],
  [/\bxox[a-z]-[\w-]+|\bxapp-[\w-]+/g, SECRET_MARK],
  // No word boundary in front: in Telegram's addresses the token follows the letters "bot".
  [/\d{6,}:[\w-]{30,}/g, SECRET_MARK],
  [/(\/callbacks\/[^/\s"]+\/)[^/\s"?]+/g, `$1${SECRET_MARK}`],
];

const RANDOM_TEXT = /(?=\S*\d)(?=\S*[a-z])[\w+/=.~-]{20,}/i;

/** Whether a text is like a key or token that no setting names: many letters and digits without a space. Addresses are not. */
export const looksSecret = (text: string): boolean =>
  !/^\w+:\/\//.test(text) && (RANDOM_TEXT.test(text) || maskShapes(text) !== text);

let phoneNumbers = phoneForms('GH');

/** Has numbers of this country masked from now on, in the whole process: texts are masked where no setting is at hand. */
export const maskNumbersOf = (country: string): void => {
  phoneNumbers = phoneForms(country);
};

/** Takes secrets and full phone numbers out of a value of JSON, however deep they are. */
export type Masker = (value: unknown) => unknown;

/** Takes these secrets out of a text, each also as it looks inside an address. */
export const secretHider = (secrets: readonly string[]): ((text: string) => string) => {
  const known = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [secret, encodeURIComponent(secret.toWellFormed())])
    // The longest first: a secret may be part of another.
    .sort((a, b) => b.length - a.length);
  return (text) => known.reduce((rest, secret) => rest.replaceAll(secret, SECRET_MARK), text);
};

/** Knows the secrets of this process, and what others look like. */
export const maskerFor = (secrets: readonly string[]): Masker => {
  const hideSecrets = secretHider(secrets);
  const maskText = (text: string): string => maskPhones(maskShapes(hideSecrets(text)));

  const mask: Masker = (value) => {
    if (typeof value === 'string') return maskText(value);
    if (typeof value === 'number') return maskNumber(value, maskText);
    if (Array.isArray(value)) return value.map(mask);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [
        maskText(key),
        isSecretKey(key) && hides(each) ? SECRET_MARK : mask(each),
      ]),
    );
  };
  return mask;
};

const maskShapes = (text: string): string =>
  SHAPES.reduce((rest, [shape, mark]) => rest.replace(shape, mark), text);

/** A text with only the last four digits of every phone number in it. */
export const maskPhones = (text: string): string =>
  phoneNumbers.reduce((rest, number) => rest.replace(number, lastDigits), text);

/** The last four digits are enough to recognise a number one knows. */
const lastDigits = (number: string): string => `•••••${number.replace(/\D/g, '').slice(-4)}`;

const maskNumber = (value: number, maskText: (text: string) => string): number | string => {
  const masked = maskText(String(value));
  return masked === String(value) ? value : masked;
};

const isSecretKey = (key: string): boolean =>
  SECRET_KEY.test(key.toLowerCase().replace(/[^a-z]/g, ''));

/** A count or a yes or no under such a key, such as `tokenCount`, gives nothing away. */
const hides = (value: unknown): boolean =>
  typeof value === 'string' || (typeof value === 'object' && value !== null);
