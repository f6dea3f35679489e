import { spawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from './support/temp-folder.ts';

const MAIN = resolve('src/main.js');

/** A piped session whose payment stays pending; told to stop while it waits for the outcome. */
const toldToStop = async (): Promise<{ code: number | null; stderr: string }> => {
  const dir = await tempFolder();
  const child = spawn(process.execPath, [MAIN], {
    cwd: dir,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(dir, 'data'), PORT: '0' },
    timeout: 60_000,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.includes('· pending)')) child.kill('SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end('/charge 0244123406 50 GHS\nyes\n');
  return new Promise((done) => child.on('close', (code) => done({ code, stderr })));
};

describe('the program', () => {
  it('leaves with 0 when it is told to stop while it waits for an outcome, at whatever moment', async () => {
    const many = await Promise.all(Array.from({ length: 8 }, toldToStop));
    expect(many).toEqual(many.map(() => ({ code: 0, stderr: '' })));
  }, 60_000);
});
