import { parseArgs } from 'node:util';
import { runVitest } from '../../support/run-vitest.ts';
import { mustBeWhole } from '../../support/whole-numbers.ts';

/**
 * `node test/proof/bulk-crash/run.ts --kills 50 --store postgres`: kills a program that charges a file, at so many
 * moments; leaves with 0 when no row was charged twice and none was lost. On PostgreSQL each kill takes 45 s.
 */
const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '50' },
    store: { type: 'string', default: 'embedded' },
  },
});
mustBeWhole(values, 'kills');
process.exitCode = runVitest(['--project', 'embedded', 'test/proof/bulk-crash'], {
  KILLS: values.kills,
  TEST_STORE: values.store,
});
