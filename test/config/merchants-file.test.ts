import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { readMerchants, readMerchantsFile } from '../../src/config/merchants-file.ts';
import { refusal } from '../support/refusal.ts';
import { fileWith } from '../support/secret-file.ts';

const CANARY = 'canary-of-a-key';

/** A file with one right entry, changed by the test. */
const entry = async (changes: Readonly<Record<string, unknown>> = {}) => ({
  nickname: 'Adjoa Osu',
  serviceId: 7,
  clientKeyFile: await fileWith('osu-client\n'),
  secretKeyFile: await fileWith(`${CANARY}\n`),
  conversations: ['slack:C0OSU'],
  ...changes,
});

const problemsOf = (merchants: unknown): string => {
  const read = readMerchants(JSON.stringify(merchants), []);
  const text = read.ok ? '' : read.problems.join('\n');
  expect(text).not.toContain(CANARY);
  return text;
};

describe('a file of merchants', () => {
  it('gives each merchant with its keys, which are masked everywhere', async () => {
    const osu = await entry({ members: ['telegram:123'], senderIds: ['OSU'] });
    const tema = await entry({ conversations: ['telegram:-100'], members: [] });
    const path = await fileWith(JSON.stringify({ merchants: { osu, tema } }));
    const config = readConfig({
      MERCHANTS_FILE: path,
      SMS_SENDER_ID: 'SHOP',
      PAYMENTS_BASE_URL: 'https://payments.example.com/api',
      PUBLIC_URL: 'https://pay.example.com',
    });
    expect(config.merchants).toEqual([
      {
        name: 'osu',
        nickname: 'Adjoa Osu',
        senderIds: ['OSU'],
        conversations: ['slack:C0OSU'],
        members: ['telegram:123'],
      },
      {
        name: 'tema',
        nickname: 'Adjoa Osu',
        senderIds: ['SHOP'],
        conversations: ['telegram:-100'],
      },
    ]);
    expect(config.sms.senderIds).toEqual(['SHOP', 'OSU']);
    expect(config.payments).toMatchObject({
      kind: 'service',
      sealSecret: CANARY,
      accounts: [{ merchant: 'osu', clientKey: 'osu-client', serviceId: 7 }, { merchant: 'tema' }],
    });
    const basic = Buffer.from(`osu-client:${CANARY}`).toString('base64');
    expect(config.secrets).toEqual(expect.arrayContaining(['osu-client', CANARY, basic]));
  });

  it('leaves the keys of the variables to what was begun before', async () => {
    const path = await fileWith(JSON.stringify({ merchants: { osu: await entry() } }));
    const { payments } = readConfig({
      MERCHANTS_FILE: path,
      PAYMENTS_BASE_URL: 'https://payments.example.com/api',
      PAYMENTS_CLIENT_KEY: 'old-client',
      PAYMENTS_SECRET_KEY: 'old-secret',
      PAYMENTS_SERVICE_ID: '1',
      PAYMENTS_NICKNAME: 'Adjoa',
      PUBLIC_URL: 'https://pay.example.com',
    });
    expect(payments).toMatchObject({
      sealSecret: 'old-secret',
      accounts: [{ clientKey: 'old-client' }, { merchant: 'osu' }],
    });
  });

  it('is needed where PAYMENTS_* are missing', () => {
    const { message } = refusal(() =>
      readConfig({ PAYMENTS_BASE_URL: 'https://payments.example.com/api' }),
    );
    expect(message).toContain('PAYMENTS_CLIENT_KEY is not set');
  });

  it('that is not there, or not right, stops the start with its lines', async () => {
    const missing = refusal(() => readConfig({ MERCHANTS_FILE: '/nowhere.yml' })).message;
    expect(missing).toMatch(
      /MERCHANTS_FILE is the name of a file that is not right[\s\S]*it is not there[\s\S]*Expected:/,
    );
    expect(missing).toContain('Found:    /nowhere.yml');
    expect(readMerchantsFile('/', [])).toMatchObject({
      problems: [expect.stringMatching(/^it cannot be read \(E/)],
    });
    const path = await fileWith('merchants:\n  osu: {nickname: A}\n');
    const { exitCode, message } = refusal(() => readConfig({ MERCHANTS_FILE: path }));
    expect(exitCode).toBe(78);
    expect(message).toMatch(/line 2, merchants\.osu\.serviceId: Expected the service id/);
  });

  it.each([
    [{ nickname: '' }, /nickname: Expected a name on one line. Found nothing/],
    [{ nickname: 5 }, /nickname: Expected the name that the payer sees. Found 5/],
    [{ serviceId: 1.5 }, /serviceId: Expected the service id as a whole number. Found 1.5/],
    [{ serviceId: 'abc' }, /serviceId: Expected the service id as a whole number. Found "abc"/],
    [{ serviceId: 'sk4canaryCANARYcanary1234' }, /Found what looks like a key/],
    [{ senderIds: 'foo' }, /senderIds: Expected a list of sender ids. Found "foo"/],
    [{ conversations: 'general' }, /Expected a list such as .*. Found "general"/],
    [{ members: 7 }, /Expected a list such as .*. Found 7/],
    [
      { clientKeyFile: 5 },
      /clientKeyFile: Expected the path of a file with the key alone, such as [^ ]*$/,
    ],
    [{ clientKeyFile: '/nowhere' }, /clientKeyFile: It names a file that is not there/],
    [{ senderIds: ['twelve signs'] }, /senderIds/],
    [{ conversations: [] }, /A merchant needs a conversation/],
    [{ conversations: ['C0OSU'] }, /Expected an id such as slack:C0FINANCE. Found "C0OSU"/],
    [{ members: ['slack:S0GROUP'] }, /Expected an id such as slack:U.*Found "slack:S0GROUP"/],
    [{ secretKey: 'x' }, /There is nothing called "secretKey" here/],
  ])('names what is wrong in an entry: %j', async (changes, problem) => {
    expect(problemsOf({ merchants: { osu: await entry(changes) } })).toMatch(problem);
  });

  it.each([
    'merchants:\n  osu:\n    clientKey:Moon42\n    secretKey:Sun77\n',
    'merchants:\n  clientKey:Moon42\n',
    'merchants:clientKey:Moon42',
    'merchants: {osu: {clientKey:Moon42}}',
    'merchants: {osu: {clientKey=Moon42: }}',
    'merchants: {clientKey:Moon42, secret_key=Sun77}',
    'merchants: {osu: {clientKey: *Moon42}}',
    'merchants: {osu: {clientKey: !Moon42}}',
    'merchants: {osu: {clientKeyFile: {Moon42}, secretKeyFile: [Moon42], nickname: [Moon42]}}',
  ])('shows no key that was written into it: %j', (text) => {
    const read = readMerchants(text, []);
    expect(read).toMatchObject({ ok: false });
    expect(JSON.stringify(read)).not.toMatch(/Moon42|Sun77/);
  });

  it.each([
    ['others may open', CANARY, 0o644, /others on this machine may open. Type: chmod/],
    ['has two lines', `${CANARY}\nsecond`, 0o600, /more than one line/],
    ['has a colon', `${CANARY}:x`, 0o600, /has a colon/],
  ])('refuses a client key in a file that %s', async (_, content, mode, problem) => {
    const clientKeyFile = await fileWith(content, mode);
    expect(problemsOf({ merchants: { osu: await entry({ clientKeyFile }) } })).toMatch(problem);
  });

  it.each([
    [{}, /There is no merchant in it/],
    [{ '1st shop': ['slack:C0OSU'] }, /A name begins with a letter and has letters, digits/],
    [{ osu: ['slack:C0OSU'], tema: ['slack:C0OSU'] }, /slack:C0OSU is a conversation of osu too/],
  ])('names what is wrong among merchants: %#', async (named, problem) => {
    const entries = Object.entries(named).map(async ([name, conversations]) => [
      name,
      await entry({ conversations }),
    ]);
    const merchants = Object.fromEntries(await Promise.all(entries));
    expect(problemsOf({ merchants })).toMatch(problem);
  });

  it('shows how it looks in the example', () => {
    const example = readFileSync('merchants.example.yml', 'utf8');
    const read = readMerchants(example, []);
    const problems = read.ok ? [] : read.problems;
    // The keys of the example are not there, and nothing else is wrong.
    expect(problems).toHaveLength(4);
    for (const problem of problems)
      expect(problem).toMatch(/KeyFile: It names a file that is not there/);
  });
});
