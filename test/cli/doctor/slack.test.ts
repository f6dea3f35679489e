import type { IncomingHttpHeaders } from 'node:http';
import { beforeEach, describe, expect, it } from 'vitest';
import { platforms } from '../../../src/bots/all-platforms.ts';
import type { Sample } from '../../../src/bots/platform.ts';
import { examineCards } from '../../../src/cli/doctor/examination.ts';
import { readConfig } from '../../../src/config/config.ts';
import { systemClock } from '../../../src/core/runtime/clock.ts';
import { CHARGING, examined, healthyEnv } from '../../support/examined.ts';
import { freePort } from '../../support/free-port.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { BOT_SCOPES, MANIFEST } from '../../support/slack/emulator.ts';
import { waitFor } from '../../support/slack/wait-for.ts';
import type { SlackWorkspace } from '../../support/slack/workspace.ts';
import { openSlack } from '../../support/slack-shop.ts';

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
    env = { ...opened.settings, ...(await healthyEnv(CHARGING)) };
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
    const { ACCESS_FILE = '' } = await healthyEnv(groups);
    const { of } = await examined({ ...env, ACCESS_FILE });
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
        `Slack does not say what the app has (${why}).`,
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
