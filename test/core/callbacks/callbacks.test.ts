import { describe, expect, it, onTestFinished } from 'vitest';
import { Callbacks, callbackPath } from '../../../src/core/callbacks/callbacks.ts';
import { Listener } from '../../../src/core/http/listener.ts';
import type { Payments } from '../../../src/core/payments/payments.ts';
import { aPayment } from '../../support/a-payment.ts';
import { capturedLog } from '../../support/captured-log.ts';
import { ManualClock } from '../../support/manual-clock.ts';

const payment = aPayment();
const SECRET = 'a-secret-of-the-shop';

type Answers = {
  readonly record?: Payments['record'];
  readonly keep?: () => Promise<'kept' | 'full' | 'not ours'>;
  readonly secrets?: readonly string[];
};

/** Callbacks whose storing goes as a test wants it. */
const callbacksThat = ({ record, keep, secrets = [SECRET] }: Answers = {}) => {
  const { log, entries } = capturedLog();
  const payments = { record: record ?? (async () => undefined) } as unknown as Payments;
  const unmatched = { keep: keep ?? (async () => 'kept' as const) };
  const clock = new ManualClock();
  const publicUrl = 'https://pay.example.com/shop//';
  return {
    callbacks: new Callbacks({ payments, clock, unmatched, log, secrets, publicUrl }),
    entries,
  };
};

describe('the address of a callback', () => {
  it('is the public address with the path that the secret makes of the payment', () => {
    const { callbacks } = callbacksThat();
    const address = callbacks.address(payment.id);
    expect(address).toBe(`https://pay.example.com/shop${callbackPath(SECRET, payment.id)}`);
    expect(address).toMatch(/\/callbacks\/01JD2M4X9QK7T3VB\/[0-9a-f]{64}$/);
  });

  it('cannot be made without a secret', () => {
    const { callbacks } = callbacksThat({ secrets: [] });
    expect(() => callbacks.address(payment.id)).toThrow('no callback secret');
    expect(callbacks.issued(payment.id, '')).toBe(false);
  });
});

describe('a callback', () => {
  const receive = (answers: Answers) =>
    callbacksThat(answers).callbacks.receive(payment.id, '{"message":"Paid"}', 'text/plain');

  it('is answered with 200 once its hint is stored', async () => {
    expect(await receive({ record: async () => ({ payment, changed: true }) })).toBe(200);
  });

  it.each([
    ['kept', 200],
    ['full', 503],
    ['not ours', 404],
  ] as const)(
    'for a payment that is not stored here, when it was %s, gets %i',
    async (kept, status) => {
      expect(await receive({ keep: async () => kept })).toBe(status);
    },
  );

  it('that could not be stored has to come again, and the log says why', {
    tags: ['F37'],
  }, async () => {
    const error = new Error('disk full');
    const { callbacks, entries } = callbacksThat({ record: () => Promise.reject(error) });
    expect(await callbacks.receive(payment.id, '{}', 'text/plain')).toBe(503);
    expect(entries).toMatchObject([
      { level: 'error', fields: { err: error, payment: payment.id } },
    ]);
  });
});

describe('over HTTP a callback', () => {
  type Receive = Callbacks['receive'];
  const posted = async (receive: Receive, headers: Record<string, string> = {}) => {
    const { log, entries } = capturedLog();
    const health = { lateMs: async () => 0, missing: () => [], metrics: async () => '' };
    const listener = new Listener({ health, log });
    const port = await listener.listen('127.0.0.1', 0);
    onTestFinished(() => listener.stop());
    listener.serveCallbacks({ issued: () => true, receive });
    listener.open();
    const url = `http://127.0.0.1:${port}/callbacks/${payment.id}/x`;
    const response = await fetch(url, {
      method: 'POST',
      body: new Uint8Array([123, 125]),
      headers,
    });
    return { answer: [response.status, await response.text()], entries };
  };

  it('brings its body and the beginning of its content type, if it has one', async () => {
    const received: unknown[] = [];
    const receive: Receive = async (...args) => {
      received.push(args);
      return 200;
    };
    await posted(receive);
    await posted(receive, { 'content-type': `text/${'x'.repeat(300)}` });
    expect(received).toEqual([
      [payment.id, '{}', ''],
      [payment.id, '{}', `text/${'x'.repeat(195)}`],
    ]);
  });

  it.each([
    [200, 'ok'],
    [404, 'not found'],
    [503, 'not stored, please send it again'],
  ] as const)('is answered with %i: %s', async (status, text) => {
    expect((await posted(async () => status)).answer).toEqual([status, text]);
  });

  it('is asked for again when even the answer could not be made', async () => {
    const { answer, entries } = await posted(() => Promise.reject(new Error('a mistake of ours')));
    expect(answer).toEqual([503, 'not stored, please send it again']);
    expect(entries.map(({ message }) => message)).toEqual(['a callback failed']);
  });
});

describe('the body of a callback', () => {
  it.each([
    ['that is stored', {}],
    ['of a payment that is not here', { record: async () => undefined }],
    [
      'that cannot be stored',
      {
        record: async () => {
          throw new Error('the store is away');
        },
      },
    ],
  ])('%s is in no log line', async (_which, answers) => {
    const { callbacks, entries } = callbacksThat(answers);
    await callbacks.receive(payment.id, '{"msisdn":"canary-of-a-customer"}', 'application/json');
    expect(JSON.stringify(entries)).not.toContain('canary');
  });
});
