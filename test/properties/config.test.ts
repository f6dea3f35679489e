import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Config, readConfig } from '../../src/config/config.ts';
import { type Name, names, variables } from '../../src/config/variables.ts';
import { EX_CONFIG, StartError } from '../../src/core/runtime/errors.ts';
import { check } from '../support/check.ts';
import { hostileText } from '../support/hostile-text.ts';

type Env = Partial<Record<Name, string>>;

const read = (env: Env, file = ''): Config | StartError => {
  try {
    return readConfig(env, file);
  } catch (error) {
    if (error instanceof StartError) return error;
    throw error;
  }
};

/** The variables that a refusal names as not right, each once. */
const named = (refusal: StartError): string[] =>
  [...refusal.message.matchAll(/^ {2}([A-Z_]+) is /gm)].map(([, name = '']) => name);

/** Values nobody may set, none of which is what the variable before or after it takes. */
const BAD: Partial<Record<Name, readonly string[]>> = {
  PAYMENTS_BASE_URL: [
    'Sandbox',
    'payments.example.com',
    'http://pay.example.com',
    'https://u:p@a.example',
  ],
  PAYMENTS_CLIENT_KEY: ['hidden:canary', 'hidden-canary\nx'],
  PAYMENTS_SECRET_KEY: ['hidden-canary\nsecond line'],
  PAYMENTS_SERVICE_ID: ['1e3', '-1', '1.5', '0x10', '99999999999999999999'],
  PAYMENTS_NICKNAME: ['a\u0007b'],
  PAYMENTS_TIMEOUT: ['30', '1 s', '99ms', '121s', '-5s', '1e3s'],
  PAYMENTS_RATE: ['0', '-1', '1e1', '1001', 'many'],
  PAYMENTS_SEND_CURRENCY_VAL: ['always', 'One'],
  SMS_SENDER_ID: ['AdjoaStoresLtd', 'Adwoa\u0254', ','],
  DEFAULT_CURRENCY: ['GHC', 'cedis', 'XYZ'],
  DEFAULT_COUNTRY: ['Ghana', 'ZZ', 'G'],
  CUSTOMER_NUMBER_FORMAT: ['local', 'E164'],
  TIME_ZONE: ['Accra', 'GMT+25'],
  SLACK_BOT_TOKEN: ['xoxb-hidden\u0000canary'],
  SLACK_SIGNING_SECRET: ['hidden\tcanary'],
  TELEGRAM_WEBHOOK_SECRET: ['hidden canary', 'hidden.canary'],
  HOST: ['a b', 'http://x'],
  PORT: ['65536', '-1', '80a', '1e3'],
  PUBLIC_URL: ['pay.example.com', 'ftp://pay.example.com', 'https://pay.example.com/?x=1'],
  CALLBACK_SECRET: ['hiddencanary', 'hidden-canary-that-is-long,short'],
  DATABASE_URL: [
    'mysql://hidden:canary@h/db',
    'postgres://u:hidden%canary@h/db',
    'postgres://u:hid/den@canary@h/db',
  ],
  OPERATORS: ['C0SALES', 'slack:sales', 'telegram:abc', 'terminal:me'],
  DIGEST: ['C0SALES', 'slack:sales', 'slack:C0SALES,slack:C0SALES'],
  DIGEST_AT: ['25:00', 'noon'],
  STATUS_CHECK_SCHEDULE: ['10', '10s,soon', '1ms'],
  STATUS_CHECK_GIVE_UP: ['never', '0s'],
  CONFIRM_WITHIN: ['0ms', 'ten minutes', '25h'],
  METRICS_HOST: ['a b'],
  METRICS_PORT: ['65536', '80a'],
  LOG_LEVEL: ['verbose', 'INFO'],
};

/** But for the one that names a file with settings of its own: test/config/merchants-file.test.ts. */
const drawn = names.filter((name) => name !== 'MERCHANTS_FILE');

/** For every variable: not set, set as its example shows, or set to something nobody may set. */
const settings: fc.Arbitrary<readonly (readonly [Name, 'good' | 'bad', string])[]> = fc
  .tuple(
    ...drawn.map((name) =>
      fc.oneof(
        { weight: 4, arbitrary: fc.constant([] as const) },
        { weight: 3, arbitrary: fc.constant([[name, 'good', variables[name].example] as const]) },
        {
          weight: BAD[name] === undefined ? 0 : 1,
          arbitrary: fc
            .constantFrom(...(BAD[name] ?? ['-']))
            .map((value) => [[name, 'bad', value] as const]),
        },
      ),
    ),
  )
  .map((each) => each.flat());

/** What the contract asks for beside values that are right. */
const missingIn = (env: Env): Name[] => {
  const has = (name: Name) => env[name] !== undefined;
  const needs: Name[] = [];
  const slack = has('SLACK_APP_TOKEN') || has('SLACK_SIGNING_SECRET');
  if (slack || has('SLACK_BOT_TOKEN') || has('TELEGRAM_BOT_TOKEN')) needs.push('PAYMENTS_BASE_URL');
  const places = `${env.OPERATORS} ${env.DIGEST}`;
  if (slack || /slack:/.test(places)) needs.push('SLACK_BOT_TOKEN');
  if (has('SLACK_BOT_TOKEN') && !slack) needs.push('SLACK_APP_TOKEN');
  if (has('METRICS_HOST')) needs.push('METRICS_PORT');
  if (has('TELEGRAM_WEBHOOK_SECRET')) needs.push('TELEGRAM_BOT_TOKEN', 'PUBLIC_URL');
  if (/telegram:/.test(places)) needs.push('TELEGRAM_BOT_TOKEN');
  if (has('PAYMENTS_BASE_URL') && env.PAYMENTS_BASE_URL !== 'sandbox')
    needs.push(
      ...(['PAYMENTS_CLIENT_KEY', 'PAYMENTS_SECRET_KEY', 'PAYMENTS_SERVICE_ID'] as const),
      ...(['PAYMENTS_NICKNAME', 'PUBLIC_URL'] as const),
    );
  return needs.filter((name) => !has(name));
};

const isSecret = (name: Name): boolean => variables[name].secret === true;

describe('the settings', () => {
  it('make a configuration, or one refusal with 78 that names every one that is not right', () =>
    check(
      fc.property(settings, (given) => {
        const env: Env = Object.fromEntries(given.map(([name, , value]) => [name, value]));
        const bad = given.flatMap(([name, kind]) => (kind === 'bad' ? [name] : []));
        const wrong = new Set([...bad, ...missingIn(env)]);
        const result = read(env);
        if (!(result instanceof StartError)) {
          expect([...wrong]).toEqual([]);
          return;
        }
        expect(result.exitCode).toBe(EX_CONFIG);
        expect(named(result).sort()).toEqual([...wrong].sort());
        expect(result.message).not.toMatch(/canary/);
      }),
      2_000,
    ));

  it('never show a value in a refusal, whatever was pasted where', () => {
    const value = fc.stringMatching(/^[A-Za-z0-9+/:@,.-]{12,40}$/).map((text) => `Zq7${text}`);
    const env = fc.dictionary(fc.constantFrom(...names), value, { minKeys: 1, maxKeys: 12 });
    return check(
      fc.property(env, (given) => {
        const result = read(given as Env);
        if (!(result instanceof StartError)) return;
        for (const text of Object.values(given)) expect(result.message).not.toContain(text);
      }),
      1_500,
    );
  });

  it('are read or refused, whatever the environment and the file hold; secrets are known to the log', () => {
    const value = fc.oneof(
      hostileText,
      fc.constantFrom(...names.map((name) => variables[name].example)),
    );
    const env = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 10 });
    return check(
      fc.property(env, hostileText, (given, file) => {
        const result = read(given as Env, file);
        if (result instanceof StartError) {
          expect(result.exitCode).toBe(EX_CONFIG);
          expect(named(result).length).toBeGreaterThan(0);
          return;
        }
        for (const [name, text] of Object.entries(given as Env))
          if (isSecret(name as Name) && text.trim() !== '')
            expect(result.secrets).toContain(text.trim());
      }),
      1_500,
    );
  });

  it('are the same from the file as from the environment, which wins', () =>
    check(
      fc.property(settings, (given) => {
        const plain = given.filter(([, , value]) => !/\p{Cc}/u.test(value));
        const env: Env = Object.fromEntries(plain.map(([name, , value]) => [name, value]));
        const file = plain.map(([name, , value]) => `${name}='${value}'`).join('\n');
        const [one, other] = [read(env), read({}, file)];
        if (one instanceof StartError) expect(other).toMatchObject({ message: one.message });
        else expect(other).toEqual(one);
        expect(read(env, names.map((name) => `${name}=`).join('\n'))).toEqual(one);
      }),
      1_000,
    ));
});
