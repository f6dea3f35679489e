import { wrong } from '../runtime/errors.ts';

/** Slack turns what looks like a number or an address into `<tel:+233…|024…>`; what the person typed is the label. */
const AUTO_LINK = /<(tel:|mailto:|https?:\/\/)([^<>|\s]+)(?:\|([^<>|]+))?>/g;

/** ASCII in the wide form of East Asian keyboards. */
const FULL_WIDTH = /[\uff01-\uff5e]/g;
const FULL_WIDTH_OFFSET = 0xfee0;

/** Hyphens, dashes and minus signs that keyboards and editors put in the place of `-`. */
const DASHES = /[\u2010-\u2015\u2212\ufe58\ufe63]/g;

/** JavaScript counts the byte order mark as white space; here it is invisible. */
const WHITE_SPACE = /(?:(?!\ufeff)[\s\u0085])+/g;

/** Invisible characters and those that turn the direction of writing; halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Cs}]+/gu;

const ECHO_LENGTH = 30;

/** More than a list of 500 numbers with the longest SMS. Longer text is refused before it is gone through. */
export const LONGEST_TYPED = 10_000;

/** A platform nests no links; links nested by hand are resolved only this deep. */
const MAX_PASSES = 4;

const LINK_SIGNS = /<(?:tel:|mailto:|https?:\/\/)?|>/g;

/** What the person saw when typing, where the platform made a link of it. */
export const withoutAutoLinks = (text: string): string =>
  text.replace(AUTO_LINK, (_link, scheme: string, target: string, label?: string) => {
    if (label !== undefined) return label;
    return scheme.startsWith('http') ? scheme + target : target;
  });

/**
 * Typed words on one line, reduced to what can be seen: links unwrapped, full-width characters and fancy
 * dashes in their plain form, white space collapsed, invisible characters gone.
 *
 * Unicode's NFKC would go too far: it makes `52` of `5²`.
 */
export const plainText = (text: string): string => {
  // A link can come out of another one, or of characters that were wide or had something invisible between them.
  let typed = text;
  for (let pass = 0; pass < MAX_PASSES; pass++) {
    const plain = cleaned(typed);
    if (plain === typed) return plain;
    typed = plain;
  }
  return cleaned(typed.replace(LINK_SIGNS, ''));
};

const cleaned = (text: string): string =>
  withoutAutoLinks(text)
    .replace(FULL_WIDTH, (char) => String.fromCharCode(char.charCodeAt(0) - FULL_WIDTH_OFFSET))
    .replaceAll('\uffe0', '¢')
    .replace(DASHES, '-')
    .replace(WHITE_SPACE, ' ')
    .replace(UNPRINTABLE, '')
    .normalize('NFC')
    .replace(/ {2,}/g, ' ')
    .trim();

/** Whether there are digits other than 0 to 9 in it: of other scripts, raised ones, fractions. */
export const hasOtherDigits = (text: string): boolean => /(?![0-9])\p{N}/u.test(text);

/** Digits with letters between them that look like 0 and 1; not the letters of a currency beside an amount, as in `50ILS`. */
const WITH_LETTERS = /(?:(?<!\p{L})[OolI]+)?\d[\dOolI.,]*(?!\p{L})/gu;

/** Says which letter was typed for a digit, as in `5O`; undefined: none was. */
export const letterAmongDigits = (typed: string) => {
  const word = typed.match(WITH_LETTERS)?.find((each) => /[OolI]/.test(each)) ?? '';
  const [letter] = /[OolI]/.exec(word) ?? [];
  if (letter === undefined) return undefined;
  const digit = /o/i.test(letter) ? 0 : 1;
  return wrong(`I see the letter ${letter} in ${quoted(word)}. Type the digit ${digit}.`);
};

/** A piece of what was typed, for a sentence about it. */
export const quoted = (text: string): string => {
  const chars = [...text];
  return chars.length > ECHO_LENGTH ? `"${chars.slice(0, ECHO_LENGTH).join('')}…"` : `"${text}"`;
};
