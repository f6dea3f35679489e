import { stopCoverage, takeCoverage } from 'node:v8';
import { afterAll } from 'vitest';

/** What was run is written down here: at its end vitest may kill the process in the middle of it. */
afterAll(() => {
  takeCoverage();
  stopCoverage();
});
