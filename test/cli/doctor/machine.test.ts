import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Findings, reportText } from '../../../src/cli/doctor/report.ts';
import { examined, healthyEnv } from '../../support/examined.ts';
import { runApp } from '../../support/run-app.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A chat platform: what is tried in the terminal alone does not count. */
const TELEGRAM = {
  PAYMENTS_BASE_URL: 'sandbox',
  TELEGRAM_BOT_TOKEN: `123456789:${'a'.repeat(35)}`,
};

describe('settings', () => {
  it('are fine with nothing but a terminal', async () => {
    const { findings, text } = await examined(await healthyEnv());
    expect(findings).toEqual([]);
    expect(text).toContain('no money moves');
    expect(text).toMatch(/Nothing to correct\.$/);
  });

  it('that look like a slip are findings', async () => {
    const { of } = await examined({ ...(await healthyEnv()), PAYMENTS_TIMEUOT: '5s' });
    expect(of('Settings')).toEqual([expect.stringContaining('PAYMENTS_TIMEUOT')]);
  });
});

describe('the data folder', () => {
  it('that others may look into is a finding', async () => {
    const env = await healthyEnv();
    await chmod(env['DATA_DIR'] ?? '', 0o755);
    const { of, text } = await examined(env);
    expect(of('Data folder')).toEqual([expect.stringContaining('Others on this machine')]);
    expect(text).toContain(`chmod 700 ${env['DATA_DIR']}`);
  });

  it('may be missing, if it can be made', async () => {
    const env = await healthyEnv();
    await rm(env['DATA_DIR'] ?? '', { recursive: true });
    const { findings, text } = await examined(env);
    expect(findings).toEqual([]);
    expect(text).toContain('is made at the first start');
  });

  it('has to be a folder', async () => {
    const env = await healthyEnv();
    await writeFile(join(env['DATA_DIR'] ?? '', 'file'), '');
    const { of } = await examined({ ...env, DATA_DIR: join(env['DATA_DIR'] ?? '', 'file') });
    expect(of('Data folder')).toEqual([expect.stringContaining('is not a folder')]);
  });

  it('may be in use by a running Paythread', async () => {
    const { dir } = await runApp();
    const { findings, text } = await examined({
      ...(await healthyEnv()),
      DATA_DIR: join(dir, 'data'),
    });
    expect(findings).toEqual([]);
    expect(text).toContain(`In use by process ${process.pid}`);
  });

  it('may have a lock that its process left when it was killed', async () => {
    const env = await healthyEnv();
    const dir = env['DATA_DIR'] ?? '';
    await writeFile(join(dir, 'paythread.lock'), '{"pid":1,"host":"here"}');
    await writeFile(join(dir, 'paythread-lock.db'), '');
    const { findings, text } = await examined(env);
    expect(findings).toEqual([]);
    expect(text).toContain('No process uses it now.');
  });

  it('is a finding when what is in it is not a database of Paythread', async () => {
    const env = await healthyEnv();
    await writeFile(join(env['DATA_DIR'] ?? '', 'paythread.db'), 'hello '.repeat(1_000));
    expect((await examined(env)).of('Data folder')).toEqual([
      expect.stringContaining('is not a database of Paythread'),
    ]);
  });
});

describe('the access file', () => {
  const good = 'roles: { sales: { commands: [charge] } }\nmembers: { sales: [terminal:local] }\n';

  it('is fine when every role has somebody', async () => {
    expect((await examined(await healthyEnv(good))).findings).toEqual([]);
  });

  it.each([
    ['roles: { sales: { commands: [charge] } }', 'No one has the role sales.'],
    [
      'roles: { sales: { commands: [] } }\nmembers: { sales: [terminal:local] }',
      'The role sales grants nothing.',
    ],
    [
      'roles: { sales: { commands: [charge], maxCharge: 5 } }\nmembers: { sales: [terminal:local] }',
      'no one may approve',
    ],
    [
      'roles: { sales: { commands: [charge] } }\nmembers: { sales: [slack:U024BE7LH] }',
      'slack, which is not configured',
    ],
    ['roles: { sales: { commands: [fly] } }', 'There is no command "fly"'],
    ['roles: {', 'line'],
  ])('is a finding: %s', async (access, said) => {
    const { of } = await examined(await healthyEnv(access));
    expect(of('Access')).toEqual([expect.stringContaining(said)]);
  });

  it('that others may write is a finding', async () => {
    const env = await healthyEnv(good);
    await chmod(env['ACCESS_FILE'] ?? '', 0o666);
    expect((await examined(env)).of('Access')).toEqual([expect.stringContaining('may change')]);
  });

  it('that is a folder is a finding', async () => {
    const env = await healthyEnv();
    await mkdir(env['ACCESS_FILE'] ?? '');
    expect((await examined(env)).of('Access')).toEqual([expect.stringContaining('EISDIR')]);
  });
});

describe('SMS', () => {
  const granting = 'roles: { a: { commands: [sms] } }\nmembers: { a: [terminal:local] }';

  it('granted without a sender id is a finding', async () => {
    // In the terminal the sandbox brings one.
    expect((await examined(await healthyEnv(granting))).of('SMS')).toEqual([]);
    const env = { ...(await healthyEnv(granting)), ...TELEGRAM };
    expect((await examined(env)).of('SMS')).toEqual([
      expect.stringContaining('SMS_SENDER_ID is not set'),
    ]);
  });

  it.each([
    ['Shop,Shop', 'twice'],
    ['0244', 'all digits'],
  ])('sender ids %s are a finding', async (ids, said) => {
    const env = { ...(await healthyEnv(granting)), SMS_SENDER_ID: ids };
    expect((await examined(env)).of('SMS')).toEqual([expect.stringContaining(said)]);
  });
});

describe('the report', () => {
  it('names each finding with what to do, then what is fine', () => {
    const clock = new Findings('Clock');
    clock.wrong('It is late.', 'Set it.');
    clock.note('A note.');
    const text = reportText([clock, new Findings('Access')]);
    expect(text).toBe(
      'Clock: not right\n  ! It is late.\n    Set it.\n  A note.\n\nAccess: fine\n\nOne finding. Correct what is marked with "!" and run this again.',
    );
  });
});

describe('templates', () => {
  const env = async (templates: string, more: Record<string, string> = {}) => {
    const healthy = await healthyEnv();
    const TEMPLATES_FILE = join(await tempFolder(), 'templates.yml');
    await writeFile(TEMPLATES_FILE, templates);
    return { ...healthy, SMS_SENDER_ID: 'SHOP', TEMPLATES_FILE, ...more };
  };

  it('are listed with what they cost', async () => {
    const found = await examined(await env('receipt: { text: "Paid {amount}" }'));
    expect(found.of('Templates')).toEqual([]);
    expect(found.text).toContain('Templates: receipt (up to 1 SMS).');
  });

  it.each([
    ['receipt: { text: "{ammount}" }', {}, /line 1, receipt\.text: There is no field \{ammount\}/],
    ['link: { text: "Pay now" }', {}, /no \{link\}/],
    ['ready: { text: "Ready" }', { SMS_SENDER_ID: '', ...TELEGRAM }, /SMS_SENDER_ID is not set/],
    ['ready: { text: "Ready" }', { RECEIPT: 'always' }, /no template receipt/],
  ])('with %j and %j are not right', async (templates, more, said) => {
    const found = (await examined(await env(templates, more))).of('Templates');
    expect(found).toEqual([expect.stringMatching(said)]);
  });
});
