/** Longest text of the service that is kept; what is longer is no message any more. */
const MAX_TEXT_LENGTH = 500;

/** Control characters, invisible ones and those that turn the direction of writing. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu;

/** Replaces a list or an object where a text is expected. */
const UNREADABLE = '(unreadable)';

/**
 * A value of the service as text, word for word but safe to store and to show; `undefined` when the
 * service gave none. What is no text at all is not dropped: an amount that cannot be read must not
 * look like an amount that was not given.
 */
export const outsideText = (value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  const text = typeof value === 'object' ? UNREADABLE : String(value);
  const clean = text
    .slice(0, 4 * MAX_TEXT_LENGTH)
    .replace(UNPRINTABLE, ' ')
    .trim();
  // A cut may fall between the two halves of one character.
  return clean === '' ? undefined : clean.slice(0, MAX_TEXT_LENGTH).toWellFormed();
};

/** Chat platforms take button links up to about this length. */
const MAX_LINK_LENGTH = 2000;

/** The first of these values that customers may safely be sent to: https, without credentials, of bearable length. */
export const findCheckoutLink = (candidates: readonly unknown[]): string | undefined =>
  candidates
    .map((each) => (typeof each === 'string' ? safeLink(each.trim()) : undefined))
    .find((link) => link !== undefined);

const safeLink = (text: string): string | undefined => {
  if (text.length > MAX_LINK_LENGTH || !URL.canParse(text)) return undefined;
  const url = new URL(text);
  const safe = url.protocol === 'https:' && url.username === '' && url.password === '';
  return safe && url.href.length <= MAX_LINK_LENGTH ? url.href : undefined;
};
