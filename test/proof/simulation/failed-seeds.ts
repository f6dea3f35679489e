import { readFileSync } from 'node:fs';
import {
  changingHabitsOf,
  crowdHabitsOf,
  filingHabitsOf,
  habitsOf,
  PLAIN,
  shopHabitsOf,
} from './habits.ts';
import { type Outcome, simulate } from './simulate.ts';

/** A seed that once found something. It runs for ever after with every simulation, and the newest with every test run. */
export type FailedSeed = {
  readonly seed: number;
  readonly found: string;
  readonly fixedBy: string;
  /** Found in a world of charges alone, as all were before 0.9. @default false */
  readonly isPlain?: true;
  /** Found in a world whose people set levels in the chat, as they do since 0.10. @default false */
  readonly changesLevels?: true;
  /** Found in a world whose people send files. @default false */
  readonly sendsFiles?: true;
  /** Found in a world whose files repeat each other and typed charges, as they do since 0.13. @default false */
  readonly repeats?: true;
  /** Found in a world with merchants or forgers, as there are since 0.14. @default false */
  readonly isCrowded?: true;
  /** Found in a world where money is given back, as it is since 0.16. @default false */
  readonly givesBack?: true;
};

/** The world of a seed as it was when it was found. */
export const simulateSeed = (seed: number): Promise<Outcome> => {
  const failed = failedSeeds().find((each) => each.seed === seed);
  if (failed === undefined || failed.givesBack) return simulate(seed);
  if (failed.isCrowded) return simulate(seed, { habits: crowdHabitsOf(seed) });
  if (failed.repeats) return simulate(seed, { habits: shopHabitsOf(seed) });
  if (failed.sendsFiles) return simulate(seed, { habits: filingHabitsOf(seed) });
  if (failed.changesLevels) return simulate(seed, { habits: changingHabitsOf(seed) });
  return simulate(seed, { habits: failed.isPlain ? PLAIN : habitsOf(seed) });
};

export const failedSeeds = (): FailedSeed[] =>
  JSON.parse(readFileSync(new URL('./failed-seeds.json', import.meta.url), 'utf8')) as FailedSeed[];
