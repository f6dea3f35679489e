/** The first word and the rest, as they were typed. */
export const firstWord = (text: string): { word: string; rest: string } => {
  const [, word = '', rest = ''] = /^\s*(\S*)\s*([\s\S]*)$/.exec(text) ?? [];
  return { word, rest: rest.trimEnd() };
};
