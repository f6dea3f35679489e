import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { slack } from '../../src/bots/slack/platform.ts';
import { telegram } from '../../src/bots/telegram/platform.ts';
import { terminal } from '../../src/bots/terminal/platform.ts';
import { loadConfig, readConfig } from '../../src/config/config.ts';
import { EXAMPLE_TEMPLATES } from '../../src/config/example-templates.ts';
import { names, variables } from '../../src/config/variables.ts';
import { refusal, refusedVariables } from '../support/refusal.ts';
import { tempFolder } from '../support/temp-folder.ts';

const REAL = {
  PAYMENTS_BASE_URL: 'https://payments.example.com/api/',
  PAYMENTS_CLIENT_KEY: 'client-key-1',
  PAYMENTS_SECRET_KEY: 'secret-key-1',
  PAYMENTS_SERVICE_ID: '42',
  PAYMENTS_NICKNAME: 'Adjoa Stores',
  PUBLIC_URL: 'https://pay.example.com/',
};
const SLACK = { SLACK_BOT_TOKEN: 'xoxb-1', SLACK_APP_TOKEN: 'xapp-1' };

describe('with nothing set', () => {
  const config = readConfig({});

  it('uses the sandbox, no chat platform and the defaults of the contract', () => {
    const expected = {
      payments: { kind: 'sandbox' },
      merchants: [],
      gateway: {
        timeoutMs: 30_000,
        requestsPerSecond: 5,
        sendCurrencyVal: 'never',
        numberFormat: 'national',
      },
      sms: {
        senderIds: ['SHOP'],
        templatesFile: './templates.yml',
        templatesWithoutFile: EXAMPLE_TEMPLATES,
        receipt: 'ask',
        shop: 'Sandbox Shop',
      },
      currency: 'GHS',
      country: 'GH',
      timeZone: 'Africa/Accra',
      chats: [{ platform: terminal, settings: {} }],
      cardChecks: [{ platform: slack, address: 'https://slack.com/api/blocks.validate' }],
      listener: { host: '0.0.0.0', port: 3000, portChosen: false },
      dataDir: './data',
      accessFile: './access.yml',
      operators: [],
      digest: { places: [], atMinutes: 18 * 60 },
      alertBelow: {},
      checks: {
        scheduleMs: [10, 20, 20, 20, 20, 30, 60, 60, 60, 300, 900, 3600].map((s) => s * 1000),
        giveUpMs: 72 * 3_600_000,
      },
      confirmWithinMs: 600_000,
      logLevel: 'info',
      secrets: [],
      warnings: [],
    };
    expect(config).toEqual(expected);
  });

  it('counts empty and blank values as unset', () => {
    const blank = Object.fromEntries(names.map((name) => [name, '  ']));
    expect(readConfig(blank)).toEqual(config);
  });
});

describe('the .env file', () => {
  it('is read, with comments and quotes', () => {
    const file = '# my shop\nPORT=8080 # inside\r\nPAYMENTS_TIMEOUT="5s"\nLOG_LEVEL=\n';
    const config = readConfig({}, file);
    expect(config.listener).toMatchObject({ port: 8080, portChosen: true });
    expect(config.gateway.timeoutMs).toBe(5000);
    expect(config.logLevel).toBe('info');
  });

  it('gives way to the real environment, but not to an empty value there', () => {
    const file = 'PORT=8080\nHOST=127.0.0.1';
    expect(readConfig({ PORT: '9090', HOST: '' }, file).listener).toMatchObject({
      host: '127.0.0.1',
      port: 9090,
    });
  });
});

describe('a real payment service', () => {
  it('is described whole, its address without a slash at the end', () => {
    expect(readConfig(REAL)).toMatchObject({
      payments: {
        kind: 'service',
        baseUrl: 'https://payments.example.com/api',
        accounts: [
          {
            clientKey: 'client-key-1',
            secretKey: 'secret-key-1',
            serviceId: 42,
            nickname: 'Adjoa Stores',
          },
        ],
        sealSecret: 'secret-key-1',
      },
      listener: { publicUrl: 'https://pay.example.com' },
    });
  });

  it('needs its credentials and the public address, all named at once', () => {
    expect(refusedVariables({ PAYMENTS_BASE_URL: 'https://payments.example.com' })).toEqual([
      'PAYMENTS_CLIENT_KEY',
      'PAYMENTS_SECRET_KEY',
      'PAYMENTS_SERVICE_ID',
      'PAYMENTS_NICKNAME',
      'PUBLIC_URL',
    ]);
  });

  it.each(['http://localhost:9000', 'http://127.0.0.1:9000', 'http://[::1]:9000'])(
    'may be plain http on this machine: %s',
    (PAYMENTS_BASE_URL) => {
      expect(readConfig({ ...REAL, PAYMENTS_BASE_URL }).payments.kind).toBe('service');
    },
  );

  it('has no default once a chat platform is configured', () => {
    expect(refusedVariables(SLACK)).toEqual(['PAYMENTS_BASE_URL']);
    expect(refusedVariables({ TELEGRAM_BOT_TOKEN: '1:a' })).toEqual(['PAYMENTS_BASE_URL']);
    const config = readConfig({ ...SLACK, PAYMENTS_BASE_URL: 'sandbox' });
    expect(config.payments.kind).toBe('sandbox');
  });
});

describe('Slack', () => {
  const sandbox = { PAYMENTS_BASE_URL: 'sandbox' };

  it('uses Socket Mode when there is an app token, whatever else there is', () => {
    const config = readConfig({ ...sandbox, ...SLACK, SLACK_SIGNING_SECRET: 'sign' });
    const settings = {
      botToken: 'xoxb-1',
      apiUrl: 'https://slack.com/api/',
      transport: { kind: 'socket', appToken: 'xapp-1' },
    };
    expect(config.chats).toEqual([{ platform: slack, settings }]);
  });

  it('uses HTTP with a signing secret alone', () => {
    const env = { ...sandbox, SLACK_BOT_TOKEN: 'xoxb-1', SLACK_SIGNING_SECRET: 'sign' };
    const settings = { transport: { kind: 'http', signingSecret: 'sign' } };
    expect(readConfig(env).chats).toMatchObject([{ platform: slack, settings }]);
  });

  it('is refused with a bot token and neither of the two', () => {
    const env = { ...sandbox, SLACK_BOT_TOKEN: 'xoxb-1' };
    expect(refusedVariables(env)).toEqual(['SLACK_APP_TOKEN']);
    expect(refusal(() => readConfig(env)).message).toContain('SLACK_SIGNING_SECRET');
  });

  it.each(['SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'])(
    'is refused with %s and no bot token',
    (name) => {
      expect(refusedVariables({ ...sandbox, [name]: 'something' })).toEqual(['SLACK_BOT_TOKEN']);
    },
  );
});

describe('Telegram', () => {
  const polling = { PAYMENTS_BASE_URL: 'sandbox', TELEGRAM_BOT_TOKEN: '1:a' };
  const webhook = { ...polling, TELEGRAM_WEBHOOK_SECRET: 'hook-secret' };

  it('polls with a token alone', () => {
    const settings = { token: '1:a', apiRoot: 'https://api.telegram.org' };
    expect(readConfig(polling).chats).toEqual([{ platform: telegram, settings }]);
  });

  it('takes a webhook with a secret and a public address', () => {
    const config = readConfig({ ...webhook, PUBLIC_URL: 'https://pay.example.com' });
    expect(config.chats).toMatchObject([{ settings: { webhookSecret: 'hook-secret' } }]);
  });

  it('is refused with a webhook secret and no public address, or one that is not https', () => {
    expect(refusedVariables(webhook)).toEqual(['PUBLIC_URL']);
    expect(refusedVariables({ ...webhook, PUBLIC_URL: 'http://pay.example.com' })).toEqual([
      'PUBLIC_URL',
    ]);
    const local = { ...webhook, PUBLIC_URL: 'http://localhost:3000' };
    expect(readConfig(local).listener.publicUrl).toBe('http://localhost:3000');
  });

  it('is refused with a webhook secret and no token', () => {
    const env = { TELEGRAM_WEBHOOK_SECRET: 'hook', PUBLIC_URL: 'https://pay.example.com' };
    expect(refusedVariables(env)).toEqual(['TELEGRAM_BOT_TOKEN']);
  });
});

describe('the refusal', () => {
  it('leaves with 78 and names each variable once, with what was expected and an example', () => {
    const error = refusal(() =>
      readConfig({ PORT: '80x', STATUS_CHECK_SCHEDULE: '10s,soon', LOG_LEVEL: 'loud' }),
    );
    expect(error.exitCode).toBe(78);
    expect(error.message).toBe(`Paythread cannot start: 3 settings are not right.

  STATUS_CHECK_SCHEDULE is not right (entry 2).
    Found:    10s,soon
    Expected: durations of 100ms or more, comma separated.
    Example:  STATUS_CHECK_SCHEDULE=10s,20s,1m,5m,1h

  PORT is not right.
    Found:    80x
    Expected: a whole number from 0 to 65535.
    Example:  PORT=3000

  LOG_LEVEL is not right.
    Found:    loud
    Expected: fatal, error, warn, info, debug, trace or silent.
    Example:  LOG_LEVEL=info

Settings come from the environment and from .env; .env.example explains every one.`);
  });

  it('says why something missing is needed', () => {
    const { PUBLIC_URL: _, ...env } = REAL;
    expect(refusal(() => readConfig(env)).message).toContain(
      'PUBLIC_URL is not set, and payments go to a real service.',
    );
  });

  it.each(names)('never prints what %s was set to', (name) => {
    const canary = `canary\u0007:${'c'.repeat(300)} !`;
    const error = refusal(() => readConfig({ [name]: canary, PORT: 'x' }));
    expect(error.message).not.toContain('canary');
    expect(error.stack).not.toContain('canary');
    expect(String(error.cause ?? '')).not.toContain('canary');
  });
});

describe('what a wrong setting was set to', () => {
  const messageOf = (env: NodeJS.ProcessEnv): string => refusal(() => readConfig(env)).message;

  it('is shown, without what is in front of the host of an address', () => {
    expect(messageOf({ PUBLIC_URL: 'pay.example.com' })).toContain('Found:    pay.example.com\n');
    expect(messageOf({ ...REAL, PUBLIC_URL: 'ftp://ama:hunter22@pay' })).toMatch(
      /Found: {4}ftp:\/\/\[secret\]@pay\n/,
    );
  });

  it.each([
    ['TIME_ZONE', 'Africa/Acra'],
    ['PAYMENTS_BASE_URL', 'htp://x1.example.com/API'],
    ['PUBLIC_URL', 'ftp://Pay.example.com:8443/v2/pay_in/'],
    ['OPERATORS', 'telegram:abc'],
    ['DIGEST', 'slack:C0SALES,telegram:@shop'],
  ] as const)('is shown where it is no secret: %s=%s', (name, text) => {
    expect(messageOf({ [name]: text })).toContain(`Found:    ${text}\n`);
  });

  it.each([
    'https://pay.example/services/T0/B0/x1canaryCANARYcanary12',
    'ftp://x1canaryCANARYcanary12.example',
  ])('is not shown where a part of it may be a key: %s', (text) => {
    expect(messageOf({ PORT: text })).not.toContain('canary');
  });

  it.each([
    'postgres://shop:sun@moon@db.example/pay',
    'postgres://shop:sun/moon@db.example/pay',
    'ftp://pay.example/?token=moon',
    'ftp://pay.example/bot1:moon',
    'shop:moon',
    'key=moon',
  ])('is not shown where an address has a password or a token: %s', (address) => {
    for (const name of ['PUBLIC_URL', 'PAYMENTS_BASE_URL', 'TELEGRAM_API_ROOT', 'PORT'] as const) {
      const message = messageOf({ [name]: address });
      expect(message).toContain(`${name} is not right`);
      expect(message).not.toContain('moon');
    }
  });

  it.each(names.filter((name) => variables[name].secret))('is never shown of %s', (name) => {
    expect(messageOf({ [name]: 'canary\u0007', PORT: 'x' })).not.toContain('canary');
  });

  it.each(['xoxb-1-canary', 'canaryOfLettersAlone', 'canary-of-another-setting'])(
    'is not shown where a secret was pasted one line too low: %s',
    (secret) => {
      const env = { SLACK_SIGNING_SECRET: 'canary-of-another-setting', PORT: secret };
      expect(messageOf(env)).toContain('PORT is not right.');
      expect(messageOf(env)).not.toContain('canary');
    },
  );
});

describe('what is handed on', () => {
  it('keeps the password of the database out of the log, as it stands in the address and as it is meant', () => {
    const config = readConfig({ ...REAL, DATABASE_URL: 'postgres://u:hunter%2F22@db/paythread' });
    expect(config.databaseUrl).toBe('postgres://u:hunter%2F22@db/paythread');
    expect(config.secrets).toEqual(expect.arrayContaining(['hunter%2F22', 'hunter/22']));
  });

  it.each([
    'postgres://u@localhost/x',
    'postgresql://u:p%40ss%2Fw%3Ard%23%25@db.example.com:5433/x?sslmode=verify-full&sslrootcert=/etc/ca.pem',
    'postgres://u:p@[::1]:5432/x',
    'postgres://%2Fvar%2Frun%2Fpostgresql/x',
    'postgres:///x?host=/var/run/postgresql',
    'postgres://localhost',
  ])('takes the database at %s', (url) => {
    expect(readConfig({ ...REAL, DATABASE_URL: url }).databaseUrl).toBe(url);
  });

  it('lists every secret for the log, and the two keys as HTTP Basic sends them', () => {
    const secrets = {
      SLACK_BOT_TOKEN: 'xoxb-1',
      SLACK_APP_TOKEN: 'xapp-1',
      SLACK_SIGNING_SECRET: 'signing-1',
      SLACK_CONFIG_TOKEN: 'xoxe.xoxp-1',
      TELEGRAM_BOT_TOKEN: '1:telegram',
      TELEGRAM_WEBHOOK_SECRET: 'webhook-1',
    };
    const callback = { CALLBACK_SECRET: 'first-secret-of-many,second-secret-of-two' };
    const config = readConfig({ ...REAL, ...secrets, ...callback });
    const basic = Buffer.from('client-key-1:secret-key-1').toString('base64');
    const expected = [...Object.values(secrets), 'client-key-1', 'secret-key-1', basic];
    const both = ['first-secret-of-many', 'second-secret-of-two'];
    expect(config.secrets).toEqual(expect.arrayContaining([...expected, ...both]));
    const marked = names.filter((name) => variables[name].secret);
    const known = [...Object.keys(secrets), 'PAYMENTS_CLIENT_KEY', 'PAYMENTS_SECRET_KEY'];
    const others = ['CALLBACK_SECRET', 'DATABASE_URL', 'PSEUDONYM_SECRET', 'SEAL_SECRET'];
    expect(marked.sort()).toEqual([...known, ...others].sort());
  });

  it('warns of names that look misspelt, and leaves other programs alone', () => {
    const { warnings } = readConfig({ PAYMENTS_BASEURL: 'x', PATH: '/bin', SLACKER: 'y' });
    expect(warnings).toEqual([
      'PAYMENTS_BASEURL is set, but there is no such setting. Is it misspelt?',
    ]);
  });

  it('warns of keys that the sandbox does not use and of addresses that are not https', () => {
    const { warnings } = readConfig({
      PAYMENTS_SECRET_KEY: 'secret-key-1',
      PUBLIC_URL: 'http://pay.example.com',
    });
    expect(warnings).toEqual([
      'PUBLIC_URL is not https: what travels there can be read on the way.',
      'PAYMENTS_SECRET_KEY is set, but payments go to the sandbox: no money moves.',
    ]);
  });

  it.each([
    'postgres://u:p@db.example.com/x',
    'postgres://u:p@10.0.0.7/x?sslmode=disable',
    'postgres://u:p@db.example.com/x?sslmode=no-verify',
    'postgres://u:p@localhost/x?host=db.example.com',
  ])('warns of the database on another host without TLS: %s', (DATABASE_URL) => {
    expect(readConfig({ DATABASE_URL }).warnings).toEqual([
      'DATABASE_URL names another host without TLS: what travels there can be read on the way. Add sslmode=verify-full to it.',
    ]);
  });

  it.each([
    'postgres://u:p@localhost/x',
    'postgres://u:p@127.0.0.1:5433/x',
    'postgres://u:p@[::1]/x',
    'postgres:///x',
    'postgres://u@%2Fvar%2Frun%2Fpostgresql/x',
    'postgres:///x?host=/var/run/postgresql',
    'postgres://u:p@db.example.com/x?sslmode=verify-full',
    'postgres://u:p@db.example.com/x?sslmode=require',
    'postgres://u:p@db.example.com/x?ssl=true',
  ])('does not warn of the database at %s', (DATABASE_URL) => {
    expect(readConfig({ DATABASE_URL }).warnings).toEqual([]);
  });

  it('gives /metrics an address of its own with METRICS_PORT, on the interface of HOST unless it is told', () => {
    const at = (env: NodeJS.ProcessEnv) => readConfig(env).listener.metrics;
    expect(at({})).toBeUndefined();
    const port = 9464;
    const METRICS_PORT = String(port);
    const host = '10.0.0.5';
    expect(at({ METRICS_PORT, HOST: host })).toEqual({ host, port });
    expect(at({ METRICS_PORT, METRICS_HOST: host })).toEqual({ host, port });
    expect(() => at({ METRICS_HOST: '127.0.0.1' })).toThrow(/METRICS_PORT is not set/);
  });

  it('lets a confirmation stay valid for a day at most', () => {
    expect(readConfig({ CONFIRM_WITHIN: '24h' }).confirmWithinMs).toBe(86_400_000);
    expect(() => readConfig({ CONFIRM_WITHIN: '25h' })).toThrow(/a duration of 24h or less/);
  });

  it('accepts a Slack token of an unusual form, with a warning', () => {
    const env = { PAYMENTS_BASE_URL: 'sandbox', ...SLACK, SLACK_BOT_TOKEN: 'test-token' };
    const { warnings } = readConfig(env);
    expect(warnings).toEqual(["SLACK_BOT_TOKEN does not begin with xoxb-, as Slack's tokens do."]);
  });
});

describe('loading', () => {
  const home = process.cwd();
  beforeEach(async () => process.chdir(await tempFolder()));
  afterEach(() => process.chdir(home));

  it('takes .env from the working directory, with or without a byte order mark', () => {
    writeFileSync('.env', '\uFEFFDATA_DIR=./elsewhere\n');
    expect(loadConfig().dataDir).toBe('./elsewhere');
  });

  it('does without a .env file', () => {
    expect(loadConfig().dataDir).toBe('./data');
  });

  it('refuses a .env that cannot be read', () => {
    mkdirSync('.env');
    expect(loadConfig).toThrow('The file .env is there but cannot be read.');
  });
});
