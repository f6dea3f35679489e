import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hasCardNumber } from '../../../src/core/values/card-number.ts';

describe('a card number', () => {
  it.each([
    '4111111111111111',
    '4111 1111 1111 1111',
    '4111-1111-1111-1111',
    '4111.1111.1111.1111',
    '4111 1111-1111 1111',
    '4111 - 1111 - 1111 - 1111',
    '5555555555554444',
    '2223003122003222',
    '378282246310005',
    '3782 822463 10005',
    '6011111111111117',
    '30569309025904',
    '3530111333300000',
    '5060666666666666666',
    '4222222222222',
    '41 11 11 11 11 11 11 11',
    'order 12 4111 1111 1111 1111 12/27 123',
    '50 4111 1111 1111 1111 1227',
    'card:4111111111111111x',
  ])('is found in %j', (text) => {
    expect(hasCardNumber(text)).toBe(true);
  });

  it.each([
    ['a number one digit off', '4111111111111112'],
    ['a customer number', '0244123456'],
    ['customer numbers in a row', '0244123456,0201234567'],
    ['the IMEI of a phone', '356938035643809'],
    ['a prepaid token of twenty digits', '4111 1111 1111 1111 5678'],
    ['too many digits', '41111111111111110000'],
    ['no digits', 'order twelve'],
    ['nothing', ''],
  ])('is not seen in %s', (_what, text) => {
    expect(hasCardNumber(text)).toBe(false);
  });

  it('is not seen in a customer number followed by an amount, however both are written', () => {
    const numbers = [
      (n: string) => `0${n}`,
      (n: string) => `233${n}`,
      (n: string) => `+233 ${n.slice(0, 2)} ${n.slice(2, 5)} ${n.slice(5)}`,
      (n: string) => `0${n.slice(0, 2)} ${n.slice(2, 5)} ${n.slice(5)}`,
      (n: string) => `0${n.slice(0, 3)} ${n.slice(3, 6)} ${n.slice(6)}`,
      (n: string) => `${n.slice(0, 3)}-${n.slice(3, 6)}-${n.slice(6)}`,
    ];
    const typed = fc.record({
      national: fc.integer({ min: 200_000_000, max: 599_999_999 }).map(String),
      write: fc.constantFrom(...numbers),
      amount: fc.oneof(
        fc.integer({ min: 1, max: 99_999 }).map(String),
        fc.integer({ min: 1, max: 9_999_999 }).map((minor) => (minor / 100).toFixed(2)),
      ),
    });
    fc.assert(
      fc.property(typed, ({ national, write, amount }) => {
        expect(hasCardNumber(`${write(national)} ${amount}`)).toBe(false);
      }),
      { numRuns: 5000 },
    );
  });
});
