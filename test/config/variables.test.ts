import { describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { names, variables } from '../../src/config/variables.ts';
import { refusedVariables } from '../support/refusal.ts';

describe('every variable', () => {
  it.each(names)('%s accepts its own example and default', (name) => {
    const { schema, example, default: held } = variables[name];
    expect(schema.safeParse(example).success).toBe(true);
    expect(held === undefined || schema.safeParse(held).success).toBe(true);
  });

  const bad: Readonly<Record<string, readonly string[]>> = {
    PAYMENTS_BASE_URL: [
      'payments.example.com',
      'ftp://payments.example.com',
      'http://payments.example.com',
      'http://127.0.0.1.example.com',
      'https://user:pass@payments.example.com',
      'https://payments.example.com/?key=1',
      'Sandbox!',
    ],
    PAYMENTS_CLIENT_KEY: ['a:b', 'a\nb'],
    PAYMENTS_SECRET_KEY: ['a\u0000b'],
    PAYMENTS_SERVICE_ID: ['1.5', '-1', '1e3', 'abc', '0x10', '99999999999999999999'],
    PAYMENTS_TIMEOUT: ['30', '30 s', '-1s', '10ms', '121s', '1.5s', 'soon'],
    PAYMENTS_RATE: ['0', '-1', 'fast', '1e2', '5/s', 'Infinity'],
    PAYMENTS_SEND_CURRENCY_VAL: ['yes', 'Never'],
    SMS_SENDER_ID: ['AdjoaStoresX', 'ok,TwelveLetters', ',', 'Ɛna'],
    DEFAULT_CURRENCY: ['CEDIS', 'XYZ', 'G'],
    DEFAULT_COUNTRY: ['GHA', 'XX', '+233', 'constructor'],
    CUSTOMER_NUMBER_FORMAT: ['local'],
    RECEIPT: ['yes', 'Always', 'ask,always'],
    TIME_ZONE: ['Accra', 'GMT+25'],
    SLACK_COMMAND_PREFIX: ['/pay-', 'Pay-', 'pay.', 'pay ment', '-pay', 'p'.repeat(21)],
    SLACK_API_URL: ['slack.com/api'],
    TELEGRAM_WEBHOOK_SECRET: ['with space', 'dots.', 'x'.repeat(257)],
    TELEGRAM_API_ROOT: ['api.telegram.org'],
    HOST: ['http://0.0.0.0', 'two words'],
    PORT: ['-1', '65536', '80x', '3000.5', ' 30 00 '],
    PUBLIC_URL: ['pay.example.com', 'https://pay.example.com/#here'],
    TRUST_PROXY: [
      'proxy.example.com',
      '10.0.0.0/33',
      '10.0.0/8',
      '0.0.0.0/0',
      '::/0',
      'Loopback',
      ',',
    ],
    CALLBACK_ALLOW: [
      'anywhere',
      '192.0.2.10 192.0.2.11',
      '010.0.0.1',
      '2001:db8::/129',
      '1.2.3.4/',
    ],
    CALLBACK_SECRET: ['short', 'long-enough-secret-1,short'],
    RETAIN: ['29d', '719h', '400', 'forever'],
    PSEUDONYM_SECRET: ['short'],
    SEAL_SECRET: ['short'],
    DATABASE_URL: [
      'mysql://localhost/x',
      'localhost/paythread',
      // Passwords with / @ : # ? and % as they are.
      'postgres://u:a/b@localhost/x',
      'postgres://u:12/3@localhost/x',
      'postgres://u:p@ss/w:rd@localhost/x',
      'postgres://u:12#3@localhost/x',
      'postgres://u:12?3@localhost/x',
      'postgres://u:p%ss@localhost/x',
      'postgres://u:p%FFss@localhost/x',
    ],
    OPERATORS: ['C0SALES', 'slack:sales', 'telegram:@group', 'whatsapp:123', ','],
    DIGEST: ['C0SALES', 'slack:sales', 'whatsapp:123', ',', 'slack:C0SALES, slack:C0SALES'],
    DIGEST_AT: ['25:00', '18', '6pm', '18:60', '24:00'],
    ALERT_SMS_BELOW: ['0', '-1', '1.5', 'few'],
    ALERT_PAYOUT_BELOW: ['much', '-5', '500 USD', '500 600'],
    STATUS_CHECK_SCHEDULE: ['10', '10s;20s', '10s,soon', '0s', '5ms'],
    STATUS_CHECK_GIVE_UP: ['72', '0h', 'never'],
    CONFIRM_WITHIN: ['10', '0s', '25h', '1441m'],
    METRICS_HOST: ['a b', 'http://x'],
    METRICS_PORT: ['65536', '-1', '80a'],
    LOG_LEVEL: ['verbose', 'INFO'],
  };
  const cases = Object.entries(bad).flatMap(([name, values]) =>
    values.map((value) => [name, value] as const),
  );

  it.each(cases)('%s refuses %j', { tags: ['T19'] }, (name, value) => {
    expect(refusedVariables({ [name]: value })).toContain(name);
  });

  it('has a refused value in this test, unless any line of text will do', () => {
    const anyLine = [
      ...['PAYMENTS_NICKNAME', 'TELEGRAM_BOT_TOKEN', 'SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN'],
      ...['SLACK_CONFIG_TOKEN', 'SLACK_SIGNING_SECRET'],
      ...['DATA_DIR', 'ACCESS_FILE', 'TEMPLATES_FILE', 'MERCHANTS_FILE'],
    ];
    expect([...Object.keys(bad), ...anyLine].sort()).toEqual([...names].sort());
  });

  it('reads what is unusual but right', () => {
    onTestFinished(() => void readConfig({}));
    const config = readConfig({
      DEFAULT_CURRENCY: 'xof',
      DEFAULT_COUNTRY: 'ci',
      TIME_ZONE: 'Europe/London',
      PAYMENTS_RATE: '0.5',
      PORT: '0',
      HOST: '::1',
      SMS_SENDER_ID: ' MyShop , Second Shop ,',
      STATUS_CHECK_SCHEDULE: '250ms, 1h',
      TRUST_PROXY: 'loopback, 10.1.0.0/16',
      CALLBACK_ALLOW: '2001:DB8:0:0::/32, ::ffff:192.0.2.0/120,',
      CALLBACK_SECRET: 'first-secret-of-many,second-secret-of-two',
      SLACK_API_URL: 'http://localhost:4000/api',
      TELEGRAM_API_ROOT: 'http://127.0.0.1:8081/',
    });
    expect(config).toMatchObject({
      currency: 'XOF',
      country: 'CI',
      timeZone: 'Europe/London',
      gateway: { requestsPerSecond: 0.5 },
      listener: {
        host: '::1',
        port: 0,
        portChosen: true,
        proxies: [
          { address: '127.0.0.0', prefixBits: 8 },
          { address: '::1', prefixBits: 128 },
          { address: '10.1.0.0', prefixBits: 16 },
        ],
        callbackAllow: [
          { address: '2001:db8::', prefixBits: 32 },
          { address: '192.0.2.0', prefixBits: 24 },
        ],
      },
      sms: { senderIds: ['MyShop', 'Second Shop'] },
      checks: { scheduleMs: [250, 3_600_000] },
      callbackSecrets: ['first-secret-of-many', 'second-secret-of-two'],
    });
  });
});
