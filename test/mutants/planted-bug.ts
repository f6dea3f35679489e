/** Text in a source file that is replaced; it stands there exactly once. */
export type Edit = { readonly file: string; readonly find: string; readonly put: string };

/** A bug planted on purpose. */
export type PlantedBug = { readonly name: string; readonly edits: readonly Edit[] };

export const replaced = (file: string, find: string, put: string): readonly Edit[] => [
  { file, find, put },
];
