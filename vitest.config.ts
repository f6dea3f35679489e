import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { memoryFolder } from './test/support/memory-folder.ts';
import { PATIENCE_MS } from './test/support/patience.ts';
import { proofTags } from './test/support/proof-table.ts';
import { SlowFirst } from './test/support/slow-first.ts';

const inMemory = memoryFolder();
// Inherited by every process of the tests.
if (inMemory !== undefined) process.env['TMPDIR'] ??= inMemory;

/** What holds for every project. */
const common = {
  environment: 'node',
  // The ids of test/FAULTS.md and test/THREATS.md: a tag says what a test proves.
  tags: proofTags(),
  // Processes, not threads: tests start servers and child processes, and a crash must name its file.
  pool: 'forks',
  // A process runs many files: no module of src keeps state, and no file may leave its process changed.
  isolate: false,
  setupFiles: 'test/support/shared-process.ts',
  // Node runs these files as it runs the program. Vite's module runner would translate each import of theirs into a
  // property read, which took a tenth of the CPU of `npm test`.
  experimental: { viteModuleRunner: false },
  // Compiled code is kept, for the workers and for the commands that tests start: a command takes half the CPU.
  env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/paythread-tests') },
  // These bound a stuck test; how fast a machine is decides nothing.
  testTimeout: 2.5 * PATIENCE_MS,
  hookTimeout: 2.5 * PATIENCE_MS,
  expect: { poll: { timeout: PATIENCE_MS } },
} as const;

export default defineConfig({
  test: {
    // On two cores: many tests wait for a process or a server more than they work.
    maxWorkers: 4,
    teardownTimeout: 60_000,
    sequence: { sequencer: SlowFirst },
    // For the global setup, which is of no project.
    experimental: common.experimental,
    // Once for the run, not for each project.
    globalSetup: 'test/support/shared-postgres.ts',
    projects: [
      {
        test: {
          ...common,
          name: 'embedded',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/properties/**'],
        },
      },
      // Tens of thousands of inputs, counted; they need neither store.
      {
        test: {
          ...common,
          name: 'properties',
          include: ['test/properties/*.test.ts'],
          globalSetup: 'test/support/fuzz-order.ts',
        },
      },
      // The story of a charge and that of the day's sums once more, on the other store. `.ci/run` lives all of them there.
      {
        test: {
          ...common,
          name: 'postgres',
          include: ['test/journeys/{slack,close}.test.ts'],
          env: { ...common.env, TEST_STORE: 'postgres' },
        },
      },
    ],
  },
});
