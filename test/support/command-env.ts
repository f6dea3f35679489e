/** What every program started by a test gets besides its settings: nothing of the developer's environment. */
export const commandEnv = (): Record<string, string> => {
  const { PATH = '', NODE_COMPILE_CACHE } = process.env;
  return NODE_COMPILE_CACHE === undefined ? { PATH } : { PATH, NODE_COMPILE_CACHE };
};
