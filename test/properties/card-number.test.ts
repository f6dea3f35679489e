import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkReference, parseChargeWords } from '../../src/commands/charge-words.ts';
import { parseLookupWords } from '../../src/commands/lookup-words.ts';
import { parseSmsWords } from '../../src/commands/sms-words.ts';
import { hasCardNumber } from '../../src/core/card-number.ts';
import { parseCustomerNumber } from '../../src/core/customer-number.ts';
import { parseMoney } from '../../src/core/money.ts';
import { check } from '../support/check.ts';
import { inGroups, writtenNumber } from '../support/customer-numbers.ts';
import { hostileText } from '../support/hostile-text.ts';

/** The digit that makes the sum of Luhn right, reckoned with a table rather than as the product does. */
const withCheckDigit = (digits: string): string => {
  const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];
  const sum = [...digits]
    .reverse()
    .reduce(
      (total, digit, at) => total + (at % 2 === 0 ? (DOUBLED[Number(digit)] ?? 0) : Number(digit)),
      0,
    );
  return `${digits}${(10 - (sum % 10)) % 10}`;
};

/** First digits and lengths of the cards there are. */
const NETWORKS: readonly (readonly [first: string, length: number, groups: readonly number[]])[] = [
  ['4', 16, [4, 4, 4, 4]],
  ['4', 13, [4, 3, 3, 3]],
  ['4', 19, [4, 4, 4, 4, 3]],
  ['51', 16, [4, 4, 4, 4]],
  ['55', 16, [4, 4, 4, 4]],
  ['2221', 16, [4, 4, 4, 4]],
  ['2720', 16, [4, 4, 4, 4]],
  ['34', 15, [4, 6, 5]],
  ['37', 15, [4, 6, 5]],
  ['6011', 16, [4, 4, 4, 4]],
  ['36', 14, [4, 6, 4]],
  ['62', 19, [6, 13]],
  ['5061', 19, [4, 4, 4, 4, 3]],
  ['35', 16, [4, 4, 4, 4]],
];

const card = fc
  .tuple(fc.constantFrom(...NETWORKS), fc.stringMatching(/^\d{18}$/))
  .map(([[first, length, groups], rest]) => ({
    digits: withCheckDigit((first + rest).slice(0, length - 1)),
    groups,
  }));

const separator = fc.constantFrom('', ' ', '-', '.', '  ', ' - ', '_', '/', ' / ');

describe('a card number', () => {
  it('is seen in one piece and in the groups of the card, whatever stands around it', () => {
    const around = fc.constantFrom(
      '',
      ' ',
      'card ',
      'Card:',
      ' 12/28 ',
      ' exp 12/28 ',
      ', thanks',
      '\n',
      '(',
      ')',
      'GHS 50 ',
    );
    return check(
      fc.property(
        around,
        card,
        separator,
        around,
        (before, { digits, groups }, between, behind) => {
          const shape = digits.length === 13 && between !== '' ? [13] : groups;
          expect(hasCardNumber(before + inGroups(digits, shape, between) + behind)).toBe(true);
        },
      ),
      8_500,
    );
  });

  it('is refused wherever words are read, before anything else is said about them', () => {
    const typed = fc.record({
      card,
      between: fc.constantFrom('', ' ', '-', ' - ', '\u00a0', '\u2013', '\u2011'),
      sign: fc.constantFrom('', '\u200b', '\u202e', '\u0000', '\u00ad'),
      wide: fc.boolean(),
    });
    const readers = [
      (text: string) =>
        parseChargeWords(`0244123456 50 ${text}`, { currency: 'GHS', country: 'GH' }),
      (text: string) => parseSmsWords(`0244123456 your card ${text}`, { country: 'GH' }),
      (text: string) => parseLookupWords(text, { country: 'GH' }),
      (text: string) => parseCustomerNumber(text, 'GH'),
      (text: string) => parseMoney(text, 'GHS'),
      checkReference,
    ];
    return check(
      fc.property(typed, ({ card: { digits, groups }, between, sign, wide }) => {
        const shape = digits.length === 13 ? [13] : groups;
        const shown = inGroups(digits, shape, between);
        const text = wide
          ? shown.replace(/\d/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0))
          : shown.slice(0, 5) + sign + shown.slice(5);
        for (const read of readers) {
          const result = read(text);
          expect(!result.ok && result.problem.message).toMatch(/^Never type card numbers in chat/);
          expect(JSON.stringify(result)).not.toContain(digits.slice(4, 12));
        }
      }),
      3_000,
    );
  });

  it('is not seen in digits that fail the checksum', () =>
    check(
      fc.property(card, fc.integer({ min: 1, max: 9 }), ({ digits }, off) => {
        const last = (Number(digits.at(-1)) + off) % 10;
        expect(hasCardNumber(digits.slice(0, -1) + last)).toBe(false);
      }),
      3_500,
    ));

  it('is not seen in customer numbers with an amount, in ids, times and versions', () => {
    const plain = fc.oneof(
      fc
        .tuple(writtenNumber, fc.integer({ min: 1, max: 99_999 }))
        .map(([{ text }, n]) => `${text} ${n}`),
      fc
        .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
        .map((at) => at.toISOString()),
      fc.integer({ min: 1, max: 9 }).map((n) => `35${String(n).repeat(13)}`),
      fc.stringMatching(/^\d{1,12}$/),
    );
    return check(
      fc.property(plain, (text) => {
        expect([text, hasCardNumber(text)]).toEqual([text, false]);
      }),
      4_000,
    );
  });

  it('is looked for in any text without harm', () =>
    check(
      fc.property(
        fc.oneof(
          hostileText,
          fc.string({ unit: fc.constantFrom(...'0123456789 -./_'), maxLength: 300 }),
        ),
        (text) => {
          hasCardNumber(text);
        },
      ),
      3_500,
    ));
});
