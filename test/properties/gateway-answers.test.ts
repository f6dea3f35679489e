import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { classifyResponse, parseRetryAfterMs } from '../../src/core/gateway/classify-response.ts';
import { readEnvelope } from '../../src/core/gateway/collection-service/envelope.ts';
import {
  balanceOutcome,
  lookupOutcome,
  paymentOutcome,
  readStatusWord,
  smsOutcome,
  statusOutcome,
} from '../../src/core/gateway/collection-service/outcome.ts';
import type { PostResult } from '../../src/core/gateway/post-json.ts';
import { check } from '../support/check.ts';
import { hostileText } from '../support/hostile-text.ts';

const NOW_MS = Date.UTC(2026, 0, 15, 9);
const OUTCOMES = [paymentOutcome, smsOutcome, lookupOutcome, statusOutcome, balanceOutcome];

const httpStatus = fc.oneof(
  fc.constantFrom(200, 201, 202, 204, 301, 302, 307, 400, 401, 403, 404, 405, 408, 409, 413, 415),
  fc.constantFrom(422, 423, 425, 429, 500, 502, 503, 504, 520),
  fc.integer({ min: 100, max: 999 }),
);
const code = fc.oneof(
  fc.constantFrom<unknown>(
    '000',
    '202',
    0,
    202,
    '0',
    '00',
    '001',
    '002',
    '033',
    '067',
    '200',
    '20.2',
  ),
  fc.constantFrom<unknown>(
    ' 000 ',
    '000/01',
    '+0',
    -0,
    0.0,
    '2020',
    '02',
    'OK',
    null,
    true,
    [],
    {},
  ),
  hostileText,
  fc.integer(),
);
const word = fc.oneof(
  fc.constantFrom('pending', 'completed', 'failed', 'COMPLETED', 'Successful', '000', '000/01'),
  fc.constantFrom('001', '002', 'approved', 'paid', 'success?', 'not completed', 'un-failed', ''),
  hostileText,
);
const answer = fc
  .record({
    code,
    message: fc.oneof(hostileText, fc.constant(undefined)),
    data: fc.oneof(
      fc.record({
        status: word,
        transaction_id: hostileText,
        amount: fc.oneof(hostileText, fc.double()),
      }),
      fc.jsonValue({ maxDepth: 2 }),
      fc.constant(undefined),
    ),
  })
  .map((given) => ({
    given,
    body: JSON.stringify({
      response_code: given.code,
      response_message: given.message,
      response_data: given.data,
    }),
  }));

/** What the text of a code is: as the service wrote it, on one line. */
const isCode = (value: unknown, wanted: RegExp): boolean =>
  (typeof value === 'string' || typeof value === 'number') &&
  wanted.test(
    String(value)
      .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
      .trim(),
  );
const YES = /^(0+|202)$/;

/** Answers that are documented to have done nothing. */
const REFUSALS = [400, 401, 403, 404, 405, 413, 415, 422];

const answered = (status: number, body?: string, retryAfter?: string): PostResult => ({
  kind: 'answered',
  httpStatus: status,
  ...(body === undefined ? {} : { body }),
  ...(retryAfter === undefined ? {} : { retryAfter }),
});

describe('the answer to a payment request', () => {
  it(
    'is accepted, refused or busy only as documented; whatever else is unknown, and never not sent',
    { tags: ['F13'] },
    () =>
      check(
        fc.property(httpStatus, answer, (status, { given, body }) => {
          const outcome = paymentOutcome(
            classifyResponse(answered(status, body), { readEnvelope }, NOW_MS),
          );
          const yes = isCode(given.code, YES);
          const success = status >= 200 && status <= 299;
          const expected = yes
            ? success
              ? 'accepted'
              : 'unknown'
            : status === 429
              ? 'rateLimited'
              : REFUSALS.includes(status)
                ? 'refused'
                : 'unknown';
          expect(outcome.kind).toBe(expected);
        }),
        12_000,
      ),
  );

  it('that cannot be read is unknown under every status but a refusal and 429', {
    tags: ['F8'],
  }, () => {
    const garbage = fc.oneof(
      { weight: 25, arbitrary: hostileText },
      {
        weight: 25,
        arbitrary: fc.tuple(answer, fc.nat(60)).map(([{ body }, cut]) => body.slice(0, -1 - cut)),
      },
      {
        weight: 15,
        arbitrary: answer.map(({ body }) => `${body.slice(0, -1)},"response_code":"202"}`),
      },
      { weight: 15, arbitrary: answer.map(({ body }) => `[${body}]`) },
      {
        weight: 20,
        arbitrary: fc.constantFrom(
          '',
          '<html>502</html>',
          'null',
          '"000"',
          '202',
          '\ufeff{}',
          '{"a":1}{"a":1}',
        ),
      },
      {
        weight: 1,
        arbitrary: fc.constantFrom(
          '['.repeat(100_000),
          `${'{"a":'.repeat(50_000)}1${'}'.repeat(50_000)}`,
        ),
      },
    );
    return check(
      fc.property(httpStatus, fc.option(garbage, { nil: undefined }), (status, body) => {
        const { kind } = paymentOutcome(
          classifyResponse(answered(status, body), { readEnvelope }, NOW_MS),
        );
        if (REFUSALS.includes(status)) expect(kind).toBe('refused');
        else expect(kind).toBe(status === 429 ? 'rateLimited' : 'unknown');
      }),
      5_000,
    );
  });

  it('that never came is not sent only on proof', () =>
    check(
      fc.property(fc.boolean(), hostileText, (unsent, reason) => {
        const exchange: PostResult = { kind: 'unanswered', unsent, reason };
        expect(paymentOutcome(classifyResponse(exchange, { readEnvelope }, NOW_MS)).kind).toBe(
          unsent ? 'notSent' : 'unknown',
        );
        expect(smsOutcome(classifyResponse(exchange, { readEnvelope }, NOW_MS)).kind).toBe(
          unsent ? 'notSent' : 'unknown',
        );
        expect(statusOutcome(classifyResponse(exchange, { readEnvelope }, NOW_MS)).kind).toBe(
          'noAnswer',
        );
      }),
      1_000,
    ));

  it('makes no operation throw, and keeps what the service said short and on one line', () =>
    check(
      fc.property(httpStatus, answer, fc.string(), (status, { body }, retryAfter) => {
        for (const outcomeOf of OUTCOMES) {
          const outcome = outcomeOf(
            classifyResponse(answered(status, body, retryAfter), { readEnvelope }, NOW_MS),
          );
          const shown = 'answer' in outcome ? Object.values(outcome.answer) : [];
          for (const text of shown) {
            expect(text.length).toBeLessThanOrEqual(500);
            expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/u);
          }
        }
      }),
      3_000,
    ));
});

describe('the answer to a status check', () => {
  it('says completed or failed only by the documented words, under a 2xx and code 000', () =>
    check(
      fc.property(httpStatus, code, word, (status, outer, inner) => {
        const body = JSON.stringify({ response_code: outer, response_data: { status: inner } });
        const outcome = statusOutcome(
          classifyResponse(answered(status, body), { readEnvelope }, NOW_MS),
        );
        const says = outcome.kind === 'status' ? outcome.status : undefined;
        if (says !== 'completed' && says !== 'failed') return;
        expect(status >= 200 && status <= 299).toBe(true);
        expect(isCode(outer, /^0+$/)).toBe(true);
        expect(inner.trim().toLowerCase()).toMatch(
          says === 'completed'
            ? /^(completed|success|successful|000(\/\w+)?)$/
            : /^(failed|failure|expired|cancell?ed|declined|rejected)$/,
        );
      }),
      6_000,
    ));

  it('is never decided by a word nobody documented', () =>
    check(
      fc.property(fc.oneof(hostileText, fc.stringMatching(/^[0-9]{1,4}$/), word), (text) => {
        const known = readStatusWord(text);
        const plain = text.trim().toLowerCase();
        if (known === 'completed') expect(plain).toMatch(/^(completed|success(ful)?|000(\/\w+)?)$/);
        if (known === 'failed')
          expect(plain).toMatch(/^(fail(ed|ure)|expired|cancell?ed|declined|rejected)$/);
      }),
      3_500,
    ));
});

describe('an envelope', () => {
  it('holds what an ordinary JSON reader sees, with numbers as they were written', {
    tags: ['T22'],
  }, () => {
    const field = fc.oneof(
      fc.integer().map((n) => [String(n), String(n)] as const),
      fc.constantFrom(['1e999', '1e999'], [
        '12345678901234567890.10',
        '12345678901234567890.10',
      ] as const),
      fc
        .stringMatching(/^[ -~]{1,40}$/)
        .map((text) => [JSON.stringify(text), text.trim()] as const),
    );
    return check(
      fc.property(field, field, fc.jsonValue({ maxDepth: 2 }), (amount, id, other) => {
        const body = `{"response_code":"000","x":${JSON.stringify(other)},"response_data":{"amount":${amount[0]},"transaction_id":${id[0]}}}`;
        const envelope = readEnvelope(body);
        expect(envelope?.data.amount ?? '').toBe(amount[1]);
        expect(envelope?.data.transaction_id ?? '').toBe(id[1]);
      }),
      3_500,
    );
  });

  it('that says two things under one name is not read, however deep', { tags: ['T22'] }, () =>
    check(
      fc.property(
        fc.constantFrom('response_code', 'status', '__proto__', 'a', '', '\\u0061', 'toString'),
        fc.jsonValue({ maxDepth: 2 }),
        fc.jsonValue({ maxDepth: 2 }),
        fc.nat(20),
        (key, one, other, depth) => {
          const twice = `{"${key}":${JSON.stringify(one)},"${key}":${JSON.stringify(other)}}`;
          const body = `${'{"response_data":'.repeat(depth)}${twice}${'}'.repeat(depth)}`;
          expect(readEnvelope(body)).toBeUndefined();
        },
      ),
      2_500,
    ),
  );

  it('never carries a link that is not https, or names somebody in front of its host', () =>
    check(
      fc.property(
        fc.constantFrom('redirect_url', 'checkout_url', 'payment_url', 'url', 'link'),
        fc.oneof(
          fc.webUrl({ withQueryParameters: true }),
          fc.constantFrom(
            'javascript:alert(1)',
            'https://bank.example@evil.example/',
            'http://a.example',
          ),
          fc.constantFrom(
            '//a.example',
            ' https://a.example ',
            'https:a.example',
            'HTTPS://A.EXAMPLE/ä',
          ),
          hostileText.map((text) => `https://a.example/${text}`),
        ),
        (field, link) => {
          const url = readEnvelope(
            JSON.stringify({ response_code: '202', [field]: link }),
          )?.checkoutUrl;
          if (url === undefined) return;
          expect(url).toMatch(/^https:\/\/[^@\s/]+\/[!-~]*$/);
          expect(url.length).toBeLessThanOrEqual(2_000);
        },
      ),
      3_000,
    ));
});

describe('Retry-After', () => {
  it('is a wait from now on, between nothing and a day, or no wait at all', () => {
    const header = fc.oneof(
      fc.constantFrom(
        '',
        '0',
        '-1',
        '1e3',
        '+5',
        '5.5',
        '1000000000',
        '9'.repeat(400),
        'soon',
        '٣',
      ),
      fc.integer().map(String),
      fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date(8e12) })
        .map((at) => at.toUTCString()),
      fc
        .date({ noInvalidDate: true, min: new Date(0), max: new Date(8e12) })
        .map((at) => at.toISOString()),
      hostileText,
    );
    return check(
      fc.property(fc.option(header, { nil: undefined }), (text) => {
        const waitMs = parseRetryAfterMs(text, NOW_MS);
        if (/^\d+$/.test(text ?? '')) {
          expect(waitMs).toBe(Math.min(Number(text) * 1000, 86_400_000));
        } else if (/^\w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT$/.test(text ?? '')) {
          const untilMs = Date.parse(text ?? '') - NOW_MS;
          expect(waitMs).toBe(untilMs < 0 ? undefined : Math.min(untilMs, 86_400_000));
        } else if (waitMs !== undefined) {
          // Spaces around it are the only other liberty.
          expect(text?.trim()).not.toBe(text);
        }
      }),
      3_500,
    );
  });
});
