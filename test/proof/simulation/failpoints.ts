import { defined } from '../../../src/core/runtime/defined.ts';
import type { Scenario } from './scenarios.ts';
import { type Outcome, simulate } from './simulate.ts';

/** Calls that change nothing outside: to die at one is to die at the next that does. */
const CHANGES_NOTHING = /claim|next due|count|list|get|lookup|stat|open/;

/**
 * One run of a scenario that dies at the given calls: the first number counts from the beginning, each
 * further one from the death before, so that it also dies while it recovers.
 */
export const runWithDeaths = async (
  { seed, weather, habits, fates }: Scenario,
  deaths: readonly number[],
): Promise<Outcome & { readonly callsAfterDeaths: number }> => {
  const left = [...deaths];
  let calls = 0;
  const outcome = await simulate(seed, {
    weather,
    ...defined({ habits, fates }),
    // Another store for each.
    salt: deaths.reduce((sum, at) => sum * 1_009 + at, 7),
    fatality: (what) => {
      if (CHANGES_NOTHING.test(what)) return false;
      calls++;
      if (calls !== left[0]) return false;
      left.shift();
      calls = 0;
      return true;
    },
  });
  return { ...outcome, callsAfterDeaths: left.length === 0 ? calls : 0 };
};

/** What `deaths` come before another: how many calls there are to die at after them. */
export const pointsAfter = async (scenario: Scenario, deaths: readonly number[]): Promise<number> =>
  (await runWithDeaths(scenario, deaths)).callsAfterDeaths;
