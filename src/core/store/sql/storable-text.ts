/** Whether both databases give a text back as it was: NUL and lone surrogates are not kept everywhere. */
export const isStorableText = (text: string): boolean =>
  !text.includes('\0') && text.isWellFormed();

/** An id is a key and not typed by people, so such characters in it are an error of the program. */
export const mustBeStorableId = (id: string): void => {
  if (!isStorableText(id)) throw new Error(`An id cannot be stored: ${JSON.stringify(id)}`);
};
