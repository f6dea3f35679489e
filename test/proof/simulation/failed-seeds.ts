import { readFileSync } from 'node:fs';

/** A seed that once found something. It runs for ever after, with every test run. */
export type FailedSeed = {
  readonly seed: number;
  readonly found: string;
  readonly fixedBy: string;
};

export const failedSeeds = (): FailedSeed[] =>
  JSON.parse(readFileSync(new URL('./failed-seeds.json', import.meta.url), 'utf8')) as FailedSeed[];
