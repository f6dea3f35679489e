import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const VITEST = join(import.meta.dirname, '../../node_modules/vitest/vitest.mjs');

/** Runs vitest in a process of its own, shows what it says, and gives its exit code. */
export const runVitest = (args: readonly string[], env: Readonly<Record<string, string>>): number =>
  spawnSync(process.execPath, [VITEST, 'run', ...args], {
    stdio: 'inherit',
    env: { ...process.env, ...env },
  }).status ?? 1;
