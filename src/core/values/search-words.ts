/** Letters that no Unicode decomposition reduces to the ones that people type in their place. */
const PLAIN_LETTERS: Readonly<Record<string, string>> = {
  ɛ: 'e',
  ɔ: 'o',
  ŋ: 'n',
  ø: 'o',
  đ: 'd',
  ł: 'l',
  ı: 'i',
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
};

const LETTERS_AND_DIGITS = /[\p{L}\p{N}]+/gu;
/** Of one text: a name or a reference has at most 60 characters. */
const MOST_WORDS = 20;
const LONGEST_WORD = 40;

/** In lower case, without accents, in letters that every keyboard has. */
export const plainLetters = (text: string): string =>
  text
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}+/gu, '')
    .replace(/[ɛɔŋøđłıßæœ]/g, (letter) => PLAIN_LETTERS[letter] ?? letter);

/** The words of a text as they are searched. Both what is stored and what is typed pass through here. */
export const searchWords = (text: string): string[] => {
  const found = plainLetters(text).match(LETTERS_AND_DIGITS) ?? [];
  const words = found.map((word) => word.slice(0, LONGEST_WORD));
  return [...new Set(words)].slice(0, MOST_WORDS);
};
