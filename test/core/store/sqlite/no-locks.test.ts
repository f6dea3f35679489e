import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { tempFolder } from '../../../support/temp-folder.ts';

const LIBRARY = join(tmpdir(), `paythread-no-locks-${process.pid}.so`);
const SOURCE = resolve('test/support/no-locks.c');
const mayCompile =
  spawnSync('cc', ['-shared', '-fPIC', '-o', LIBRARY, SOURCE, '-ldl']).status === 0;
afterAll(() => rm(LIBRARY, { force: true }));

/** Starts the real program in a folder of its own, and waits for its end. */
const start = async (): Promise<{ status: number | null; stderr: string; files: string[] }> => {
  const dir = await tempFolder();
  const data = join(dir, 'data');
  const { status, stderr } = spawnSync(process.execPath, [resolve('src/main.js'), 'start'], {
    cwd: dir,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: data, PORT: '0', LD_PRELOAD: LIBRARY },
    input: '',
    encoding: 'utf8',
    timeout: 60_000,
  });
  return { status, stderr, files: readdirSync(data) };
};

it.each(mayCompile ? ['the C library'] : [])(
  'a data folder where %s refuses every lock is not said to be in use, and nothing is left in it of the attempt',
  async () => {
    const { status, stderr, files } = await start();
    expect(stderr).toMatch(/^The data folder .* is on a file system that keeps no locks, .* Set /);
    expect(status).toBe(78);
    expect(files.filter((name) => name.startsWith('paythread-lock-'))).toEqual([]);
  },
  60_000,
);
