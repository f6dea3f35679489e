import { beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '../../../src/core/runtime/errors.ts';
import { FastClock } from '../../support/fast-clock.ts';
import { encoded, signedHeaders } from '../../support/slack/delivery.ts';
import { waitFor } from '../../support/slack/wait-for.ts';
import { type Rig, startRig } from './bot-rig.ts';

const nowSeconds = () => Math.floor(Date.now() / 1_000);

describe('HTTP mode', () => {
  let rig: Rig;
  beforeEach(async () => {
    rig = await startRig('http');
  });

  const form = encoded('slash_commands', {
    command: '/charge',
    text: '0244123456 50',
    team_id: 'T000000001',
    channel_id: 'C0SALES000',
    user_id: 'U0AMA00000',
    user_name: 'ama',
    trigger_id: '1.2.3',
  });

  const send = async (
    options: { secret?: string; timestampSeconds?: number; body?: string; headers?: object } = {},
  ) => {
    const secret = options.secret ?? rig.slack.signingSecret;
    const response = await fetch(rig.slack.eventsUrl, {
      method: 'POST',
      body: options.body ?? form.body,
      headers: {
        'content-type': form.contentType,
        ...signedHeaders(form.body, {
          secret,
          timestampSeconds: options.timestampSeconds ?? nowSeconds(),
        }),
        ...options.headers,
      },
    });
    return { status: response.status, text: await response.text() };
  };

  it('takes a signed request', async () => {
    expect(await send()).toEqual({ status: 200, text: '' });
    await expect.poll(() => rig.inbound.commands).toEqual(['charge 0244123456 50']);
  });

  it('takes an event that Slack delivers again, whose first delivery may never have come', async () => {
    const headers = { 'x-slack-retry-num': '1', 'x-slack-retry-reason': 'http_timeout' };
    expect((await send({ headers })).status).toBe(200);
    await expect.poll(() => rig.inbound.commands).toEqual(['charge 0244123456 50']);
  });

  it('takes a form whose content type a proxy has changed', async () => {
    const headers = { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8' };
    expect((await send({ headers })).status).toBe(200);
    await expect.poll(() => rig.inbound.commands).toEqual(['charge 0244123456 50']);
  });

  it.each([
    ['signed with another secret', { secret: 'wrong' }],
    ['changed after it was signed', { body: form.body.replace('50', '5000') }],
    ['older than 5 minutes', { timestampSeconds: nowSeconds() - 301 }],
    ['more than 5 minutes in the future', { timestampSeconds: nowSeconds() + 330 }],
    ['without a signature', { headers: { 'x-slack-signature': '' } }],
    ['with an odd timestamp', { headers: { 'x-slack-request-timestamp': 'now' } }],
  ])('refuses a request %s', { tags: ['T4'] }, async (_, options) => {
    expect((await send(options)).status).toBe(401);
    expect(rig.inbound.seen).toEqual([]);
  });

  it.each([
    ['a shortcut', 'interactive', { type: 'shortcut', callback_id: 'new-charge' }],
    ['a press in App Home', 'interactive', { type: 'block_actions', view: { type: 'home' } }],
    ['an opened App Home', 'events_api', { event: { type: 'app_home_opened', user: 'U1' } }],
  ] as const)(
    'refuses %s that is signed with another secret',
    { tags: ['T4'] },
    async (...which) => {
      const [, kind, payload] = which;
      const { body, contentType } = encoded(kind, payload);
      const forged = { 'content-type': contentType, ...signedHeaders(body, { secret: 'wrong' }) };
      expect((await send({ body, headers: forged })).status).toBe(401);
      expect(rig.inbound.seen).toEqual([]);
    },
  );

  it('refuses a request of more than 256 KiB', async () => {
    expect((await send({ body: 'x'.repeat(262_145) })).status).toBe(413);
  });

  it('smuggles nothing in with a check of the certificate', async () => {
    const body = `${form.body}&ssl_check=1`;
    const headers = { 'x-slack-signature': 'v0=none' };
    expect((await send({ body, headers })).status).toBe(200);
    expect(rig.inbound.seen).toEqual([]);
  });

  it('answers the challenge with which Slack verifies the address', async () => {
    const body = JSON.stringify({ type: 'url_verification', challenge: 'abc' });
    const headers = {
      'content-type': 'application/json',
      ...signedHeaders(body, { secret: rig.slack.signingSecret }),
    };
    expect(await send({ body, headers })).toEqual({ status: 200, text: '{"challenge":"abc"}' });
  });

  it('answers 404 to what is no request of Slack, and lives on', async () => {
    const url = rig.slack.eventsUrl;
    expect((await fetch(url)).status).toBe(404);
    expect((await fetch(`${url}/more`, { method: 'POST', body: '' })).status).toBe(404);
    expect((await send()).status).toBe(200);
  });

  it('asks Slack once who it is, however many requests come', async () => {
    for (let count = 0; count < 5; count += 1) await send();
    await expect.poll(() => rig.inbound.seen).toHaveLength(5);
    expect(rig.slack.calls('auth.test')).toHaveLength(1);
  });

  it('is ready, and takes nothing after a stop', async () => {
    expect(rig.bot.notReady()).toBeUndefined();
    await rig.bot.stop();
    expect(await send()).toEqual({ status: 503, text: 'not ready, please send it again' });
  });
});

describe('signing in', () => {
  let rig: Rig;

  it('refuses to start with a bot token that Slack does not accept', async () => {
    rig = await startRig('http', { bot: { botToken: 'xoxb-wrong' }, start: false });
    await expect(rig.bot.start()).rejects.toThrow(StartError);
    await expect(rig.bot.start()).rejects.toThrow(/SLACK_BOT_TOKEN .*invalid_auth/);
    await expect(rig.bot.start()).rejects.not.toThrow(/xoxb-wrong/);
  });

  it('goes on trying while Slack cannot be reached, and says so', async () => {
    rig = await startRig('http', { clock: new FastClock(50), start: false });
    await rig.slack.goOffline();
    await rig.bot.start();
    expect(rig.bot.notReady()).toMatch(/^Slack: cannot sign in \(no connection/);
    const early = await fetch(rig.slack.eventsUrl, { method: 'POST', body: '' });
    expect(early.status).toBe(503);
    await rig.slack.comeBack();
    await waitFor('the bot to be ready', () => (rig.bot.notReady() ? undefined : true));
    expect((await rig.ama.slash('sales', '/help')).ok).toBe(true);
  });

  it.each([
    ['answers 503', { kind: 'http', status: 503 }],
    ['asks for patience', { kind: 'rateLimited' }],
    ['has trouble of its own', { kind: 'error', error: 'internal_error' }],
    ['is hidden behind a sign-in page', { kind: 'garbage' }],
  ] as const)('goes on trying when Slack %s', async (_, fault) => {
    rig = await startRig('http', { clock: new FastClock(50), start: false });
    rig.slack.fail('auth.test', fault, 2);
    await rig.bot.start();
    await waitFor('the bot to be ready', () => (rig.bot.notReady() ? undefined : true));
    expect(rig.slack.calls('auth.test')).toHaveLength(3);
  });

  it('stops while it is still trying', async () => {
    rig = await startRig('http', { start: false });
    rig.slack.fail('auth.test', { kind: 'http', status: 500 });
    await rig.bot.start();
    await rig.bot.stop();
    expect(rig.slack.calls('auth.test')).toHaveLength(1);
  });

  it('keeps saying what is wrong when the token is refused only later', {
    tags: ['F55'],
  }, async () => {
    rig = await startRig('http', { clock: new FastClock(50), start: false });
    rig.slack.fail('auth.test', { kind: 'http', status: 500 }, 1);
    rig.slack.fail('auth.test', { kind: 'error', error: 'token_revoked' }, 2);
    await rig.bot.start();
    await waitFor('the reason', () => /token_revoked/.exec(rig.bot.notReady() ?? '') ?? undefined);
    await waitFor('the bot to be ready', () => (rig.bot.notReady() ? undefined : true));
  });

  it('finds out by asking that the token was taken back, and that it is good again', {
    tags: ['F55'],
  }, async () => {
    rig = await startRig('http');
    rig.slack.fail('auth.test', { kind: 'error', error: 'token_revoked' }, 1);
    await rig.bot.probe();
    expect(rig.bot.notReady()).toBe('Slack: SLACK_BOT_TOKEN is refused (token_revoked)');
    // No answer tells nothing new.
    rig.slack.fail('auth.test', { kind: 'http', status: 500 }, 1);
    await rig.bot.probe();
    expect(rig.bot.notReady()).toMatch(/token_revoked/);
    await rig.bot.probe();
    expect(rig.bot.notReady()).toBeUndefined();
  });
});
