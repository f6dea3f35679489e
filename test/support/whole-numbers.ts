type Options = Readonly<Record<string, string | boolean | undefined>>;

/**
 * Options of a script that are numbers: a slip such as `--rounds 1OO` would otherwise run nothing and find nothing wrong.
 * @throws {TypeError} when one that was given is no whole number.
 */
export const mustBeWhole = (options: Options, ...names: readonly string[]): void => {
  for (const name of names) {
    const text = options[name];
    if (text !== undefined && !/^\d{1,10}$/.test(String(text)))
      throw new TypeError(`--${name} must be a whole number`);
  }
};
