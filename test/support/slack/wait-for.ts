import { PATIENCE_MS } from '../patience.ts';

const EVERY_MS = 5;

/** Polls until there is something; in the end it fails and says what there was instead. */
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
