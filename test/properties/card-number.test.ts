import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkReference, parseCharge } from '../../src/commands/charge/parse-charge.ts';
import { understoodLookup } from '../../src/commands/lookup.ts';
import { parseSms } from '../../src/commands/sms/parse-sms.ts';
import { hasCardNumber, isCardTyped } from '../../src/core/values/card-number.ts';
import { parseCustomerNumber } from '../../src/core/values/customer-number.ts';
import { formatMoney, parseMoney } from '../../src/core/values/money.ts';
import { newTransactionId } from '../../src/core/values/transaction-id.ts';
import { cardNumber } from '../support/card-numbers.ts';
import { check } from '../support/check.ts';
import { inGroups, writtenNumber } from '../support/customer-numbers.ts';
import { hostileText } from '../support/hostile-text.ts';

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
        cardNumber,
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

  it('is refused wherever words are read, before anything else is said about them', {
    tags: ['I15'],
  }, () => {
    const typed = fc.record({
      card: cardNumber,
      between: fc.constantFrom('', ' ', '-', ' - ', '\u00a0', '\u2013', '\u2011'),
      sign: fc.constantFrom('', '\u200b', '\u202e', '\u0000', '\u00ad'),
      wide: fc.boolean(),
    });
    const readers = [
      (text: string) => parseCharge(`0244123456 50 ${text}`, { currency: 'GHS', country: 'GH' }),
      (text: string) => parseSms(`0244123456 your card ${text}`, { country: 'GH' }),
      (text: string) => {
        const understood = understoodLookup(text, { country: 'GH' });
        const message = understood.problems['number'] ?? '';
        return { ok: false as const, problem: { message }, understood };
      },
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
      fc.property(cardNumber, fc.integer({ min: 1, max: 9 }), ({ digits }, off) => {
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

  it('is not seen in a transaction id of any year, as it is made, read out or grouped', () => {
    const madeAt = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2090, 0) });
    const random = fc.uint8Array({ minLength: 7, maxLength: 7 });
    return check(
      fc.property(madeAt, random, separator, (atMs, bytes, between) => {
        let draws = 0;
        const drawn = () => {
          const draw = draws++;
          return bytes.map((byte) => byte + draw);
        };
        const id = newTransactionId(atMs, { bytes: drawn });
        for (const text of [id, id.toLowerCase(), inGroups(id, [4, 4, 4, 4], between)])
          expect([text, hasCardNumber(text)]).toEqual([text, false]);
      }),
      4_000,
    );
  });

  it('is not seen in a list of customer numbers, one below the other or with commas', () => {
    const list = fc.array(writtenNumber, { minLength: 2, maxLength: 6 });
    return check(
      fc.property(list, fc.constantFrom('\n', '\r\n', ', ', ','), (numbers, between) => {
        const text = numbers.map((number) => number.text).join(between);
        expect([text, isCardTyped(text)]).toEqual([text, false]);
      }),
      4_000,
    );
  });

  it('is not seen in an amount, however large', () => {
    const amount = fc
      .tuple(fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER }), fc.constantFrom('GHS', 'USD'))
      .map(([amountMinor, currency]) => formatMoney({ amountMinor, currency }));
    return check(
      fc.property(amount, (text) => {
        expect([text, isCardTyped(text)]).toEqual([text, false]);
      }),
      2_000,
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
