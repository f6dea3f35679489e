import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Callbacks, callbackPath } from '../../src/core/callbacks/callbacks.ts';
import { callbackMessage } from '../../src/core/gateway/collection-service/callback-message.ts';
import type { Payments } from '../../src/core/payments/payments.ts';
import { newTransactionId } from '../../src/core/values/transaction-id.ts';
import { aPayment } from '../support/a-payment.ts';
import { check } from '../support/check.ts';
import { hostileText } from '../support/hostile-text.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { silentLog } from '../support/silent-log.ts';

const SECRETS = ['the-secret-that-signs-now', 'the-secret-before-it'];
type Recorded = Parameters<Payments['record']>;
const payment = aPayment();

/** Callbacks over payments that only write down what is to be recorded. */
const opened = () => {
  const recorded: Recorded[] = [];
  const payments = {
    record: async (...args: Recorded) => {
      recorded.push(args);
      return { payment, changed: true };
    },
  } as unknown as Payments;
  const callbacks = new Callbacks({
    payments,
    clock: new ManualClock(),
    unmatched: { keep: async () => 'not ours' },
    log: silentLog,
    secrets: SECRETS,
    publicUrl: 'https://pay.example.com/',
  });
  return { callbacks, recorded };
};
const { callbacks, recorded } = opened();

const id = fc.integer({ min: 0, max: 2 ** 45 - 1 }).map((ms) => newTransactionId(ms));
const partsOf = (address: string): { id: string; token: string } => {
  const [, , of = '', token = ''] = new URL(address).pathname.split('/');
  return { id: of, token };
};

describe('a callback address', () => {
  it('that was issued is known, under every secret that still counts', () =>
    check(
      fc.property(id, fc.constantFrom(...SECRETS), (of, secret) => {
        const issued = partsOf(callbacks.address(of));
        expect(callbacks.issued(issued.id, issued.token)).toBe(true);
        const path = callbackPath(secret, of).split('/');
        expect(callbacks.issued(path[2] ?? '', path[3] ?? '')).toBe(true);
      }),
      2_500,
    ));

  it('with any one bit turned in its id or its token is not', () =>
    check(
      fc.property(id, fc.nat(10_000), fc.nat(7), (real, at, bit) => {
        const issued = partsOf(callbacks.address(real));
        const bytes = Buffer.from(`${issued.id}/${issued.token}`, 'latin1');
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
        const [of = '', ...token] = bytes.toString('latin1').split('/');
        expect(callbacks.issued(of, token.join('/'))).toBe(false);
      }),
      6_000,
    ));

  it('is never guessed: other ids, other secrets, other lengths, other letters, no text at all', () => {
    const guess = fc.oneof(
      hostileText,
      fc.stringMatching(/^[0-9a-f]{64}$/),
      fc.constantFrom('', '0'.repeat(64), '__proto__', 'undefined', 'null', 'true'),
    );
    return check(
      fc.property(id, id, guess, fc.stringMatching(/^\w{16,30}$/), (real, other, token, secret) => {
        const issued = partsOf(callbacks.address(real));
        expect(callbacks.issued(real, token)).toBe(false);
        expect(callbacks.issued(token, issued.token)).toBe(false);
        if (other !== real) expect(callbacks.issued(other, issued.token)).toBe(false);
        expect(callbacks.issued(real, issued.token.toUpperCase())).toBe(/^\d+$/.test(issued.token));
        for (const changed of [`${issued.token}0`, issued.token.slice(1), ` ${issued.token}`])
          expect(callbacks.issued(real, changed)).toBe(false);
        expect(callbacks.issued(real, callbackPath(secret, real).split('/')[3] ?? '')).toBe(false);
      }),
      3_000,
    );
  });
});

/** As large and as deep as a body may be. */
const hugeJson = fc.constantFrom(
  `{"data":${'{"data":'.repeat(5_000)}1${'}'.repeat(5_001)}`,
  `${'['.repeat(32_000)}${']'.repeat(32_000)}`,
  '['.repeat(64_000),
  `{"message":"${'x'.repeat(60_000)}"}`,
  JSON.stringify({ message: '😀'.repeat(15_000) }),
);

/** JSON as attackers write it, as text: valid or not. */
const hostileJson: fc.Arbitrary<string> = fc.oneof(
  { weight: 20, arbitrary: fc.json({ maxDepth: 5 }) },
  {
    weight: 40,
    arbitrary: fc
      .dictionary(
        fc.constantFrom(
          'status',
          'message',
          'status_desc',
          'data',
          'response_data',
          '__proto__',
          'reason',
        ),
        fc.oneof(hostileText, fc.jsonValue({ maxDepth: 3 })),
      )
      .map((value) => JSON.stringify(value)),
  },
  {
    weight: 20,
    arbitrary: fc
      .tuple(hostileText, hostileText)
      .map(
        ([one, other]) => `{"message":${JSON.stringify(one)},"message":${JSON.stringify(other)}}`,
      ),
  },
  {
    weight: 10,
    arbitrary: fc
      .integer({ min: 150, max: 205 })
      .map((n) => JSON.stringify({ message: `${'x'.repeat(n)}😀😀` })),
  },
  {
    weight: 10,
    arbitrary: fc.constantFrom(
      '{"__proto__":{"message":"x"},"message":1e999}',
      '{"constructor":{"prototype":{"message":"x"}}}',
      '{"message":12345678901234567890123}',
      '{"message":"\\ud83d"}',
      '\ufeff{"message":"x"}',
    ),
  },
  { weight: 1, arbitrary: hugeJson },
);
const form: fc.Arbitrary<string> = fc
  .dictionary(fc.constantFrom('message', 'status_desc', 'reason', '__proto__'), hostileText)
  .map((fields) =>
    Object.entries(fields)
      .map(([name, value]) => `${name}=${encodeURIComponent(value.toWellFormed())}`)
      .join('&'),
  );
const body: fc.Arbitrary<string> = fc.oneof(
  { weight: 6, arbitrary: hostileJson },
  { weight: 2, arbitrary: form },
  { weight: 1, arbitrary: hostileText },
  {
    weight: 1,
    arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString()),
  },
);

describe('the body of a callback', () => {
  it('gives one short line of words or none, whatever its bytes', () =>
    check(
      fc.property(body, (text) => {
        const hint = callbackMessage(text);
        if (hint === undefined) return;
        expect(hint.length).toBeLessThanOrEqual(200);
        expect(hint.isWellFormed()).toBe(true);
        expect(hint).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(hint.trim()).not.toBe('');
      }),
      4_000,
    ));

  it(
    'never asks for anything but the recording of a hint, with the beginning of the body',
    { tags: ['I6'] },
    () =>
      check(
        fc.asyncProperty(id, body, async (of, text) => {
          recorded.length = 0;
          expect(await callbacks.receive(of, text, 'application/json')).toBe(200);
          const hint = callbackMessage(text);
          const event = { kind: 'callback', ...(hint === undefined ? {} : { message: hint }) };
          expect(recorded).toEqual([[of, event, { cause: expect.any(Function) }]]);
          const causeOf = recorded[0]?.[2]?.cause;
          const cause = typeof causeOf === 'function' ? causeOf(payment, payment) : undefined;
          const { body, bodyBytes, contentType, ...more } = cause?.detail ?? {};
          expect([contentType, more]).toEqual(['application/json', {}]);
          expect(Buffer.byteLength(String(body))).toBeLessThanOrEqual(4_096);
          if (bodyBytes === undefined) expect(body).toBe(text);
          else expect(Buffer.from(text).subarray(0, 4_096).toString()).toContain(body);
          expect(Object.getPrototypeOf({}).message).toBeUndefined();
        }),
        2_500,
      ),
  );
});
