import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasCardNumber } from '../../../src/core/values/card-number.ts';
import {
  isTransactionId,
  newShortId,
  newTransactionId,
  normaliseTransactionId,
  shortIdFrom,
} from '../../../src/core/values/transaction-id.ts';

const NOW_MS = Date.UTC(2026, 10, 21, 14, 5);
const anyTimeMs = fc.integer({ min: 0, max: 2 ** 45 - 1 });

describe('a transaction id', () => {
  it('is 16 characters that are not mistaken for others', () => {
    fc.assert(
      fc.property(anyTimeMs, (ms) => {
        expect(newTransactionId(ms)).toMatch(/^[0-9A-Z]{16}$/);
        expect(newTransactionId(ms)).not.toMatch(/[ILOU]/);
      }),
    );
  });

  it('sorts as text by the time it was made', () => {
    fc.assert(
      fc.property(anyTimeMs, anyTimeMs, (a, b) => {
        if (a !== b) expect(newTransactionId(a) < newTransactionId(b)).toBe(a < b);
      }),
    );
  });

  it('differs from all others of the same millisecond', () => {
    const ids = new Set(Array.from({ length: 2000 }, () => newTransactionId(NOW_MS)));
    expect(ids.size).toBe(2000);
  });

  it('uses 5 bits of each of 7 random bytes', () => {
    const bytes = (values: number[]) => ({ bytes: () => Uint8Array.from(values) });
    expect(newTransactionId(0, bytes([0, 1, 2, 9, 10, 31, 255]))).toBe('0000000000129AZZ');
    expect(newTransactionId(2 ** 45 - 1, bytes([0, 0, 0, 0, 0, 0, 32]))).toBe('ZZZZZZZZZ0000000');
  });

  it('is drawn again when it would read as a card number', () => {
    const draws = [
      [2, 2, 8, 8, 2, 10, 0],
      [0, 1, 2, 9, 10, 31, 255],
    ];
    const random = { bytes: () => Uint8Array.from(draws.shift() ?? []) };
    expect(hasCardNumber('37867183722882A0')).toBe(true);
    expect(newTransactionId(3_547_851_694_183, random)).toBe('3786718370129AZZ');
  });

  it('is not made for an impossible time', () => {
    for (const ms of [-1, 1.5, Number.NaN, 2 ** 45]) expect(() => newTransactionId(ms)).toThrow();
  });

  it('is known by its form', () => {
    expect(isTransactionId(newTransactionId(NOW_MS))).toBe(true);
    expect(isTransactionId(newTransactionId(NOW_MS).toLowerCase())).toBe(false);
    expect(isTransactionId('01ARZ3NDEKTSV4R')).toBe(false);
    expect(isTransactionId('01ARZ3NDEKTSV4RU')).toBe(false);
    expect(isTransactionId(`${newTransactionId(NOW_MS)}\n`)).toBe(false);
  });

  it('is read to its end at once, also out of signs that come together only then', () => {
    const read = normaliseTransactionId('\u3200\uffc2');
    expect(normaliseTransactionId(read)).toBe(read);
  });

  it('survives being read out and typed again', () => {
    fc.assert(
      fc.property(anyTimeMs, (ms) => {
        const id = newTransactionId(ms);
        const groups = id.toLowerCase().replace(/(.{4})/g, '$1 ');
        expect(normaliseTransactionId(groups)).toBe(id);
        expect(normaliseTransactionId(id.replaceAll('0', 'o').replaceAll('1', 'l'))).toBe(id);
        expect(normaliseTransactionId(`\`${id.slice(0, 8)}-${id.slice(8)}\``)).toBe(id);
      }),
    );
  });
});

describe('a short id', () => {
  it('is 12 lower-case characters, never the same twice', () => {
    const ids = new Set(Array.from({ length: 2000 }, () => newShortId()));
    expect(ids.size).toBe(2000);
    for (const id of ids) expect(id).toMatch(/^[0-9a-hjkmnp-tv-z]{12}$/);
  });

  it('made from a text is always the same', () => {
    expect(shortIdFrom('Ev0001')).toBe(shortIdFrom('Ev0001'));
    expect(shortIdFrom('Ev0001')).not.toBe(shortIdFrom('Ev0002'));
    expect(shortIdFrom('')).toMatch(/^[0-9a-hjkmnp-tv-z]{12}$/);
  });

  it('made from a text stays the same from one version to the next', () => {
    expect(shortIdFrom('Ev0001')).toBe('98jetbyswxdx');
  });
});
