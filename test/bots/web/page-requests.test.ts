import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, openSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VISIT_MS } from '../../../src/bots/web/visits.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { ownHeaders, PracticeVisit, practiceAddress, send } from '../../support/practice.ts';
import { runApp } from '../../support/run-app.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const begin = JSON.stringify({ do: 'begin', person: 'ama', look: 'slack' });

const opened = async (env: Record<string, string> = {}) => {
  const shop = await runApp(env);
  const at = practiceAddress(shop.app);
  const post = (headers: Record<string, string>, body = begin) =>
    send(at, { method: 'POST', path: `${at.path}/do`, headers, body });
  return { shop, at, port: at.port, post };
};

describe('the practice page', () => {
  it('is shown with a policy that allows its own files alone, and its address is in the terminal', {
    tags: ['T43'],
  }, async () => {
    const { shop, at, port } = await opened();
    const page = await send(at, {});
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'/,
    );
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.text).not.toMatch(/<script>|<style|\son\w+=|style=|https?:\/\//);
    expect(at.path).toMatch(/^\/try\/[\w-]{22}$/);
    expect(shop.screen()).toContain(`http://localhost:${port}${at.path}\n`);
    for (const [, path = ''] of page.text.matchAll(/(?:src|href)="(\/try\/[^"]+)"/g)) {
      expect(path).toContain(at.path);
      expect((await send(at, { path })).status, path).toBe(200);
    }
  });

  it('does not exist for a name that a stranger points at this machine, for a proxy, or below its own files', {
    tags: ['T43'],
  }, async () => {
    const { at, port, post } = await opened();
    for (const headers of [
      { host: `evil.example:${port}` },
      { host: `localhost.evil.example:${port}` },
      { host: `127.0.0.1.evil.example` },
      { 'x-forwarded-for': '192.0.2.7' },
      { forwarded: 'for=192.0.2.7' },
    ]) {
      expect((await send(at, { headers })).status, JSON.stringify(headers)).toBe(404);
      const posted = await post({ ...ownHeaders(at), ...headers });
      expect(posted.status, JSON.stringify(headers)).toBe(404);
    }
    for (const path of [
      `${at.path}/`,
      `${at.path}/page.html`,
      `${at.path}/../package.json`,
      `${at.path}/%2e%2e/x`,
      `${at.path}x`,
      '/tryx',
    ])
      expect((await send(at, { path })).status, path).toBe(404);
  });

  it('does not exist for a reader who does not have its address, as behind a proxy that says nothing of itself', {
    tags: ['T78'],
  }, async () => {
    const { at } = await opened();
    const others = [
      ...['', '/', '/do', '/page.js', `/${'A'.repeat(22)}`, `/${'A'.repeat(22)}/do`],
      ...[at.path.slice(4, -1), at.path.slice(4).toLowerCase(), `${at.path.slice(4)}A`],
    ];
    for (const end of others) {
      const got = await send(at, { path: `/try${end}` });
      expect([got.status, got.text], end).toEqual([404, 'not found']);
      const asked = { method: 'POST', path: `/try${end}`, headers: ownHeaders(at), body: begin };
      expect((await send(at, asked)).status, end).toBe(404);
    }
    expect((await opened()).at.path).not.toBe(at.path);
  });

  it('leaves no folder of a visit behind, not even after it was killed', {
    tags: ['F96'],
  }, async () => {
    const dir = await tempFolder();
    const shop = await runApp({}, { dir });
    const visit = new PracticeVisit(practiceAddress(shop.app));
    await visit.begin();
    const folder = join(dir, 'data', 'practice');
    const [left = ''] = readdirSync(folder);
    // What a kill leaves: a copy, because this process goes on.
    cpSync(join(folder, left), join(dir, 'copy'), { recursive: true });
    await shop.stop();
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([]);
    cpSync(join(dir, 'copy'), join(folder, left), { recursive: true });
    const { app } = await runApp({ PORT: '0' }, { dir });
    expect(existsSync(folder)).toBe(false);
    expect(app.practiceUrl).toBeDefined();
  });

  it('takes what its own page sends, and nothing that another page, a form or a frame can send', {
    tags: ['T43'],
  }, async () => {
    const { at, port, post } = await opened();
    const own = ownHeaders(at);
    for (const headers of [
      { 'content-type': 'application/json' },
      { ...own, origin: 'null' },
      { ...own, origin: 'http://evil.example' },
      { ...own, origin: `http://localhost:${port + 1}` },
      { ...own, 'sec-fetch-site': 'cross-site' },
      { ...own, 'sec-fetch-site': 'same-site' },
    ])
      expect((await post(headers as Record<string, string>)).status, JSON.stringify(headers)).toBe(
        403,
      );
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])
      expect((await post({ ...own, 'content-type': type })).status, type).toBe(415);
    expect((await send(at, { path: `${at.path}/do` })).status).toBe(405);
    expect((await send(at, { method: 'POST' })).status).toBe(405);
    expect((await post(own)).status).toBe(200);
  });

  it('answers what is too long, no JSON or not a request of its own with a status and a sentence', {
    tags: ['T43'],
  }, async () => {
    const { at, post } = await opened();
    const own = ownHeaders(at);
    expect((await post(own, 'x'.repeat(17 * 1024))).status).toBe(413);
    for (const body of [
      '',
      '{',
      'null',
      '[]',
      '{"do":"begin"}',
      '{"do":"stop"}',
      '{"__proto__":1}',
    ])
      expect(await post(own, body), body).toMatchObject({
        status: 400,
        text: expect.stringContaining('I do not know'),
      });
    const visit = new PracticeVisit(at);
    await visit.begin();
    expect((await visit.act({ do: 'type', text: 'hi', more: 1 })).status).toBe(400);
    expect((await visit.act({ do: 'type', text: 'hi' }, { person: 'root' })).status).toBe(400);
  });

  it('does nothing for a forged visit, message, button, form or prompt', {
    tags: ['T43'],
  }, async () => {
    const { at } = await opened();
    const visit = new PracticeVisit(at);
    await visit.begin();
    await visit.type('/charge 0244123456 50');
    const question = await visit.shows('Charge GHS 50.00');
    // The message is private: for another person it is not there.
    expect((await visit.press(question, 'Charge', { person: 'esi' })).status).toBe(409);
    expect((await visit.press(question, 'Nothing')).status).toBe(409);
    expect((await visit.act({ do: 'press', message: 'm99', value: 'charge:x' })).status).toBe(409);
    expect((await visit.act({ do: 'submit', form: 'x', answers: {} })).status).toBe(409);
    expect((await visit.answer('x', 'approved')).status).toBe(409);
    visit.id = 'A'.repeat(24);
    expect((await visit.press(question, 'Charge')).status).toBe(410);
  });

  it.each([
    [
      'a chat platform',
      {
        PAYMENTS_BASE_URL: 'sandbox',
        SLACK_BOT_TOKEN: 'xoxb-1',
        SLACK_SIGNING_SECRET: 'secret-of-slack',
      },
    ],
    [
      'a real payment service',
      {
        PAYMENTS_BASE_URL: 'http://127.0.0.1:1',
        PAYMENTS_CLIENT_KEY: 'key',
        PAYMENTS_SECRET_KEY: 'secret',
        PAYMENTS_SERVICE_ID: '1',
        PAYMENTS_NICKNAME: 'Shop',
        PUBLIC_URL: 'http://localhost',
      },
    ],
  ])('is not there with %s', { tags: ['T43'] }, async (_what, env) => {
    const { app } = await runApp({ ...env, SLACK_API_URL: 'http://127.0.0.1:1/' });
    expect(app.practiceUrl).toBeUndefined();
    for (const path of ['/try', `/try/${'A'.repeat(22)}`])
      expect((await send({ port: app.port, path }, {})).status).toBe(404);
  });
});

describe('a visit', () => {
  it('gives its place to the next when its page was closed, and else the fifth waits', {
    tags: ['T43'],
  }, async () => {
    const clock = new ManualClock();
    const shop = await runApp({}, { clock });
    const visits = Array.from({ length: 5 }, () => new PracticeVisit(practiceAddress(shop.app)));
    const statuses: number[] = [];
    for (const visit of visits) statuses.push((await visit.begin()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 503]);
    await clock.advance(61_000);
    await visits[1]?.state();
    expect((await new PracticeVisit(practiceAddress(shop.app)).begin()).status).toBe(200);
    expect((await visits[0]?.act({ do: 'close' }))?.status).toBe(410);
    expect((await visits[1]?.act({ do: 'close' }))?.status).toBe(200);
  });

  it('ends after half an hour, also one that is in use', { tags: ['T43'] }, async () => {
    const clock = new ManualClock();
    const { app } = await runApp({}, { clock });
    const visit = new PracticeVisit(practiceAddress(app));
    await visit.begin();
    await clock.advance(VISIT_MS - 1_000);
    expect((await visit.state()).minutesLeft).toBe(1);
    await clock.advance(1_000);
    expect((await visit.act({ do: 'watch', seen: 0 })).status).toBe(410);
  });
});

/** Writes the address of each module that is loaded. */
const TELL_MODULES = `data:text/javascript,${encodeURIComponent(
  "import { registerHooks } from 'node:module'; import { writeSync } from 'node:fs';" +
    "registerHooks({ load: (url, context, next) => { writeSync(2, url + '\\n'); return next(url, context); } });",
)}`;

it('the start loads no code of the practice page, no parser of arguments and no reader of phone numbers', async () => {
  const dir = await tempFolder();
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dir, PORT: '0' };
  const main = ['--import', TELL_MODULES, resolve('src/main.js'), 'start'];
  // A file takes all of it at once: a pipe that is not read in time makes the write fail.
  const told = join(await tempFolder(), 'modules.txt');
  const { status } = spawnSync(process.execPath, main, {
    env,
    input: '',
    stdio: ['pipe', 'ignore', openSync(told, 'w')],
  });
  expect(status).toBe(0);
  const modules = readFileSync(told, 'utf8');
  expect(modules).toContain('/src/bots/terminal/terminal-bot.ts');
  expect(modules).not.toMatch(/\/src\/bots\/web\/|\/commander\/|\/libphonenumber-js\/(?!metadata)/);
});
