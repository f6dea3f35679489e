import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  LONGEST_RETRY_AFTER_MS,
  parseRetryAfterMs,
} from '../../../src/core/gateway/classify-response.ts';
import { readEnvelope } from '../../../src/core/gateway/collection-service/envelope.ts';
import { readStatusWord } from '../../../src/core/gateway/collection-service/outcome.ts';
import { findCheckoutLink, outsideText } from '../../../src/core/gateway/outside-text.ts';
import { anyCharacter } from '../../support/hostile-text.ts';

describe('Retry-After', () => {
  const nowMs = Date.UTC(2026, 0, 15, 9, 0, 0);
  it.each([
    ['1', 1000],
    [' 120 ', 120_000],
    ['0', 0],
    ['Thu, 15 Jan 2026 09:00:30 GMT', 30_000],
    ['Thu, 15 Jan 2026 09:00:00 GMT', 0],
    ['1000000000', LONGEST_RETRY_AFTER_MS],
    ['9'.repeat(400), LONGEST_RETRY_AFTER_MS],
    ['Fri, 15 Jan 2036 09:00:00 GMT', LONGEST_RETRY_AFTER_MS],
    ['Thu, 15 Jan 2026 08:59:59 GMT', undefined],
    ['Xxx, 99 Yyy 2026 08:59:59 GMT', undefined],
    ['-1', undefined],
    ['-5', undefined],
    ['1.5', undefined],
    ['1e3', undefined],
    ['0x10', undefined],
    ['soon', undefined],
    ['2026-01-15T09:00:30Z', undefined],
    ['1, 2', undefined],
    ['', undefined],
    [undefined, undefined],
  ])('%s asks for %s ms', { tags: ['F11'] }, (header, waitMs) => {
    expect(parseRetryAfterMs(header, nowMs)).toBe(waitMs);
  });

  it('is never anything but a bearable wait', () => {
    fc.assert(
      fc.property(fc.string(), fc.date({ noInvalidDate: true }), (header, date) => {
        for (const text of [header, date.toUTCString()]) {
          const waitMs = parseRetryAfterMs(text, nowMs) ?? 0;
          expect(waitMs >= 0 && waitMs <= LONGEST_RETRY_AFTER_MS).toBe(true);
        }
      }),
    );
  });
});

describe('a status word', () => {
  it.each([
    [
      'completed',
      ['completed', 'Completed', ' SUCCESS ', 'Successful', '000', '000/01', '000/200'],
    ],
    ['failed', ['failed', 'FAILURE', 'expired', 'Cancelled', 'canceled', 'declined', 'rejected']],
    [
      'pending',
      ['pending', 'Processing', 'ongoing', 'IN_PROGRESS', 'in-progress', 'received', 'submitted'],
    ],
    [
      'unrecognised',
      ['001', '002', '003', '001/failed', 'approved', 'paid', 'funds received', '', '0', '00', '1'],
    ],
    [
      'unrecognised',
      ['000/', '000/ /', '0000', 'not completed', 'completed?', 'unsuccessful', '__proto__'],
    ],
  ])('%s: %j', (status, words) => {
    for (const word of words) expect([word, readStatusWord(word)]).toEqual([word, status]);
  });
});

describe('a checkout link', () => {
  it.each([
    'http://pay.example/',
    'javascript:alert(1)',
    'https://user:secret@pay.example/',
    'https://user@pay.example/',
    '//pay.example/',
    'pay.example',
    'https://',
    `https://pay.example/${'a'.repeat(2000)}`,
    `https://pay.example/${'é'.repeat(500)}`,
    '',
    7,
    null,
    { href: 'https://pay.example/' },
  ])('is not %j', (value) => {
    expect(findCheckoutLink([value])).toBeUndefined();
  });

  it('is the first one that may be shown, written plainly', () => {
    expect(
      findCheckoutLink([undefined, 'http://a.example', ' https://b.example/x\u202ey\n ']),
    ).toBe('https://b.example/x%E2%80%AEy');
  });
});

describe('text from outside', () => {
  it.each([
    ['  plain  ', 'plain'],
    ['a\u0000b\r\nc\u001b[31m', 'a b c [31m'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['\u200b', undefined],
    [7, '7'],
    [false, 'false'],
    [[1], '(unreadable)'],
    [null, undefined],
    [undefined, undefined],
    ['é ɛ ₵ 👍', 'é ɛ ₵ 👍'],
  ])('%j becomes %j', (value, text) => {
    expect(outsideText(value)).toBe(text);
  });

  it('is cut at 500 without leaving half a character', () => {
    const text = outsideText(`x${'👍'.repeat(400)}`) ?? '';
    expect(text.length).toBe(500);
    expect(text.isWellFormed()).toBe(true);
  });

  it('holds nothing that cannot be printed', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 3000 }), (value) => {
        const text = outsideText(value) ?? '';
        expect(text).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u);
        expect(text.length <= 500 && text.isWellFormed()).toBe(true);
      }),
    );
  });
});

describe('an envelope', () => {
  it('is read from any JSON without a throw, and any object without repeats is one', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (fields) => {
        const body = JSON.stringify({ ...fields, response_code: '202' });
        expect(readEnvelope(body)?.code).toBe('202');
        expect(readEnvelope(body.slice(0, -1))).toBeUndefined();
      }),
    );
  });

  it('is read from any text without a throw', () => {
    fc.assert(fc.property(fc.string({ unit: anyCharacter }), (body) => void readEnvelope(body)));
  });

  it('a key written twice is found wherever it is', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), fc.jsonValue(), (before, key, value) => {
        const [quoted, inner] = [JSON.stringify(key), JSON.stringify(value)];
        const twice = `{${quoted}:${inner},${quoted}:${inner}}`;
        const body = `{"response_code":"202","a":[${JSON.stringify(before)},${twice}]}`;
        expect(readEnvelope(body)).toBeUndefined();
      }),
    );
  });

  it('of a megabyte is read without delay', () => {
    const body = JSON.stringify({
      response_code: '202',
      x: '\\"'.repeat(2 ** 18),
      y: [...Array(2 ** 16)],
    });
    expect(readEnvelope(body)?.code).toBe('202');
  });
});
