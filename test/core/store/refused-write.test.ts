import { spawn, spawnSync } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, describe, expect } from 'vitest';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { formatMoney } from '../../../src/core/values/money.ts';
import { openStoreIn } from '../../support/store-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { together } from '../../support/together.ts';

const it = together();
const MAIN = resolve('src/main.js');

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };
type Way = {
  readonly command: readonly string[];
  readonly env?: Record<string, string>;
  /** Once the screen shows this, it is told to stop. */
  readonly until?: string;
};

/** The real program with the terminal chat, as `npm start` starts it, typing `input` into it. */
const run = (dir: string, { command, env, until }: Way, input: string): Promise<Ended> =>
  new Promise((done, fail) => {
    const [file = '', ...args] = command;
    const child = spawn(file, [...args, MAIN, 'start'], {
      cwd: dir,
      env: {
        PATH: process.env['PATH'] ?? '',
        DATA_DIR: join(dir, 'data'),
        ACCESS_FILE: join(dir, 'access.yml'),
        PORT: '0',
        PAYMENTS_RATE: '100',
        ...env,
      },
      timeout: 240_000,
    });
    let [stdout, stderr] = ['', ''];
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout += text;
      if (until !== undefined && stdout.includes(until)) child.kill('SIGTERM');
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text;
    });
    // It may be gone before it has read everything.
    child.stdin.on('error', () => {});
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr }));
    child.stdin.end(input);
  });

const charges = (count: number): string =>
  Array.from(
    { length: count },
    (_, n) => `/charge 0244${123_456 + n * 100} ${10 + n} GHS\nyes\n`,
  ).join('');

/** The payments that were confirmed on the screen, by their amounts: each has its own. */
const confirmedOn = (screen: string): string[] => {
  const cards = screen.matchAll(/(GHS [\d.]+) (?:being sent|pending) · /g);
  return [...new Set([...cards].map(([, amount]) => amount ?? ''))];
};

const expectThere = async (store: Store, screen: string): Promise<void> => {
  const { payments } = await store.listPayments({}, { limit: 100 });
  const states = new Map(payments.map(({ terms, state }) => [formatMoney(terms.amount), state]));
  for (const amount of confirmedOn(screen)) expect([...states.keys()]).toContain(amount);
  for (const [, amount = ''] of screen.matchAll(/(GHS [\d.]+) from .+: completed/g))
    expect(states.get(amount), amount).toBe('completed');
};

/** It ends with one sentence; the next start goes on with all that was acknowledged. */
const expectOneSentenceAndAllThere = async (way: Way): Promise<string> => {
  const dir = await tempFolder();
  const failed = await run(dir, way, charges(40));
  expect(failed.stderr).toBe(
    'Paythread stops: the data folder could not be written. The log says more.\n',
  );
  expect(failed.code).toBe(1);
  const next = { command: [process.execPath], until: 'GHS 7.00 being sent' };
  const again = await run(dir, next, '/charge 0244123455 7 GHS\nyes\n');
  expect(again).toMatchObject({ code: 0, stderr: '' });
  const store = await openStoreIn(join(dir, 'data'), { clock: systemClock });
  await expectThere(store, failed.stdout);
  await expectThere(store, again.stdout);
  return failed.stdout;
};

describe('a write that the kernel refuses', () => {
  it('ends the program with one sentence, and nothing that was shown is lost', {
    tags: ['F38', 'F39'],
  }, async () => {
    const limited = ['bash', '--norc', '-c', 'ulimit -f 1000; exec "$@"', 'bash', process.execPath];
    const screen = await expectOneSentenceAndAllThere({ command: limited });
    expect(confirmedOn(screen).length).toBeGreaterThan(3);
  });
});

const TRACER = 'strace';

/** The flush at which it fails: some payments are under way by then. */
const NTH = '60';

const byTheKernel: Way = {
  command: [
    ...[TRACER, '-f', '-qq', '-o', '/dev/null', '-e', 'trace=fsync,fdatasync'],
    ...['-e', `inject=fsync,fdatasync:error=EIO:when=${NTH}`, process.execPath],
  ],
};

const mayTrace = spawnSync(TRACER, ['-o', '/dev/null', 'true']).status === 0;

const LIBRARY = join(tmpdir(), `paythread-failing-flush-${process.pid}.so`);
const SOURCE = resolve('test/support/failing-flush.c');
const mayCompile =
  spawnSync('cc', ['-shared', '-fPIC', '-o', LIBRARY, SOURCE, '-ldl']).status === 0;
afterAll(() => rm(LIBRARY, { force: true }));

/** The kernel itself says so where a tracer is there and allowed, the C library in its place where a compiler is. */
const ways: readonly (readonly [who: string, way: Way])[] = [
  ...(mayCompile
    ? ([
        [
          'the C library',
          { command: [process.execPath], env: { FAIL_FLUSH: NTH, LD_PRELOAD: LIBRARY } },
        ],
      ] as const)
    : []),
  ...(mayTrace ? [['the kernel', byTheKernel] as const] : []),
];

describe.each(ways)('a flush of which %s says that it failed', (_who, way) => {
  it('ends the program with one sentence, and nothing that was shown is lost', {
    tags: ['F38', 'F39'],
  }, async () => {
    const screen = await expectOneSentenceAndAllThere(way);
    expect(confirmedOn(screen).length).toBeGreaterThan(3);
  });
});
