import { it } from 'vitest';

type Run = () => Promise<void>;
type Options = { readonly tags?: string[] };

/**
 * An `it` for tests that wait for processes, time-outs and leases more than they work: all of them begin when the first
 * one does, and each tells its own outcome. What they open is closed when the last of them has ended.
 *
 * ```ts
 * const it = together();
 * it('a cut connection is told', async () => { … });
 * ```
 */
export const together = () => {
  const runs: Run[] = [];
  let begun: Promise<void>[] | undefined;
  return (title: string, ...rest: readonly [Run] | readonly [Options, Run]): void => {
    const [options, run] = rest.length === 1 ? [{}, rest[0]] : rest;
    const at = runs.push(run) - 1;
    it(title, options, async () => {
      begun ??= runs.map((each) => each());
      await Promise.allSettled(begun);
      await begun[at];
    });
  };
};
