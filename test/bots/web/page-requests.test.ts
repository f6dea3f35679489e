import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { VISIT_MS } from '../../../src/bots/web/visits.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { ownHeaders, PracticeVisit, send } from '../../support/practice.ts';
import { runApp } from '../../support/run-app.ts';
import { tempFolder } from '../../support/temp-folder.ts';

const begin = JSON.stringify({ do: 'begin', person: 'ama', look: 'slack' });

const opened = async (env: Record<string, string> = {}) => {
  const shop = await runApp(env);
  return { shop, port: shop.app.port };
};

describe('the practice page', () => {
  it('is shown with a policy that allows its own files alone, and its address is in the terminal', {
    tags: ['T43'],
  }, async () => {
    const { shop, port } = await opened();
    const page = await send(port, {});
    expect(page.status).toBe(200);
    expect(page.headers['content-security-policy']).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'/,
    );
    expect(page.headers['set-cookie']).toBeUndefined();
    expect(page.text).not.toMatch(/<script>|<style|\son\w+=|style=|https?:\/\//);
    expect(shop.screen()).toContain(`http://localhost:${port}/try\n`);
    for (const [, path = ''] of page.text.matchAll(/(?:src|href)="(\/try\/[^"]+)"/g))
      expect((await send(port, { path })).status, path).toBe(200);
  });

  it('does not exist for a name that a stranger points at this machine, for a proxy, or below its own files', {
    tags: ['T43'],
  }, async () => {
    const { port } = await opened();
    for (const headers of [
      { host: `evil.example:${port}` },
      { host: `localhost.evil.example:${port}` },
      { host: `127.0.0.1.evil.example` },
      { 'x-forwarded-for': '192.0.2.7' },
      { forwarded: 'for=192.0.2.7' },
    ]) {
      expect((await send(port, { headers })).status, JSON.stringify(headers)).toBe(404);
      const posted = { ...ownHeaders(port), ...headers };
      const asked = { method: 'POST', path: '/try/do', headers: posted, body: begin };
      expect((await send(port, asked)).status, JSON.stringify(headers)).toBe(404);
    }
    for (const path of [
      '/try/',
      '/try/page.html',
      '/try/../package.json',
      '/try/%2e%2e/x',
      '/tryx',
    ])
      expect((await send(port, { path })).status, path).toBe(404);
  });

  it('takes what its own page sends, and nothing that another page, a form or a frame can send', {
    tags: ['T43'],
  }, async () => {
    const { port } = await opened();
    const post = (headers: Record<string, string>) =>
      send(port, { method: 'POST', path: '/try/do', headers, body: begin });
    const own = ownHeaders(port);
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
    expect((await send(port, { path: '/try/do' })).status).toBe(405);
    expect((await send(port, { method: 'POST' })).status).toBe(405);
    expect((await post(own)).status).toBe(200);
  });

  it('answers what is too long, no JSON or not a request of its own with a status and a sentence', {
    tags: ['T43'],
  }, async () => {
    const { port } = await opened();
    const post = (body: string) =>
      send(port, { method: 'POST', path: '/try/do', headers: ownHeaders(port), body });
    expect((await post('x'.repeat(17 * 1024))).status).toBe(413);
    for (const body of [
      '',
      '{',
      'null',
      '[]',
      '{"do":"begin"}',
      '{"do":"stop"}',
      '{"__proto__":1}',
    ])
      expect(await post(body), body).toMatchObject({
        status: 400,
        text: expect.stringContaining('I do not know'),
      });
    const visit = new PracticeVisit(port);
    await visit.begin();
    expect((await visit.act({ do: 'type', text: 'hi', more: 1 })).status).toBe(400);
    expect((await visit.act({ do: 'type', text: 'hi' }, { person: 'root' })).status).toBe(400);
  });

  it('does nothing for a forged visit, message, button, form or prompt', {
    tags: ['T43'],
  }, async () => {
    const { port } = await opened();
    const visit = new PracticeVisit(port);
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
    const { port } = await opened({ ...env, SLACK_API_URL: 'http://127.0.0.1:1/' });
    expect((await send(port, {})).status).toBe(404);
  });
});

describe('a visit', () => {
  it('gives its place to the next when its page was closed, and else the fifth waits', {
    tags: ['T43'],
  }, async () => {
    const clock = new ManualClock();
    const shop = await runApp({}, { clock });
    const visits = Array.from({ length: 5 }, () => new PracticeVisit(shop.app.port));
    const statuses: number[] = [];
    for (const visit of visits) statuses.push((await visit.begin()).status);
    expect(statuses).toEqual([200, 200, 200, 200, 503]);
    await clock.advance(61_000);
    await visits[1]?.state();
    expect((await new PracticeVisit(shop.app.port).begin()).status).toBe(200);
    expect((await visits[0]?.act({ do: 'close' }))?.status).toBe(410);
    expect((await visits[1]?.act({ do: 'close' }))?.status).toBe(200);
  });

  it('ends after half an hour, also one that is in use', { tags: ['T43'] }, async () => {
    const clock = new ManualClock();
    const shop = await runApp({}, { clock });
    const visit = new PracticeVisit(shop.app.port);
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

it('the start loads no code of the practice page', async () => {
  const dir = await tempFolder();
  const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: dir, PORT: '0' };
  const main = ['--import', TELL_MODULES, resolve('src/main.js')];
  const { status, stderr } = spawnSync(process.execPath, main, {
    env,
    input: '',
    encoding: 'utf8',
  });
  expect(status).toBe(0);
  expect(stderr).toContain('/src/bots/terminal/terminal-bot.ts');
  expect(stderr).not.toContain('/src/bots/web/');
});
