import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDuration } from '../../src/config/formats.ts';
import {
  guessNetwork,
  type NetworkCode,
  networkLabel,
  noWalletOperator,
  parseNetwork,
} from '../../src/core/values/network.ts';
import { plainText, quoted } from '../../src/core/values/normalise-input.ts';
import {
  isTransactionId,
  newShortId,
  newTransactionId,
  normaliseTransactionId,
  shortIdFrom,
} from '../../src/core/values/transaction-id.ts';
import { check } from '../support/check.ts';
import { ghanaianNumber } from '../support/customer-numbers.ts';
import { hostileText } from '../support/hostile-text.ts';

const CODES: readonly NetworkCode[] = ['MTN', 'VOD', 'AIR', 'VIS', 'MAS'];

describe('a network', () => {
  it('is found by its code and brand, however they are spaced and cased', () => {
    const written = fc.record({
      code: fc.constantFrom(...CODES),
      brand: fc.boolean(),
      upper: fc.infiniteStream(fc.boolean()),
      gap: fc.constantFrom('', ' ', '-', '  '),
    });
    return check(
      fc.property(written, ({ code, brand, upper, gap }) => {
        const word = (brand ? networkLabel(code) : code).replace(/ /g, gap);
        const typed = [...word].map((char) =>
          upper.next().value ? char.toUpperCase() : char.toLowerCase(),
        );
        expect(parseNetwork(typed.join(''))).toBe(code);
      }),
      3_000,
    );
  });

  it('is one of five or none, whatever the word', () =>
    check(
      fc.property(
        fc.oneof(hostileText, fc.string(), fc.constantFrom('__proto__', 'constructor')),
        (word) => {
          const code = parseNetwork(word);
          if (code === undefined) return;
          expect(CODES).toContain(code);
          // Nothing but a word of plain letters names one.
          expect(word).toMatch(/^[\sA-Za-z\u212a-]+$/);
        },
      ),
      3_500,
    ));

  it('is guessed for every Ghanaian number, or it is known that there is no wallet', () =>
    check(
      fc.property(ghanaianNumber, (e164) => {
        const isGuessed = guessNetwork(e164) !== undefined;
        expect(isGuessed).toBe(noWalletOperator(e164) === undefined);
        expect(guessNetwork(e164.replace('+233', '+234'))).toBeUndefined();
      }),
      2_000,
    ));
});

describe('a duration', () => {
  const UNITS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

  it('is its count of its unit, exactly, or it is refused', () =>
    check(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 14n }),
        fc.constantFrom(...(Object.keys(UNITS) as (keyof typeof UNITS)[])),
        (count, unit) => {
          const exact = count * BigInt(UNITS[unit]);
          const ms = parseDuration(`${count}${unit}`);
          if (ms !== undefined) expect(BigInt(ms)).toBe(exact);
          else expect(count >= 10n ** 12n || exact > BigInt(Number.MAX_SAFE_INTEGER)).toBe(true);
        },
      ),
      3_500,
    ));

  it('is nothing but digits and a unit', () =>
    check(
      fc.property(
        fc.oneof(hostileText, fc.string({ unit: fc.constantFrom(...'0159.-+ emshd٣') })),
        (text) => {
          const ms = parseDuration(text);
          if (ms !== undefined) expect(text.trim()).toMatch(/^[0-9]+(ms|[smhd])$/);
        },
      ),
      3_500,
    ));
});

describe('a transaction id', () => {
  const atMs = fc.integer({ min: 0, max: 2 ** 45 - 1 });

  it('sorts by time, tells its time, and is what services take', () =>
    check(
      fc.property(atMs, atMs, (a, b) => {
        const [one, other] = [newTransactionId(a), newTransactionId(b)];
        expect(one).toMatch(/^[0-9A-Z]{12,20}$/);
        expect(isTransactionId(one)).toBe(true);
        if (a !== b) expect(one < other).toBe(a < b);
      }),
      5_500,
    ));

  it('is found again as people write it down and read it out', () => {
    const slip: Readonly<Record<string, readonly string[]>> = {
      0: ['O', 'o'],
      1: ['I', 'l', 'L', 'i'],
    };
    const written = fc.record({
      ms: atMs,
      slips: fc.infiniteStream(fc.nat(5)),
      gaps: fc.infiniteStream(fc.constantFrom('', '', '', ' ', '-', '\u200b', ' – ')),
      lower: fc.boolean(),
    });
    return check(
      fc.property(written, ({ ms, slips, gaps, lower }) => {
        const id = newTransactionId(ms);
        const chars = [...id].map((char) => {
          const shown = slip[char]?.[slips.next().value] ?? char;
          return gaps.next().value + (lower ? shown.toLowerCase() : shown);
        });
        expect(normaliseTransactionId(chars.join(''))).toBe(id);
      }),
      4_000,
    );
  });

  it('is told from everything else, and reading never throws', () =>
    check(
      fc.property(fc.oneof(hostileText, fc.stringMatching(/^[0-9A-Za-z]{14,18}$/)), (text) => {
        const id = normaliseTransactionId(text);
        expect(normaliseTransactionId(id)).toBe(id);
        expect(isTransactionId(text)).toBe(/^[0-9A-HJKMNP-TV-Z]{16}$/.test(text));
      }),
      4_000,
    ));

  it('of a draft is short, its own, and the same for the same event', () =>
    check(
      fc.property(hostileText, (text) => {
        expect(shortIdFrom(text)).toMatch(/^[0-9a-z]{12}$/);
        expect(shortIdFrom(text)).toBe(shortIdFrom(text));
        expect(newShortId()).not.toBe(newShortId());
      }),
      2_000,
    ));
});

describe('typed text', () => {
  it('is plain after one cleaning: on one line, nothing unseen, nothing broken, and cleaned again the same', () =>
    check(
      fc.property(hostileText, (text) => {
        const plain = plainText(text);
        expect(plain).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]| {2}|^ | $/u);
        expect(plain.isWellFormed()).toBe(true);
        expect(plainText(plain)).toBe(plain);
      }),
      5_500,
    ));

  it('keeps every digit and letter of plain ASCII', () =>
    check(
      fc.property(fc.string({ unit: 'grapheme-ascii' }), (text) => {
        fc.pre(!text.includes('<'));
        expect(plainText(text)).toBe(text.replace(/ +/g, ' ').trim());
      }),
      3_000,
    ));

  it('is quoted whole or cut with a sign, never through a character', () =>
    check(
      fc.property(hostileText, (text) => {
        const echo = quoted(text.toWellFormed());
        expect([...echo].length).toBeLessThanOrEqual(33);
        expect(echo.isWellFormed()).toBe(true);
      }),
      2_000,
    ));
});
