import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

/** How many inputs all properties together get from `npm run fuzz` and from the planted bugs. */
export const USUAL_INPUTS = 300_000;
/** How many they get as a part of `npm test`: `.ci/run` tries the usual number besides. */
const SAMPLE_INPUTS = 25_000;

const USUAL_SEED = 20_261_121;

/** What every property is told: how much to try, from which seed, and where to write down what it tried. */
export type FuzzOrder = {
  /** 1 for the usual number of inputs. */
  readonly factor: number;
  readonly seed: number;
  /** A file with one line a property: its inputs and its name. */
  readonly tally: string;
};

declare module 'vitest' {
  interface ProvidedContext {
    fuzz: FuzzOrder;
  }
}

/** Before the properties run: the order, from the environment that `run.ts` made. Afterwards: what was done. */
export const setup = (project: TestProject): (() => void) => {
  const { FUZZ_RUNS: runs = String(SAMPLE_INPUTS), FUZZ_SEED: given } = process.env;
  // The tests try the same inputs each time: red means that something was changed. `npm run fuzz` looks for new ones.
  const seed = given === undefined ? USUAL_SEED : Number(given);
  const folder = mkdtempSync(join(tmpdir(), 'paythread-fuzz-'));
  const tally = join(folder, 'tally');
  writeFileSync(tally, '');
  project.provide('fuzz', { factor: Number(runs) / USUAL_INPUTS, seed, tally });
  return () => {
    process.stdout.write(`\n${summary(readFileSync(tally, 'utf8'), seed)}\n`);
    rmSync(folder, { recursive: true });
  };
};

const summary = (tally: string, seed: number): string => {
  const lines = tally.split('\n').filter((line) => line !== '');
  const inputs = lines.reduce((sum, line) => sum + Number.parseInt(line, 10), 0);
  const again = `npm run fuzz -- --seed ${seed}`;
  return `Properties: ${lines.length} ran, over ${inputs.toLocaleString('en')} inputs. The same again: ${again}`;
};
