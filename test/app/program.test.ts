import { spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { serveHttp } from '../support/serve-http.ts';
import { SpawnedApp } from '../support/spawned-app.ts';
import { tempFolder } from '../support/temp-folder.ts';

const MAIN = resolve('src/main.js');

/** A piped session whose payment stays pending; told to stop while it waits for the outcome. */
const toldToStop = async (): Promise<{ code: number | null; stderr: string }> => {
  const dir = await tempFolder();
  const child = spawn(process.execPath, [MAIN, 'start'], {
    cwd: dir,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: join(dir, 'data'), PORT: '0' },
    timeout: 240_000,
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text;
    if (stdout.includes('(⏳ TEST · GHS 50.00 pending')) child.kill('SIGTERM');
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text;
  });
  child.stdin.end('/charge 0244123406 50 GHS\nyes\n');
  return new Promise((done) => child.on('close', (code) => done({ code, stderr })));
};

describe('the program', () => {
  it('leaves with 0 when it is told to stop while it waits for an outcome, at whatever moment', async () => {
    const many = await Promise.all(Array.from({ length: 4 }, toldToStop));
    expect(many).toEqual(many.map(() => ({ code: 0, stderr: '' })));
  });

  it('ends at once at a second signal, also of another kind', async () => {
    const asked = Promise.withResolvers<void>();
    const dir = join(await tempFolder(), 'data');
    const env = {
      PATH: process.env['PATH'] ?? '',
      DATA_DIR: dir,
      PORT: '0',
      PUBLIC_URL: 'https://pay.example.com',
      // One that takes requests and never answers, so that a stop has to wait.
      PAYMENTS_BASE_URL: await serveHttp(() => asked.resolve()),
      PAYMENTS_CLIENT_KEY: 'client',
      PAYMENTS_SECRET_KEY: 'secret-of-the-shop-01',
      PAYMENTS_SERVICE_ID: '7',
      PAYMENTS_NICKNAME: 'Adjoa Stores',
    };
    const child = spawn(process.execPath, [MAIN, 'start'], { env, timeout: 240_000 });
    child.stdin.write('/lookup 0244123456\n');
    await asked.promise;
    const ended = new Promise((done) => child.on('close', (_, signal) => done(signal)));
    child.kill('SIGINT');
    await eventually(() =>
      expect(readFileSync(join(dir, 'paythread.log'), 'utf8')).toContain('"stopping"'),
    );
    child.kill('SIGTERM');
    expect(await ended).toBe('SIGTERM');
  });

  it('logs its start once, in one line, by HTTP as well', async () => {
    const port = await freePort();
    const serviceUrl = await serveHttp((_request, response) =>
      response.end('{"ok":true,"team_id":"T1","user_id":"U0BOT"}'),
    );
    const shop = new SpawnedApp(port, {
      DATA_DIR: join(await tempFolder(), 'data'),
      ACCESS_FILE: '/nowhere/access.yml',
      PAYMENTS_BASE_URL: 'sandbox',
      PUBLIC_URL: 'https://pay.example.com',
      SLACK_BOT_TOKEN: 'xoxb-canary',
      SLACK_SIGNING_SECRET: 'canary-signing',
      SLACK_API_URL: `${serviceUrl}/api/`,
    });
    shop.launch();
    await eventually(() => expect(shop.output).toContain('"msg":"started"'));
    const lines = shop.output.split('\n').filter((line) => line.includes('"msg":"started"'));
    expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
      expect.objectContaining({
        chats: ['Slack (http)'],
        payments: 'sandbox',
        publicUrl: 'https://pay.example.com',
        merchants: [],
        roles: 'none: there is no /nowhere/access.yml',
        port,
      }),
    ]);
    expect(shop.output).not.toContain('canary');
  });

  it.each([
    [0o755, 1],
    [0o700, 0],
  ])('warns of a data folder that others may look into (%o)', async (mode, times) => {
    const dir = join(await tempFolder(), 'data');
    mkdirSync(dir);
    chmodSync(dir, mode);
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dir, PORT: '0' };
    expect(spawnSync(process.execPath, [MAIN, 'start'], { env, input: '' }).status).toBe(0);
    const log = readFileSync(join(dir, 'paythread.log'), 'utf8');
    expect(log.split(`take that away with: chmod 700 ${dir}`)).toHaveLength(times + 1);
    expect(log).toMatch(/"version":.*"payments":"sandbox".*"roles":.*"msg":"started"/);
  });
});
