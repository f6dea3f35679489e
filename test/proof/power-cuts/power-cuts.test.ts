import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Dice } from '../storm/dice.ts';
import { replayDiskErrors } from './disk-errors.ts';
import { replayLocks } from './locks.ts';
import { replayPowerCuts } from './power-cuts.ts';
import { NO_COMPILER, withRecorder } from './recorder.ts';

const RUN = join(import.meta.dirname, 'run.ts');
const hasCompiler = spawnSync('cc', ['--version']).status === 0;

/** A sample of `npm run power-cuts`. */
describe.runIf(hasCompiler)('the store on a disk that keeps only what was flushed', () => {
  it('loses nothing acknowledged in a power cut, and has nothing by half', {
    tags: ['F59'],
  }, async () => {
    const length = { groups: 6, hasBurst: true };
    const report = await withRecorder((library, folder) =>
      replayPowerCuts({ library, folder, dice: new Dice(14), rounds: 30, length }),
    );
    expect(report).toMatchObject({ replayed: 30, failures: [] });
    expect(report?.acknowledged).toBeGreaterThan(1_000);
    expect(report?.unflushed).toBeGreaterThan(20);
  });

  it('acknowledges nothing after a call that failed, and loses nothing', {
    tags: ['F38', 'F39'],
  }, async () => {
    const report = await withRecorder((library, folder) =>
      replayDiskErrors({ library, folder, dice: new Dice(14), most: 6, only: / in use$/ }),
    );
    expect(report?.failures).toEqual([]);
    expect([...(report?.failed.keys() ?? [])]).toEqual(
      expect.arrayContaining(['write data/paythread.db', 'sync data/paythread.db']),
    );
  });

  it('is refused to a second process and on a file system without locks', {
    tags: ['F44'],
  }, async () => {
    expect(
      await withRecorder((library, folder) => replayLocks({ library, folder, seed: 14 })),
    ).toEqual([]);
  });
});

it('the script says that it needs a compiler where there is none', () => {
  const { status, stdout } = spawnSync(process.execPath, [RUN], {
    encoding: 'utf8',
    env: { ...process.env, PATH: '' },
  });
  expect([status, stdout]).toEqual([0, `${NO_COMPILER}\n`]);
});
