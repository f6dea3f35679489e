import { it } from 'vitest';
import { isSharedStore } from './test-store.ts';

type Options = { readonly tags?: string[] };
type Rest<Run> = readonly [Run] | readonly [Options, Run];
/** What a test gets of its case, as vitest's own `each` hands it over. */
type Of<Case> = Case extends readonly unknown[] ? [...Case] : [Case];

/** So many run at once; more would wait for each other. */
const LANES = 10;

/**
 * An `it` for tests that wait for processes, time-outs and leases more than they work: they begin when the first one
 * does, and each tells its own outcome. What they open is closed when the last of them has ended. On PostgreSQL they run one by one.
 *
 * ```ts
 * const it = together();
 * it('a cut connection is told', async () => { … });
 * it.each(['http', 'socket'])('a press over %s is answered', async (transport) => { … });
 * ```
 */
export const together = () => {
  const runs: (() => Promise<void>)[] = [];
  let begun: readonly Promise<void>[] | undefined;
  const outcome = async (at: number) => {
    // There each program has ten connections to the one server of all tests, until its group has ended.
    if (isSharedStore) return runs[at]?.();
    begun ??= beginAll(runs);
    await Promise.allSettled(begun);
    await begun[at];
  };
  const one = (title: string, ...rest: Rest<() => Promise<void>>): void => {
    const [options, run] = split(rest);
    const at = runs.push(run) - 1;
    it(title, options, () => outcome(at));
  };
  const each =
    <const Case>(cases: readonly Case[]) =>
    (title: string, ...rest: Rest<(...args: Of<Case>) => Promise<void>>): void => {
      const [options, run] = split(rest);
      // The place of its run comes behind what the title and the test know of.
      const placed = cases.map((of) => {
        const args = (Array.isArray(of) ? of : [of]) as unknown as Of<Case>;
        return [...args, runs.push(() => run(...args)) - 1];
      });
      it.each(placed)(title, options, (...args) => outcome(args.at(-1) as number));
    };
  return Object.assign(one, { each });
};

const split = <Run>(rest: Rest<Run>): readonly [Options, Run] =>
  rest.length === 1 ? [{}, rest[0]] : rest;

const beginAll = (runs: readonly (() => Promise<void>)[]): readonly Promise<void>[] => {
  const lanes: Promise<void>[] = [];
  return runs.map((run, at) => {
    const begun = lanes[at % LANES]?.then(run, run) ?? run();
    lanes[at % LANES] = begun;
    return begun;
  });
};
