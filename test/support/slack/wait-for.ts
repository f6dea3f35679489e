const EVERY_MS = 5;
const PATIENCE_MS = 120_000;

/** Polls until there is something; after two minutes it fails and says what there was instead. */
export const waitFor = async <T>(
  what: string,
  probe: () => T | undefined | Promise<T | undefined>,
  describe: () => unknown | Promise<unknown> = () => '',
): Promise<T> => {
  const deadlineMs = performance.now() + PATIENCE_MS;
  for (;;) {
    const found = await probe();
    if (found !== undefined) return found;
    if (performance.now() > deadlineMs)
      throw new Error(`waited for ${what}; there was:\n${String(await describe())}`);
    await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
  }
};
