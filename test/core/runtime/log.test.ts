import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '../../../src/core/runtime/errors.ts';
import { createLog, type Log } from '../../../src/core/runtime/log.ts';

const SECRET = 'canary/secret+"quoted"';
const SHORT_OF_IT = 'canary/secret';

let folder: string;
let file: string;
let log: Log;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'paythread-log-'));
  file = join(folder, 'paythread.log');
  log = createLog({ level: 'info', secrets: [SHORT_OF_IT, SECRET, 'abc'], destination: file });
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const written = (): string => readFileSync(file, 'utf8');
const lines = (): Record<string, unknown>[] =>
  written()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

describe('every line', () => {
  it('is JSON with level, time and message', () => {
    log.info({ payment: 'PT1' }, 'settled');
    log.warn('late');
    expect(lines()).toMatchObject([
      { level: 30, payment: 'PT1', msg: 'settled', time: expect.stringMatching(/^\d{4}-.*Z$/) },
      { level: 40, msg: 'late' },
    ]);
  });

  it('stays one line, whatever the text', () => {
    log.info({ text: 'a\r\nb\u2028c\u001b[31m' }, 'one\ntwo');
    expect(written().split('\n')).toHaveLength(2);
    expect(written()).not.toContain('\u001b');
  });

  it('has no line end, terminal order or turn of direction that JSON leaves as it is', {
    tags: ['T16'],
  }, () => {
    const text = 'a\u2028b\u0085c\u009b31md\u202ee';
    log.info({ text }, text);
    expect(written()).not.toMatch(/[\u0080-\u009f\u2028\u202e]/);
    expect(lines()[0]).toMatchObject({ text, msg: text });
  });

  it('is left out below the level', () => {
    log.debug('unseen');
    expect(written()).toBe('');
  });
});

describe('configured secrets', () => {
  it.each([
    ['in the message', (it: Log) => it.info(`sent with ${SECRET}`)],
    ['in a field', (it: Log) => it.info({ url: `https://x/?k=${SECRET}` }, 'x')],
    ['in a message parameter', (it: Log) => it.info('sent with %s', SECRET)],
    ['deep inside', (it: Log) => it.info({ a: [{ b: { c: [SECRET] } }] }, 'x')],
    ['in a key', (it: Log) => it.info({ [SECRET]: 1 }, 'x')],
    ['in an address', (it: Log) => it.info({ url: `/?k=${encodeURIComponent(SECRET)}` }, 'x')],
    ['in an error', (it: Log) => it.error(new Error(`refused ${SECRET}`))],
    ['in the cause of an error', (it: Log) => it.error({ err: wrapped(SECRET) }, 'x')],
  ])('do not come out %s', (_where, write) => {
    write(log);
    expect(lines()).toHaveLength(1);
    expect(written()).toContain('[secret]');
    expect(written()).not.toMatch(/canary|secret\+|quoted/);
  });

  it('leave words alone that are shorter than any real secret', () => {
    log.info('abc stays');
    expect(lines()[0]?.msg).toBe('abc stays');
  });
});

const wrapped = (text: string): Error =>
  new Error('outer', { cause: new Error('middle', { cause: new Error(`inner ${text}`) }) });

describe('secrets nobody configured', () => {
  it.each([
    'Basic Y2xpZW50OnNlY3JldA==',
    'bearer abcdef.ghijkl',
    'xoxb-canary-123',
    'xapp-1-canary',
    'https://api.telegram.org/bot123456789:AAcanaryAAcanaryAAcanaryAAcanary/getMe',
    'POST /callbacks/PT1/canary-canary',
  ])('are known by their form: %s', (text) => {
    log.info({ text: `before ${text} after` }, text);
    expect(written()).not.toMatch(/canary|Y2xpZW50|abcdef/);
    expect(written()).toContain('[secret]');
  });

  it.each([
    ...[
      'authorization',
      'Authorization',
      'X-Slack-Signature',
      'botToken',
      'password',
      'set-cookie',
    ],
    ...['client_key', 'CALLBACK_SECRET', 'body', 'rawBody', 'customerName'],
  ])('are known by their key: %s', (key) => {
    log.info({ headers: { [key]: 'canary' }, list: [{ [key]: { deep: 'canary' } }] }, 'x');
    expect(written()).not.toContain('canary');
  });

  it('are not seen in counts under such a key', () => {
    log.info({ bodyBytes: 12, tokens: 3, body: null }, 'x');
    expect(lines()[0]).toMatchObject({ bodyBytes: 12, tokens: 3, body: null });
  });
});

describe('phone numbers', () => {
  it.each([
    ...['0244123456', '233244123456', '+233244123456', '00233244123456'],
    ...[
      '024 412 3456',
      '024-412-3456',
      '+233 24 412 3456',
      '+233 (0) 24 412 3456',
      '(024) 4123456',
    ],
    ...['+14155552671', '+2250707123456', 'tel:+233244123456', 'call0244123456now'],
    ...['0244 123 456', '02 44 12 34 56', '024/4123456', '+1 (415) 555-2671', '024\u20134123456'],
    ...['233 244 123 456', '024\u00a0412\u00a03456', '0244-123456: no wallet'],
  ])('do not come out whole: %s', { tags: ['T14'] }, (number) => {
    log.info({ number, deep: [`to ${number}.`] }, `sent to ${number}`);
    log.error(new Error(`no wallet for ${number}`));
    const digits = number.replace(/\D/g, '').slice(-9);
    expect(written().replace(/[ ().\-/\u00a0\u2013]/g, '')).not.toContain(digits);
    expect(written()).toContain(`•••••${digits.slice(-4)}`);
  });

  it('do not come out as a number of JSON either, and the line stays JSON', () => {
    log.info({ msisdn: 233_244_123_456 }, 'x');
    expect(lines()[0]?.msisdn).toBe('•••••3456');
  });

  it('are not seen in amounts, times and ids', () => {
    const plain = {
      atMs: 1_763_694_600_000,
      at: '2026-01-15T09:00:00.123Z',
      ts: '1700000000.000100',
      chat: '-1001234567890',
      id: 'PT7K2M9QX4HA',
      amount: 'GHS 1,200.50',
      took: 0.0123,
    };
    log.info(plain, 'x');
    expect(lines()[0]).toMatchObject(plain);
  });
});

describe('errors', () => {
  it('come with type, code, message, stack and causes, and with nothing they carry along', () => {
    const request = { headers: { accept: 'canary' } };
    const cause = Object.assign(new TypeError('refused'), { code: 'ECONNREFUSED' });
    const error = Object.assign(new Error('no answer', { cause }), { code: 'E1', request });
    log.error({ err: error, queue: 'check' }, 'work failed');
    expect(lines()[0]).toMatchObject({
      queue: 'check',
      err: {
        type: 'Error',
        code: 'E1',
        message: 'no answer',
        stack: expect.stringContaining('log.test.ts'),
        cause: { type: 'TypeError', code: 'ECONNREFUSED', message: 'refused' },
      },
    });
    expect(written()).not.toContain('canary');
  });

  it('may be anything that was thrown', () => {
    log.error({ err: 'just text 0244123456' }, 'x');
    expect(lines()[0]?.err).toBe('just text •••••3456');
  });
});

describe('the file', () => {
  it('is for this user alone, also when it was there before', { tags: ['T14'] }, () => {
    const old = join(folder, 'deeper', 'old.log');
    createLog({ level: 'info', secrets: [], destination: old }).info('one');
    expect(statSync(old).mode & 0o777).toBe(0o600);
    writeFileSync(file, 'before\n', { mode: 0o644 });
    createLog({ level: 'info', secrets: [], destination: file }).info('two');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(written()).toMatch(/^before\n\{.*"two"\}\n$/);
  });

  it('that cannot be opened is a reason not to start', () => {
    const open = () => createLog({ level: 'info', secrets: [], destination: folder });
    expect(open).toThrow(StartError);
    expect(open).toThrow(/EISDIR.*\. Make it writable for the user Paythread runs as\.$/);
  });

  it('that cannot be written costs the line and nothing else', { tags: ['F38'] }, async () => {
    const full = createLog({ level: 'info', secrets: [], destination: '/dev/full' });
    expect(() => full.info('lost')).not.toThrow();
    // An error event that nobody hears would end the process in the next turns.
    await new Promise((resolve) => setImmediate(resolve));
    expect(() => full.info('lost too')).not.toThrow();
  });
});
