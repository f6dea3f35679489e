/** Words that mean something, and the other words in their order. */
export type FoundAmong<T> = {
  readonly value: T;
  readonly words: string;
  readonly rest: readonly string[];
};

/** Finds the first words, at most `most`, that `read` understands, as many as possible; undefined: it understands none. */
export const findAmong = <T>(
  words: readonly string[],
  most: number,
  read: (text: string, wordBefore: string | undefined) => T | undefined,
): FoundAmong<T> | undefined => {
  for (const at of words.keys())
    for (let end = Math.min(words.length, at + most); end > at; end--) {
      const text = words.slice(at, end).join(' ');
      const value = read(text, words[at - 1]);
      if (value !== undefined) return { value, words: text, rest: words.toSpliced(at, end - at) };
    }
  return undefined;
};
