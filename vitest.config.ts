import { join } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { PATIENCE_MS } from './test/support/patience.ts';

export default defineConfig({
  test: {
    environment: 'node',
    // Processes, not threads: tests start servers and child processes, and a crash must name its file.
    pool: 'forks',
    // A process runs many files: no module of src keeps state, and no file may leave its process changed.
    isolate: false,
    setupFiles: 'test/support/shared-process.ts',
    // Compiled code is kept, for the workers and for the commands that tests start: a command takes half the CPU.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/paythread-tests') },
    // On two cores: many tests wait for a process or a server more than they work.
    maxWorkers: 4,
    // These bound a stuck test; how fast a machine is decides nothing.
    testTimeout: 2.5 * PATIENCE_MS,
    hookTimeout: 2.5 * PATIENCE_MS,
    teardownTimeout: 60_000,
    expect: { poll: { timeout: PATIENCE_MS } },
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, 'test/properties/**'],
        },
      },
      // Hundreds of thousands of inputs, counted; they need neither store.
      {
        extends: true,
        test: {
          name: 'properties',
          include: ['test/properties/*.test.ts'],
          globalSetup: 'test/support/fuzz-order.ts',
        },
      },
      // Whole stories once more, on the other store.
      {
        extends: true,
        test: {
          name: 'postgres',
          include: ['test/journeys/*.test.ts'],
          env: { TEST_STORE: 'postgres' },
        },
      },
    ],
  },
});
