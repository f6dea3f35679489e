import { parseArgs } from 'node:util';
import { USUAL_INPUTS } from '../support/fuzz-order.ts';
import { runVitest } from '../support/run-vitest.ts';

/*
 * `npm run fuzz -- --runs 10000000 --seed 7`: all properties with that many inputs in sum, from a seed of
 * one's own or a random one. Both are printed at the end.
 */
const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
for (const [name, value] of Object.entries(values))
  if (!/^\d{1,10}$/.test(value)) throw new TypeError(`--${name} must be a whole number`);

// A property may take as long as it likes.
process.exitCode = runVitest(['--project', 'properties', '--testTimeout', '0'], {
  FUZZ_RUNS: values.runs ?? String(USUAL_INPUTS),
  FUZZ_SEED: values.seed ?? String(Math.trunc(Math.random() * 2 ** 31)),
});
