import type { IncomingHttpHeaders } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { platforms } from '../../../src/bots/all-platforms.ts';
import type { Sample } from '../../../src/bots/platform.ts';
import { examineCards } from '../../../src/cli/doctor/examination.ts';
import { readConfig } from '../../../src/config/config.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/sandbox.ts';
import { examined, healthyEnv } from '../../support/examined.ts';
import { freePort } from '../../support/free-port.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { runApp } from '../../support/run-app.ts';
import { fileWith } from '../../support/secret-file.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { BOT_SCOPES, MANIFEST } from '../../support/slack/emulator.ts';
import { waitFor } from '../../support/slack/wait-for.ts';
import type { SlackWorkspace } from '../../support/slack/workspace.ts';
import { openSlack } from '../../support/slack-shop.ts';
import { startTelegram, telegramSettings } from '../../support/telegram-shop.ts';
import type { TelegramSimulator } from '../../support/telegram-simulator.ts';

const ACCESS = 'roles: { a: { commands: [charge] } }\nmembers: { a: [terminal:local] }';

describe('the payment service', () => {
  let sandbox: Sandbox;
  beforeEach(async () => {
    sandbox = await startSandbox({ clock: systemClock });
    return () => sandbox.stop();
  });
  const env = async (changes: Record<string, string> = {}): Promise<Record<string, string>> => {
    const healthy = await healthyEnv();
    return {
      ...healthy,
      PAYMENTS_BASE_URL: sandbox.baseUrl,
      PAYMENTS_CLIENT_KEY: sandbox.clientKey,
      PAYMENTS_SECRET_KEY: sandbox.secretKey,
      PAYMENTS_SERVICE_ID: String(sandbox.serviceId),
      PAYMENTS_NICKNAME: 'Shop',
      PUBLIC_URL: `http://127.0.0.1:${healthy['PORT']}`,
      ...changes,
    };
  };

  it('is fine when it takes the keys, and is asked for nothing but the balance', async () => {
    const { findings, text } = await examined(await env());
    expect(findings).toEqual([]);
    expect(text).toContain('takes the keys');
    const paths = sandbox.requests.map((request) => JSON.stringify(request));
    expect(paths.filter((each) => /make_payment|send_sms/.test(each))).toEqual([]);
  });

  it('that refuses the keys is a finding, without the keys', async () => {
    const { of, text } = await examined(await env({ PAYMENTS_SECRET_KEY: 'canary-91x-secret' }));
    expect(of('Payment service')).toEqual([expect.stringContaining('refuses us')]);
    expect(text).not.toContain('canary-91x');
  });

  it('is asked with the keys of each merchant, and says whose it refuses', async () => {
    const [right, wrong] = [await fileWith(sandbox.secretKey), await fileWith('canary-91x-secret')];
    const entry = async (secretKeyFile: string, place: string) => ({
      nickname: 'Shop',
      serviceId: sandbox.serviceId,
      clientKeyFile: await fileWith(sandbox.clientKey),
      secretKeyFile,
      conversations: [place],
    });
    const merchants = {
      osu: await entry(right, 'slack:C0OSU'),
      tema: await entry(wrong, 'slack:C0TEMA'),
    };
    const MERCHANTS_FILE = await fileWith(JSON.stringify({ merchants }));
    const {
      PAYMENTS_CLIENT_KEY: _client,
      PAYMENTS_SECRET_KEY: _secret,
      PAYMENTS_SERVICE_ID: _id,
      ...others
    } = await env({ MERCHANTS_FILE });
    const { of, text } = await examined(others);
    expect(of('Payment service')).toEqual([expect.stringContaining('refuses the keys of tema')]);
    expect(text).toContain('takes the keys of osu');
    expect(text).not.toContain('canary-91x');
  });

  it('that is not there is a finding', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const { of } = await examined(await env({ PAYMENTS_BASE_URL: nobody }));
    expect(of('Payment service')).toEqual([expect.stringContaining('no usable answer')]);
  });

  it('that has another time shows that the clock is wrong', { tags: ['F46'] }, async () => {
    const late = { ...systemClock, now: () => systemClock.now() - 60_000 };
    const { of } = await examined(await env(), late);
    expect(of('Clock')).toContainEqual(
      expect.stringMatching(
        /^This machine's clock is \d\d s behind that of the payment service\.$/,
      ),
    );
    const nearly = { ...systemClock, now: () => systemClock.now() + 20_000 };
    expect((await examined(await env(), nearly)).of('Clock')).toEqual([]);
  });

  describe('reaches the callback address', () => {
    it('of a running Paythread', async () => {
      const settings = await env();
      await runApp(settings);
      const { findings, text } = await examined(settings);
      expect(findings).toEqual([]);
      expect(text).toContain('Paythread runs here');
    });

    it('only with the secret that the running one has as well', async () => {
      const settings = await env({ CALLBACK_SECRET: 'secret-of-the-running-one' });
      const { app } = await runApp(settings);
      expect((await examined(settings)).findings).toEqual([]);
      const rotated = { ...settings, CALLBACK_SECRET: 'another-canary-secret' };
      const { of, text } = await examined(rotated);
      expect(of('Callback address')).toEqual([expect.stringContaining('another CALLBACK_SECRET')]);
      expect(text).not.toContain('canary');
      expect(await app.store.listPayments({}, { limit: 1 })).toMatchObject({ payments: [] });
    });

    it('not when Paythread runs and its proxy leads elsewhere', async () => {
      const settings = await env();
      await runApp(settings);
      const elsewhere = await serveHttp((_, response) => response.writeHead(404).end('Not Found'));
      const { of } = await examined({ ...settings, PUBLIC_URL: elsewhere });
      expect(of('Callback address')).toEqual([
        expect.stringContaining('something else answers with 404'),
      ]);
    });

    it('of another instance, while this one does not run yet', async () => {
      const first = await env();
      await runApp(first);
      const second = await env({
        PUBLIC_URL: first['PUBLIC_URL'] ?? '',
        DATABASE_URL: `postgres://u:p@127.0.0.1:${await freePort()}/x`,
      });
      const { of } = await examined(second);
      expect(of('Callback address')).toEqual([]);
      const { DATABASE_URL: _, ...alone } = second;
      expect((await examined(alone)).of('Callback address')).toEqual([
        expect.stringMatching(/\/callbacks\/doctor does not lead to Paythread/),
      ]);
    });

    it('through a proxy', async () => {
      const settings = await env();
      const proxy = await serveHttp((request, response) => {
        void fetch(`${settings['PUBLIC_URL']}${request.url}`, {
          method: request.method ?? '',
        }).then(
          async (answer) => response.writeHead(answer.status).end(await answer.text()),
          () => response.writeHead(502).end(),
        );
      });
      expect((await examined({ ...settings, PUBLIC_URL: proxy })).findings).toEqual([]);
    });

    it('and turns away what others send there meanwhile, so that they send it again', {
      tags: ['F95'],
    }, async () => {
      const settings = await env();
      const own = settings['PUBLIC_URL'] ?? '';
      const said: number[] = [];
      const proxy = await serveHttp(async (request, response) => {
        for (const path of ['/callbacks/01JD2M4X9QK7T3VB/01', '/telegram/webhook', '/slack/events'])
          said.push((await fetch(`${own}${path}`, { method: 'POST', body: '{}' })).status);
        said.push((await fetch(`${own}/callbacks/doctor?guessed`, { method: 'POST' })).status);
        const answer = await fetch(`${own}${request.url}`, { method: 'POST', body: '{}' });
        response.writeHead(answer.status).end(await answer.text());
      });
      expect((await examined({ ...settings, PUBLIC_URL: proxy })).findings).toEqual([]);
      expect(said.length).toBeGreaterThan(3);
      expect(new Set(said)).toEqual(new Set([503]));
    });

    it.each([
      ['nobody listens', undefined, 'nothing listens there'],
      ['a proxy without this path', 404, 'something else answers with 404'],
      ['a proxy that redirects', 308, 'something else answers with 308'],
    ])('not when %s', async (_name, status, said) => {
      const publicUrl =
        status === undefined
          ? `http://127.0.0.1:${await freePort()}`
          : await serveHttp((_, response) => response.writeHead(status).end('elsewhere'));
      const { of } = await examined(await env({ PUBLIC_URL: publicUrl }));
      expect(of('Callback address')).toEqual([expect.stringContaining(said)]);
    });

    it('not when another program has the port', async () => {
      const other = await serveHttp((_, response) => response.end('hello'));
      const port = new URL(other).port;
      const { of } = await examined(await env({ PORT: port, PUBLIC_URL: other }));
      expect(of('Callback address')).toEqual([
        `Another program uses port ${port}.`,
        expect.stringContaining('does not lead to Paythread'),
      ]);
    });

    it('not when nothing can listen there', async () => {
      const { of } = await examined(await env({ HOST: '192.0.2.1' }));
      expect(of('Callback address')).toEqual([expect.stringContaining('(EADDRNOTAVAIL)')]);
    });

    it('not when its name is private and the service is not', async () => {
      const { of } = await examined(
        await env({ PAYMENTS_BASE_URL: 'https://payments.invalid/api' }),
      );
      expect(of('Callback address')).toEqual([expect.stringContaining('127.0.0.1, which')]);
    });
  });
});

describe('Slack', () => {
  let slack: SlackWorkspace;
  let env: Record<string, string>;
  beforeEach(async () => {
    const opened = await openSlack({
      transport: 'socket',
      people: ['ama'],
      groups: [{ handle: 'finance', members: ['ama'] }],
    });
    slack = opened.slack;
    env = { ...opened.settings, ...(await healthyEnv(ACCESS)) };
  });

  it('is fine with both tokens and every scope of the manifest', async () => {
    const { findings, text } = await examined(env);
    expect(findings).toEqual([]);
    expect(text).toContain('Socket Mode can be opened');
    for (const token of [slack.botToken, slack.appToken]) expect(text).not.toContain(token);
    expect(slack.calls('chat.postMessage')).toEqual([]);
  });

  it('names the scopes that are missing', async () => {
    slack.tellScopes(BOT_SCOPES.filter((scope) => !/im:write|usergroups/.test(scope)));
    expect((await examined(env)).of('Slack')).toEqual([
      'SLACK_BOT_TOKEN lacks the scopes im:write, usergroups:read.',
    ]);
  });

  it('says that without users:read a channel gives access to no one, also when Slack names no scopes', async () => {
    const finding = expect.stringContaining('gives access to no one');
    slack.tellScopes(BOT_SCOPES.filter((scope) => scope !== 'users:read'));
    expect((await examined(env)).of('Slack')).toContainEqual(finding);
    slack.tellScopes(BOT_SCOPES);
    slack.fail('users.info', { kind: 'error', error: 'missing_scope' });
    expect((await examined(env)).of('Slack')).toEqual([finding]);
  });

  it.each([
    ['SLACK_BOT_TOKEN', 'xoxb-wrong', 'refuses SLACK_BOT_TOKEN (invalid_auth)'],
    ['SLACK_APP_TOKEN', 'xapp-wrong', 'refuses SLACK_APP_TOKEN (invalid_auth)'],
  ])('that refuses %s is a finding', async (name, token, said) => {
    const { of, text } = await examined({ ...env, [name]: token });
    expect(of('Slack')).toEqual([expect.stringContaining(said)]);
    expect(text).not.toContain(token);
  });

  it('that gives an error page is a finding', async () => {
    slack.fail('*', { kind: 'http', status: 502 });
    expect((await examined(env)).of('Slack')[0]).toContain('it answers with 502');
  });

  it('is asked for the user groups of the access file', async () => {
    const groups = `roles: { a: { commands: [charge] } }\nmembers: { a: ['slack:${slack.groupId('finance')}', slack:S0NOBODY] }`;
    const { of } = await examined({ ...env, ...accessOf(await healthyEnv(groups)) });
    expect(of('Slack')).toEqual([expect.stringContaining('the user group S0NOBODY')]);
  });

  describe('with a configuration token', () => {
    const withToken = (): typeof env => ({ ...env, SLACK_CONFIG_TOKEN: slack.configToken });

    it('has all that the manifest has', async () => {
      const { findings, text } = await examined(withToken());
      expect(findings).toEqual([]);
      expect(text).toContain('The Slack app has all that manifest.yml has.');
      expect(text).not.toContain(slack.configToken);
    });

    it('names what the app lacks, and that the way in is another', async () => {
      const { features, settings } = MANIFEST;
      slack.tellManifest({
        features: {
          ...features,
          app_home: { messages_tab_enabled: true },
          slash_commands: features.slash_commands.filter(({ command }) => command !== '/notify'),
          shortcuts: features.shortcuts.slice(1),
        },
        settings: { ...settings, event_subscriptions: {}, socket_mode_enabled: false },
      });
      const events = settings.event_subscriptions.bot_events.join(', ');
      const lacks = `The Slack app lacks /notify, new-charge, ${events}, the Home tab.`;
      const socketIsOff = 'Socket Mode is off in the Slack app, so Paythread hears nothing.';
      expect((await examined(withToken())).of('Slack')).toEqual([lacks, socketIsOff]);
      slack.tellManifest({});
      const { SLACK_APP_TOKEN: _, ...byHttp } = withToken();
      const overHttp = { ...byHttp, SLACK_SIGNING_SECRET: slack.signingSecret };
      const [everything = ''] = (await examined(overHttp)).of('Slack');
      expect(everything).toMatch(
        /lacks \/charge, .*the Home tab, the Messages tab, Interactivity\.$/,
      );
      slack.tellManifest(MANIFEST);
      expect((await examined(overHttp)).of('Slack')).toEqual([
        'Socket Mode is on in the Slack app, so Paythread hears nothing.',
      ]);
    });

    it('compares the commands with the prefix that they should have', async () => {
      const prefixed = { ...withToken(), SLACK_COMMAND_PREFIX: 'pay-' };
      expect((await examined(prefixed)).of('Slack')).toEqual([
        expect.stringMatching(/^The Slack app lacks \/pay-charge, .*, \/pay-whoami\.$/),
      ]);
    });

    it.each([
      ['apps.manifest.export', { kind: 'error', error: 'token_expired' }, 'token_expired'],
      ['apps.manifest.export', { kind: 'http', status: 500 }, 'no answer'],
      ['bots.info', { kind: 'error', error: 'bot_not_found' }, 'bot_not_found'],
      ['bots.info', { kind: 'http', status: 500 }, 'no answer'],
    ] as const)('says that %s does not tell: %j', async (method, fault, why) => {
      slack.fail(method, fault);
      expect((await examined(withToken())).of('Slack')).toContain(
        `Slack does not tell what the app has (${why}).`,
      );
    });
  });
});

describe('cards and forms are shown to Slack alone, without a token', () => {
  const samples: readonly Sample[] = [
    { name: 'the card "Paid"', card: { title: 'Paid', parts: [{ kind: 'text', text: 'Thanks' }] } },
    { name: 'the card "Odd"', card: { title: 'Odd', parts: [] } },
    {
      name: 'the form "Find"',
      form: { command: 'payments', title: 'Find', submitLabel: 'Find', fields: [] },
    },
  ];
  const asked: { headers: IncomingHttpHeaders; said: Record<string, string> }[] = [];
  /** Answers the requests one after the other; the last answer goes on. */
  const verdicts = async (...answers: readonly [status: number, body: object, wait?: string][]) => {
    asked.length = 0;
    const address = await serveHttp(async (request, response) => {
      const body = Buffer.concat(await request.toArray()).toString();
      asked.push({ headers: request.headers, said: Object.fromEntries(new URLSearchParams(body)) });
      const [status, answer, wait] = answers[Math.min(asked.length, answers.length) - 1] ?? [
        500,
        {},
      ];
      response.writeHead(status, wait === undefined ? {} : { 'retry-after': wait });
      response.end(JSON.stringify(answer));
    });
    const clock = new ManualClock();
    const config = readConfig({ SLACK_API_URL: `${address}/api` });
    const running = examineCards(config, clock, samples);
    return { running, clock };
  };

  it('says of each what Slack says, with the place of what is wrong', async () => {
    const problem = { pointer: '/blocks/0/text/type', message: 'unsupported type: invalid' };
    const { running } = await verdicts(
      [200, { ok: true }],
      [200, { ok: false, error: 'invalid_message', errors: [problem] }],
      [200, { ok: true }],
    );
    const [report] = await running;
    expect(report?.notes).toEqual(['Slack takes the card "Paid".', 'Slack takes the form "Find".']);
    expect(report?.findings.map(({ what }) => what)).toEqual([
      'Slack refuses the card "Odd" (invalid_message; /blocks/0/text/type unsupported type: invalid).',
    ]);
    expect(asked.map(({ said }) => Object.keys(said))).toEqual([
      ['message'],
      ['message'],
      ['view'],
    ]);
    expect(asked.map(({ headers }) => headers.authorization)).toEqual(asked.map(() => undefined));
    expect(Object.keys(JSON.parse(asked[0]?.said['message'] ?? ''))).toEqual(['blocks']);
    expect(JSON.parse(asked[2]?.said['view'] ?? '')).toMatchObject({ type: 'modal' });
  });

  it.each([
    [[200, { ok: false, error: 'fatal_error' }], 'Slack answers fatal_error.'],
    [[502, 'busy'], 'Slack gave no usable answer: it answers with 502.'],
  ] as [[number, object], string][])(
    'and nothing of any after %j, which is unknown',
    async (answer, what) => {
      const { running } = await verdicts([200, { ok: true }], answer);
      const [report] = await running;
      expect(report?.findings.map((finding) => finding.what)).toEqual([what]);
      expect(report?.notes.at(-1)).toBe('Unknown: whether Slack takes the other 2.');
      expect(asked).toHaveLength(2);
    },
  );

  it('says without internet that nothing is known', async () => {
    const config = readConfig({ SLACK_API_URL: `http://127.0.0.1:${await freePort()}/api` });
    const [report] = await examineCards(config, systemClock, samples);
    expect(report?.findings.map(({ what }) => what)).toEqual([
      'Slack gave no usable answer: nothing listens there.',
    ]);
    expect(report?.notes).toEqual(['Unknown: whether Slack takes the other 3.']);
  });

  it('waits as long as Slack says and asks again', async () => {
    const { running, clock } = await verdicts(
      [429, { ok: false, error: 'ratelimited' }, '7'],
      [200, { ok: true }],
    );
    await waitFor('a wait of 7 s', () => clock.nextWakeMs === clock.now() + 7_000 || undefined);
    await clock.advance(7_000);
    const [report] = await running;
    expect(report?.findings).toEqual([]);
    expect(asked).toHaveLength(4);
  });

  it('and no other chat has such a check', () => {
    expect(platforms.filter(({ cardsAt }) => cardsAt !== undefined)).toHaveLength(1);
  });
});

describe('Telegram', () => {
  let telegram: TelegramSimulator;
  let env: Record<string, string>;
  beforeEach(async () => {
    telegram = await startTelegram();
    env = { ...(await healthyEnv(ACCESS)), ...telegramSettings(telegram) };
  });
  const setWebhook = (url: string) =>
    fetch(`${telegram.apiRoot}/bot${telegram.token}/setWebhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    });

  it('is fine with the token, and no update is taken from a running bot', async () => {
    const { findings, text } = await examined(env);
    expect(findings).toEqual([]);
    expect(text).toContain('@PaythreadBot');
    expect(text).not.toContain(telegram.token);
    expect(telegram.calls('getUpdates')).toEqual([]);
  });

  it('that refuses the token is a finding', async () => {
    const { of, text } = await examined({ ...env, TELEGRAM_BOT_TOKEN: '1:AAE-canary-token' });
    expect(of('Telegram')).toEqual([expect.stringContaining('(Unauthorized)')]);
    expect(text).not.toContain('canary');
  });

  it('with a webhook while Paythread polls is a finding', async () => {
    await setWebhook('http://127.0.0.1:9/other');
    expect((await examined(env)).of('Telegram')).toEqual([
      'A webhook to 127.0.0.1:9 is set for this bot, while Paythread polls.',
    ]);
  });

  it('with another webhook, and with one that cannot be reached, is a finding', async () => {
    await setWebhook('http://127.0.0.1:9/other');
    const ama = telegram.person('Ama');
    ama.type(telegram.privateChat(ama), '/help');
    const webhook = {
      PUBLIC_URL: `http://127.0.0.1:${env['PORT']}`,
      TELEGRAM_WEBHOOK_SECRET: 'a-long-random-text',
    };
    const { of } = await examined({ ...env, ...webhook });
    expect(of('Telegram')).toEqual([
      expect.stringContaining('leads to 127.0.0.1:9 and not to'),
      expect.stringContaining('could not deliver'),
    ]);
    expect(of('Callback address')).toEqual([]);
  });

  it('that cannot be reached is a finding without the token', async () => {
    await telegram.stop();
    const { of, text } = await examined(env);
    expect(of('Telegram')).toEqual(['Telegram gave no usable answer: nothing listens there.']);
    expect(text).not.toContain(telegram.token);
  });
});

const accessOf = ({ ACCESS_FILE }: Record<string, string>) => ({ ACCESS_FILE: ACCESS_FILE ?? '' });
