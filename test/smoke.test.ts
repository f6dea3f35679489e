import { spawn } from 'node:child_process';
import {
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

/*
 * The test runner compiles TypeScript in its own, more forgiving way. These tests start the Node that
 * `npm start` uses on the sources as they are.
 */
const NODE = resolve('node_modules/.bin/node');
const MAIN = resolve('src/main.js');

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paythread-smoke-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

type Ended = { readonly code: number | null; readonly stdout: string; readonly stderr: string };

/** Runs in an empty folder with a clean environment, so that nobody's own settings are picked up. */
const run = (args: string[], options: { env?: Record<string, string>; input?: string } = {}) =>
  new Promise<Ended>((done, fail) => {
    const { PATH = '' } = process.env;
    const child = spawn(NODE, args, {
      cwd: folder,
      env: { PATH, DATA_DIR: join(folder, 'data'), PORT: '0', ...options.env },
      timeout: 240_000,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => (stdout += text));
    child.stderr.setEncoding('utf8').on('data', (text: string) => (stderr += text));
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr }));
    child.stdin.end(options.input ?? '');
  });

describe('the program as it is started', () => {
  it('carries out what README pipes in, waits for the outcome as README shows it and leaves with 0', async () => {
    const readme = readFileSync('README.md', 'utf8');
    const [, piped = ''] = /^printf '(.+)' \| npm start$/m.exec(readme) ?? [];
    const [, shown = ''] = /transcript: begin -->\n```\n([\s\S]+?)```/.exec(readme) ?? [];
    const input = `/whoami\n${piped.replaceAll('\\n', '\n')}`;
    const { code, stdout, stderr } = await run([MAIN, 'start'], { input });
    expect(stderr).toBe('');
    expect(stdout).toContain('terminal:local');
    // Whoever starts it, and whenever.
    const alike = (text: string) => text.replace(/\d\d:\d\d( · \S+$)?|@\S+/gm, '…');
    expect(alike(stdout.slice(stdout.indexOf('> /charge')))).toBe(alike(shown));
    expect(code).toBe(0);
  });

  it.each([
    ['of Paythread 0.5', 'snapshot.json', 78, /has the store of Paythread 0\.5 or 0\.6/],
    ['whose restore was cut off', 'paythread.db.restoring', 1, /Run "npm run restore" once more/],
    ['that was moved', 'moved-to-postgresql.txt', 78, /were moved to PostgreSQL/],
    ['without its database', 'paythread.db-wal', 1, /Put both back/],
  ])(
    'refuses a data folder %s and has written nothing there',
    {
      tags: ['F98'],
    },
    async (_what, file, status, why) => {
      const data = join(folder, 'data');
      mkdirSync(data);
      writeFileSync(join(data, file), 'old');
      // A setting that is warned of in the log.
      const { code, stderr } = await run([MAIN, 'start'], { env: { PAYMENTS_RAET: '5' } });
      expect(stderr).toMatch(why);
      expect(code).toBe(status);
      expect(readdirSync(data)).toEqual([file]);
      expect(readFileSync(join(data, file), 'utf8')).toBe('old');
    },
  );

  it('says of a data folder on a read-only disk why it cannot be used, and what to do', async () => {
    const { code, stdout, stderr } = await run([MAIN, 'start'], {
      env: { DATA_DIR: '/sys/paythread' },
    });
    expect(stderr).toMatch(
      /The data folder \/sys\/paythread cannot be used: .+\. Make it readable and writable for the user Paythread runs as, or set DATA_DIR to another folder\./,
    );
    expect([code, stdout]).toEqual([1, '']);
  });

  it('is traced when it is started with the official SDK of OpenTelemetry', async () => {
    const sdk = pathToFileURL(resolve('test/support/load-tracing-sdk.ts')).href;
    const env = { NODE_OPTIONS: `--import ${sdk}` };
    const { code, stdout } = await run([MAIN, 'start'], { env, input: '/balance\n' });
    expect(stdout).toContain("name: 'balance typed'");
    expect(stdout).toContain("name: 'check_sms_balance'");
    expect(code).toBe(0);
  });

  it('refuses bad settings with 78 and has touched nothing', async () => {
    const { code, stdout, stderr } = await run([MAIN, 'start'], {
      env: { PORT: '80x', LOG_LEVEL: 'loud' },
    });
    expect(code).toBe(78);
    expect(stdout).toBe('');
    expect(stderr).toContain('PORT=3000');
    expect(stderr).toContain('LOG_LEVEL=info');
    expect(stderr).not.toContain('    at ');
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe('a Node that cannot run TypeScript', () => {
  it('is refused with one sentence', async () => {
    const { code, stderr } = await run(['--no-strip-types', MAIN, 'start']);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Paythread needs Node\.js 24\.15 .* "npm start".*\n$/);
  });
});

describe('every source file', () => {
  it('loads in Node as it is, and nothing happens when it does', async () => {
    const files = globSync('src/**/*.ts');
    const urls = files.map((file) => pathToFileURL(resolve(file)).href);
    const program = `for (const url of ${JSON.stringify(urls)}) await import(url);`;
    const { code, stdout, stderr } = await run(['--input-type=module', '--eval', program]);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(readdirSync(folder)).toEqual([]);
  });
});
