import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { expect } from 'vitest';
import { commandEnv } from '../../support/command-env.ts';
import { healthyEnv } from '../../support/examined.ts';
import { freePort } from '../../support/free-port.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { together } from '../../support/together.ts';

const it = together();

/** The real program, in an empty folder with a clean environment. */
const doctor = async (env: Readonly<Record<string, string>>) => {
  const cwd = await tempFolder();
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((done, fail) => {
    const child = spawn(resolve('node_modules/.bin/node'), [resolve('src/main.js'), 'doctor'], {
      cwd,
      env: { ...commandEnv(), ...env },
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (text: Buffer) => (stdout += text.toString()));
    child.stderr.on('data', (text: Buffer) => (stderr += text.toString()));
    child.on('error', fail);
    child.on('close', (code) => done({ code, stdout, stderr }));
  });
};

it('leaves with 0 when there is nothing to correct', async () => {
  const { code, stdout, stderr } = await doctor(await healthyEnv());
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('Nothing to correct.');
});

it('leaves with 1 when there is, and prints no secret', async () => {
  const port = await freePort();
  const { code, stdout } = await doctor({
    ...(await healthyEnv()),
    DATABASE_URL: `postgres://paythread:canary-pass-77@127.0.0.1:${port}/paythread`,
    CALLBACK_SECRET: 'canary-callback-secret',
  });
  expect(code).toBe(1);
  expect(stdout).toMatch(/Database: not right\n {2}! .*\n {4}\S/);
  expect(stdout).not.toContain('canary');
});

it('leaves with 78 when the settings cannot be read', async () => {
  const { code, stdout, stderr } = await doctor({ PORT: 'many' });
  expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
  expect(stderr).toContain('PORT=3000');
});
