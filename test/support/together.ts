import { it } from 'vitest';

type Run = () => Promise<void>;

/**
 * An `it` for tests that wait for processes, time-outs and leases more than they work: all of them begin when the first
 * one does, and each tells its own outcome. What they open is closed when the last of them has ended.
 *
 * ```ts
 * const it = together();
 * it('a cut connection is told', {}, async () => { … });
 * ```
 */
export const together = () => {
  const runs: Run[] = [];
  let begun: Promise<void>[] | undefined;
  return (title: string, options: { readonly tags?: string[] }, run: Run): void => {
    const at = runs.push(run) - 1;
    it(title, options, async () => {
      begun ??= runs.map((each) => each());
      await Promise.allSettled(begun);
      await begun[at];
    });
  };
};
