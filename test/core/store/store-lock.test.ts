import { spawn } from 'node:child_process';
import { chmod, mkdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Put } from '../../../src/core/records/records.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { StartError } from '../../../src/core/runtime/errors.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { runScript } from '../../support/child-script.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { filesNamed, openStoreIn } from '../../support/store-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const script = (name: string): string => join(import.meta.dirname, '../../support', name);
const lockOf = (dir: string): string => join(dir, 'paythread.lock');
const setting: Put = { kind: 'setting', record: { id: 'a', version: 1, value: '' } };

type Holder = { pid: number; host: string; startedAt?: string; space?: string };

/** What a lock of this very process says. */
const ownHolder = async (): Promise<Holder> => {
  const dir = await tempFolder();
  const store = await openStoreIn(dir);
  const holder: Holder = JSON.parse(await readFile(lockOf(dir), 'utf8'));
  await store.close();
  return holder;
};

/** A lock left in an empty folder, last touched so long ago. */
const leftBehind = async (holder: Holder | string, clock: ManualClock, ageMs: number) => {
  const dir = await tempFolder();
  const text = typeof holder === 'string' ? holder : `${JSON.stringify(holder)}\n`;
  await writeFile(lockOf(dir), text);
  await touch(dir, clock.now() - ageMs);
  return dir;
};

const touch = (dir: string, atMs: number): Promise<void> =>
  utimes(lockOf(dir), new Date(atMs), new Date(atMs));

const refusalOf = async (opening: Promise<Store>): Promise<string> => {
  const refusal = await opening.catch((error: unknown) => error);
  expect(refusal).toBeInstanceOf(StartError);
  return (refusal as StartError).message;
};

describe('the lock of a living process', () => {
  it('refuses a second one and names process and folder', { tags: ['F44'] }, async () => {
    const dir = await tempFolder();
    const child = await runScript('commit-until-killed.ts', [dir]);
    await eventually(async () => expect((await child.lines())[0]).toBe('open'));
    const message = await refusalOf(openStoreIn(dir));
    expect(message).toContain(`process ${child.process.pid} on ${hostname()}`);
    expect(message).toContain(dir);
    expect(message).toMatch(/Stop it first, or set DATA_DIR/);
  });

  it('refuses the same process, too', async () => {
    const dir = await tempFolder();
    const store = await openStoreIn(dir);
    expect(await refusalOf(openStoreIn(dir))).toContain(`process ${process.pid} on`);
    expect(await store.commit({ put: [setting] })).toBe(true);
  });

  it('is gone after a clean stop, and after a start that failed', async () => {
    const dir = await tempFolder();
    await (await openStoreIn(dir)).close();
    expect(await filesNamed(dir)).toEqual([]);
    await writeFile(join(dir, 'snapshot.json'), '');
    await refusalOf(openStoreIn(dir));
    expect(await filesNamed(dir)).toEqual(['snapshot.json']);
  });

  it('is touched every five seconds', async () => {
    const clock = new ManualClock();
    const dir = await tempFolder();
    await openStoreIn(dir, { clock });
    const touchedAtMs = async () => (await stat(lockOf(dir))).mtimeMs;
    await eventually(async () => expect(await touchedAtMs()).toBe(clock.now()));
    await clock.advance(5_000);
    await eventually(async () => expect(await touchedAtMs()).toBe(clock.now()));
  });

  it('that was taken away stops the process before it writes again', async () => {
    const dir = await tempFolder();
    const fatal: Error[] = [];
    const store = await openStoreIn(dir, { onFatal: (error) => fatal.push(error) });
    await store.commit({ put: [setting] });
    const journal = () => readFile(join(dir, 'journal-2026-01.ndjson'), 'utf8');
    const before = await journal();
    await rm(lockOf(dir));
    await writeFile(lockOf(dir), JSON.stringify({ pid: 1, host: 'elsewhere' }));
    const version2: Put = { kind: 'setting', record: { id: 'a', version: 2, value: '' } };
    await expect(store.commit({ put: [version2] })).rejects.toThrow();
    expect(fatal).toHaveLength(1);
    expect(String(fatal[0]?.cause)).toMatch(/gone or another's/);
    expect(await journal()).toBe(before);
    await store.close();
    expect(await readFile(lockOf(dir), 'utf8')).toContain('elsewhere');
  });

  it('that was taken away is noticed within five seconds, without a write', async () => {
    const clock = new ManualClock();
    const dir = await tempFolder();
    const fatal: Error[] = [];
    await openStoreIn(dir, { clock, onFatal: (error) => fatal.push(error) });
    await eventually(() => expect(clock.sleeping).toBe(2));
    await rm(lockOf(dir));
    await clock.advance(5_000);
    await eventually(() => expect(fatal).toHaveLength(1));
  });
});

describe('the lock of a dead process of this host', () => {
  it('is taken over at once after kill -9', async () => {
    const dir = await tempFolder();
    const child = await runScript('commit-until-killed.ts', [dir]);
    await eventually(async () => expect((await child.lines())[0]).toBe('open'));
    await child.kill('SIGKILL');
    expect(await filesNamed(dir, 'paythread.lock')).toHaveLength(1);
    const store = await openStoreIn(dir);
    const holder: Holder = JSON.parse(await readFile(lockOf(dir), 'utf8'));
    expect(holder.pid).toBe(process.pid);
    expect(await filesNamed(dir, 'paythread.lock')).toHaveLength(1);
    await store.close();
  });

  it('is taken over at once when nobody has noticed its death yet', async () => {
    const dir = await tempFolder();
    // A shell that becomes `sleep` never asks what became of its child: a zombie.
    const command = ['-c', '"$@" >&2 & exec sleep 60', 'bash', process.execPath];
    const parent = spawn('bash', [...command, script('commit-until-killed.ts'), dir], {
      stdio: 'ignore',
    });
    onTestFinished(() => void parent.kill('SIGKILL'));
    const holder = await eventually(
      async (): Promise<Holder> => JSON.parse(await readFile(lockOf(dir), 'utf8')),
    );
    process.kill(holder.pid, 'SIGKILL');
    await eventually(async () => {
      const state = await readFile(`/proc/${holder.pid}/stat`, 'utf8').catch(() => ') Z');
      expect(state).toMatch(/\) Z/);
    });
    await openStoreIn(dir);
  });

  it.each(['our own', 'the first'])(
    'is taken over at once when %s process has its id now',
    async (whose) => {
      const clock = new ManualClock();
      const pid = whose === 'our own' ? process.pid : 1;
      const dir = await leftBehind(
        { ...(await ownHolder()), pid, startedAt: '12345678901' },
        clock,
        0,
      );
      await openStoreIn(dir, { clock });
    },
  );

  it('goes to exactly one of many who find it', async () => {
    const holder = { ...(await ownHolder()), startedAt: '1' };
    for (let round = 0; round < 20; round++) {
      const dir = await leftBehind(holder, new ManualClock(), 0);
      // With the system's clock: who reads a claim before it is written looks some seconds for a sign of life.
      const openings = await Promise.allSettled(
        Array.from({ length: 12 }, () => openStoreIn(dir, { clock: systemClock })),
      );
      expect(openings.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await filesNamed(dir)).toEqual(['paythread.lock']);
    }
  });
});

describe('a lock that somebody else took over first', () => {
  it('is left alone, however dead it looked a moment ago', async () => {
    const late = new ManualClock();
    const holder = { ...(await ownHolder()), pid: 1, space: 'another container' };
    const dir = await leftBehind(holder, late, 2_000);
    const opening = refusalOf(openStoreIn(dir, { clock: late }));
    await eventually(() => expect(late.sleeping).toBe(1));
    // The quicker one touches its new lock at the very time of the old one, so it still looks dead.
    const quick = new ManualClock(late.now() - 2_000 - 6_000);
    const first = openStoreIn(dir, { clock: quick });
    await eventually(() => expect(quick.sleeping).toBe(1));
    await quick.advance(6_000);
    const store = await first;
    await eventually(async () => expect((await stat(lockOf(dir))).mtimeMs).toBe(quick.now()));
    await late.advance(4_000);
    expect(await opening).toContain(`process ${process.pid} on`);
    expect(await store.commit({ put: [setting] })).toBe(true);
    expect(await filesNamed(dir, 'paythread.lock')).toEqual(['paythread.lock']);
  });
});

describe('a lock whose process cannot be looked up', () => {
  const inAnotherContainer = async (): Promise<Holder> => ({
    ...(await ownHolder()),
    pid: 1,
    space: 'another boot pid:[4026532000]',
  });

  it('is taken over at once when it was silent for six seconds', async () => {
    const clock = new ManualClock();
    await openStoreIn(await leftBehind(await inAnotherContainer(), clock, 6_000), { clock });
  });

  it('is watched until it was silent for so long', async () => {
    const clock = new ManualClock();
    const dir = await leftBehind(await inAnotherContainer(), clock, 2_000);
    const opening = openStoreIn(dir, { clock });
    await eventually(() => expect(clock.nextWakeMs).toBe(clock.now() + 4_000));
    await clock.advance(4_000);
    await opening;
  });

  it('refuses when it is touched meanwhile', async () => {
    const clock = new ManualClock();
    const dir = await leftBehind(await inAnotherContainer(), clock, 2_000);
    const opening = refusalOf(openStoreIn(dir, { clock }));
    await eventually(() => expect(clock.sleeping).toBe(1));
    await touch(dir, clock.now() + 3_000);
    await clock.advance(4_000);
    expect(await opening).toMatch(/in use by process 1 on/);
  });

  it.each(['', '{"pid":', 'null', '{}'])(
    'that says %j is judged by its silence as well',
    async (text) => {
      const clock = new ManualClock();
      const silent = new ManualClock();
      await openStoreIn(await leftBehind(text, silent, 6_000), { clock: silent });
      const dir = await leftBehind(text, clock, 0);
      const opening = refusalOf(openStoreIn(dir, { clock }));
      await eventually(() => expect(clock.sleeping).toBe(1));
      await touch(dir, clock.now() + 1);
      await clock.advance(6_000);
      expect(await opening).toMatch(/in use by another process/);
    },
  );

  it('of another host is taken over only after 30 silent seconds', async () => {
    const clock = new ManualClock();
    const elsewhere = { pid: 1, host: 'elsewhere', startedAt: '1', space: 'x' };
    const message = await refusalOf(
      openStoreIn(await leftBehind(elsewhere, clock, 29_000), { clock }),
    );
    expect(message).toMatch(/process 1 on elsewhere.* start again 30 seconds later/);
    const opening = openStoreIn(await leftBehind(elsewhere, clock, 31_000), { clock });
    await eventually(() => expect(clock.sleeping).toBe(1));
    await clock.advance(6_000);
    await opening;
  });

  it.each([-86_400_000, -600_000, 600_000, 86_400_000])(
    'of another host whose clock is %i ms from ours is not taken from it while it lives',
    async (skewMs) => {
      const clock = new ManualClock();
      const elsewhere = { pid: 1, host: 'elsewhere', startedAt: '1', space: 'x' };
      const dir = await leftBehind(elsewhere, clock, -skewMs);
      const opening = refusalOf(openStoreIn(dir, { clock }));
      await eventually(() => expect(clock.sleeping).toBe(1));
      await touch(dir, clock.now() + skewMs + 5_000);
      await clock.advance(6_000);
      expect(await opening).toMatch(/in use by process 1 on elsewhere/);
    },
  );

  it('of another host is refused at once when it was touched a moment ago', async () => {
    const clock = new ManualClock();
    const elsewhere = { pid: 1, host: 'elsewhere', startedAt: '1', space: 'x' };
    await refusalOf(openStoreIn(await leftBehind(elsewhere, clock, 1_000), { clock }));
  });
});

describe('a folder that cannot be used', () => {
  it('is refused when it is a file, or inside one', async () => {
    const file = join(await tempFolder(), 'file');
    await writeFile(file, '');
    expect(await refusalOf(openStoreIn(file))).toMatch(/cannot be used: it is not a folder\. Make/);
    expect(await refusalOf(openStoreIn(join(file, 'data')))).toMatch(
      /something in its path is not a folder/,
    );
  });

  it('is refused without the right to write, in a clear sentence', async () => {
    const dir = join(await tempFolder(), 'data');
    await mkdir(dir);
    await chmod(dir, 0o500);
    // The superuser may do anything, so for this moment the process is somebody else.
    const superuser = process.geteuid?.() === 0;
    if (superuser) process.seteuid?.(65_534);
    try {
      const message = await refusalOf(openStoreIn(dir));
      expect(message).toBe(
        `The data folder ${dir} cannot be used: permission denied. Make it readable and writable for the user Paythread runs as, or set DATA_DIR to another folder.`,
      );
    } finally {
      if (superuser) process.seteuid?.(0);
    }
  });
});
