import { defineConfig } from 'vitest/config';
import { proofTags } from '../../support/proof-table.ts';
import { TESTS } from './measured.ts';

export default defineConfig({
  test: {
    root: '.',
    tags: proofTags(),
    include: TESTS,
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    globalSetup: 'test/support/shared-postgres.ts',
    setupFiles: 'test/proof/branches/take-coverage.ts',
    // Node's own imports: what V8 counts then stands in the sources as they are.
    experimental: { viteModuleRunner: false },
  },
});
