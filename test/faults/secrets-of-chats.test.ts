import { join } from 'node:path';
import { describe, expect, onTestFinished } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { INDISCREET, PLANTED, plantedIn } from '../support/planted-secrets.ts';
import { jsonScript, type Script, startScriptedHttp } from '../support/scripted-http.ts';
import { makeSelfSigned } from '../support/self-signed.ts';
import { SpawnedApp } from '../support/spawned-app.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { together } from '../support/together.ts';
import { websocketScript } from '../support/websocket-script.ts';

/** The real program before this Slack and this Telegram, with all that it writes. */
const launch = async (baseUrl: string, env: Readonly<Record<string, string>> = {}) => {
  const { SLACK_BOT_TOKEN, SLACK_APP_TOKEN, TELEGRAM_BOT_TOKEN, CALLBACK_SECRET } = PLANTED;
  const dir = await tempFolder();
  const app = new SpawnedApp(await freePort(), {
    LOG_LEVEL: 'trace',
    PAYMENTS_BASE_URL: 'sandbox',
    DATA_DIR: join(dir, 'data'),
    ACCESS_FILE: join(dir, 'access.yml'),
    ...{ SLACK_BOT_TOKEN, SLACK_APP_TOKEN, TELEGRAM_BOT_TOKEN, CALLBACK_SECRET },
    SLACK_API_URL: `${baseUrl}/api/`,
    TELEGRAM_API_ROOT: baseUrl,
    ...env,
  });
  const child = app.launch();
  const says = (text: RegExp, times = 1) =>
    eventually(() => {
      expect(app.output.match(new RegExp(text, 'g')) ?? []).toHaveLength(times);
    });
  return { app, child, says };
};

const startServer = async (script: Script, tls?: { key: string; cert: string }) => {
  const server = await startScriptedHttp(script, tls);
  onTestFinished(() => server.stop());
  return server;
};

const SIGNED_IN = jsonScript(200, {
  ok: true,
  user_id: 'U1',
  bot_id: 'B1',
  team_id: 'T1',
  user: 'paythread',
  result: { id: 7, is_bot: true, first_name: 'Paythread', username: 'PaythreadBot' },
});

/** Slack and Telegram that know us from the second call on, and fail at everything else. */
const failsAfterSignIn = (fail: Script, link: Script): Script => {
  const seen = new Map<string, number>();
  return (socket, request) => {
    const method = /\w+(\.\w+)*(?=$|\?)/.exec(request.path)?.[0] ?? '';
    const times = (seen.get(method) ?? 0) + 1;
    seen.set(method, times);
    if (request.path.startsWith('/link')) return link(socket, request);
    if (/^(auth.test|getMe)$/.test(method) && times > 1) return SIGNED_IN(socket, request);
    if (method !== 'apps.connections.open' || times === 1) return fail(socket, request);
    // Of Slack's own making, worth a connection for some seconds; nobody configured it.
    const url = `ws://${request.headers['host']}/link/?ticket=canary-ticket&app_id=A1`;
    return jsonScript(200, { ok: true, url })(socket, request);
  };
};

describe('no secret comes out of the program when Slack and Telegram fail with', () => {
  const it = together();

  const failsAtEveryStep = async (fail: Script) => {
    const server = await startServer(failsAfterSignIn(fail, fail));
    const { app } = await launch(server.baseUrl);
    await eventually(() => {
      const asked = server.requests.map(({ path }) => path).join(' ');
      expect(asked).toMatch(/auth\.test.*apps\.connections\.open.*\/link/);
      expect(asked).toMatch(/getMe.*get(WebhookInfo|Updates)/);
      expect(app.output.match(/no connection to Slack/g)?.length).toBeGreaterThan(1);
    });
    expect(server.requests.map(({ headers }) => headers['authorization'])).toEqual(
      expect.arrayContaining([
        `Bearer ${PLANTED.SLACK_BOT_TOKEN}`,
        `Bearer ${PLANTED.SLACK_APP_TOKEN}`,
      ]),
    );
    expect(plantedIn(app.output)).toEqual([]);
  };
  for (const [kind, fail] of Object.entries(INDISCREET))
    if (kind !== '401')
      it(`${kind}, at every step`, { tags: ['I15'] }, () => failsAtEveryStep(fail));

  it('401, which ends it: it says what to correct', async () => {
    const server = await startServer(INDISCREET['401'] as Script);
    const { app, says } = await launch(server.baseUrl);
    await says(/Telegram refuses TELEGRAM_BOT_TOKEN/);
    expect(app.output).toContain('Slack answered HTTP 401');
    expect(plantedIn(app.output)).toEqual([]);
  });

  it.each(['a refused connection', 'a certificate that nobody signed'])('%s', async (kind) => {
    const server = await startServer(INDISCREET['a refusal'] as Script, makeSelfSigned());
    if (kind === 'a refused connection') await server.stop();
    const { app, says } = await launch(server.baseUrl);
    await says(/cannot sign in to Slack yet/, 2);
    await says(/no connection to Telegram/);
    expect(plantedIn(app.output)).toEqual([]);
  });

  it('a Socket Mode connection that speaks nonsense and breaks', { tags: ['I15'] }, async () => {
    const link = websocketScript([
      '{"type":"hello","num_connections":1}',
      'canary {"type":',
      '{"type":"warning","reason":"canary"}',
      '{"type":"events_api","envelope_id":"canary","payload":{"token":"canary"}}',
      '{"type":"disconnect","reason":"canary"}',
    ]);
    const fail = INDISCREET['a refusal'] as Script;
    const server = await startServer(failsAfterSignIn(fail, link));
    const { app } = await launch(server.baseUrl);
    await eventually(() => {
      const links = server.requests.filter(({ path }) => path.startsWith('/link'));
      expect(links.length).toBeGreaterThan(1);
    });
    expect(app.output).toContain('connected to Slack');
    expect(plantedIn(app.output)).toEqual([]);
  });
});
