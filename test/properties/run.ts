import { parseArgs } from 'node:util';
import { USUAL_INPUTS } from '../support/fuzz-order.ts';
import { runVitest } from '../support/run-vitest.ts';
import { seedOfVersion } from '../support/seed-of-version.ts';
import { mustBeWhole } from '../support/whole-numbers.ts';

/*
 * `npm run fuzz -- --runs 10000000 --seed 7`: all properties with that many inputs in sum, from a seed of
 * one's own or a random one. Both are printed at the end. `--seed version` takes that of the version.
 */
const { values } = parseArgs({ options: { runs: { type: 'string' }, seed: { type: 'string' } } });
const isOfVersion = values.seed === 'version';
mustBeWhole(values, 'runs', ...(isOfVersion ? [] : ['seed']));

// A property may take as long as it likes.
process.exitCode = runVitest(['--project', 'properties', '--testTimeout', '0'], {
  FUZZ_RUNS: values.runs ?? String(USUAL_INPUTS),
  FUZZ_SEED: isOfVersion
    ? String(seedOfVersion())
    : (values.seed ?? String(Math.trunc(Math.random() * 2 ** 31))),
});
