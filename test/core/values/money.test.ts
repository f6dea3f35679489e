import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  addMoney,
  compareMoney,
  formatMoney,
  isCurrency,
  type Money,
  moneyFromService,
  moneyToNumber,
  parseCurrency,
  parseMoney,
  sameMoney,
} from '../../../src/core/values/money.ts';
import { anyCharacter } from '../../support/hostile-text.ts';

const ghs = (amountMinor: number): Money => ({ amountMinor, currency: 'GHS' });

/** Every amount that a person can type. */
const anyMoney = fc.record({
  currency: fc.constantFrom('GHS', 'XOF', 'JPY', 'KWD', 'USD', 'NGN'),
  amountMinor: fc.integer({ min: 1, max: 999_999_999_999 }),
});

describe('an amount as text', () => {
  it('has all decimals of its currency, commas and a plain space', () => {
    expect(formatMoney(ghs(5000))).toBe('GHS 50.00');
    expect(formatMoney(ghs(120_050))).toBe('GHS 1,200.50');
    expect(formatMoney(ghs(1))).toBe('GHS 0.01');
    expect(formatMoney(ghs(99_999_999_999_999))).toBe('GHS 999,999,999,999.99');
    expect(formatMoney({ amountMinor: 1200, currency: 'XOF' })).toBe('XOF 1,200');
    expect(formatMoney({ amountMinor: 1200, currency: 'KWD' })).toBe('KWD 1.200');
    expect(formatMoney(ghs(-500))).toBe('GHS -5.00');
  });

  it('is read back as the same amount', () => {
    fc.assert(
      fc.property(anyMoney, (money) => {
        expect(parseMoney(formatMoney(money), 'EUR')).toEqual({ ok: true, value: money });
      }),
    );
  });

  it('is never read as zero or less, whatever was typed, and never throws', () => {
    const typed = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom(...'0123456789.,- GHS₵kp') }),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const result = parseMoney(text, 'GHS');
        if (result.ok) expect(result.value.amountMinor).toBeGreaterThan(0);
        else expect(result.problem.message).not.toBe('');
      }),
      { numRuns: 2000 },
    );
  });

  it('keeps every pesewa that floats would lose', () => {
    expect(parseMoney('19.99', 'GHS')).toEqual({ ok: true, value: ghs(1999) });
    expect(parseMoney('1.15', 'GHS')).toEqual({ ok: true, value: ghs(115) });
    expect(parseMoney('8.2', 'GHS')).toEqual({ ok: true, value: ghs(820) });
  });

  it.each([
    ['5O', 'O'],
    ['1O0', 'O'],
    ['5o GHS', 'o'],
    ['GHS5O', 'O'],
    ['5OO.5O', 'O'],
    ['l00', 'l'],
    ['I50', 'I'],
    ['1,2OO.50', 'O'],
  ])(
    'with a letter in the place of a digit is refused by that letter: %s',
    { tags: ['F71'] },
    (text, letter) => {
      const read = parseMoney(text, 'GHS');
      expect(!read.ok && read.problem.message).toContain(`the letter ${letter} in`);
    },
  );

  it.each(['ILS50', '50ILS', 'OMR5', '5OMR', 'COP50', '50 COP', '50COP', '5 IQD'])(
    'keeps the letters of its currency: %s',
    (text) => {
      expect(parseMoney(text, 'GHS')).toMatchObject({ ok: true });
    },
  );

  it('is read quickly or refused, however long it is', () => {
    // Quadratic, it would take minutes; on a slow machine what is linear takes a second or two.
    const startedMs = performance.now();
    for (const piece of ['1', '1,', '1 ', '4111 ', '<tel:', '.', '-', '1.'])
      parseMoney(piece.repeat(50_000), 'GHS');
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });
});

describe('the JSON number', () => {
  it('is the one whose text is the amount', () => {
    expect(moneyToNumber(ghs(5000))).toBe(50);
    expect(moneyToNumber(ghs(1999))).toBe(19.99);
    expect(moneyToNumber(ghs(10_050))).toBe(100.5);
    expect(JSON.stringify(moneyToNumber(ghs(99_999_999_999_999)))).toBe('999999999999.99');
    expect(moneyToNumber({ amountMinor: 1200, currency: 'XOF' })).toBe(1200);
  });

  it('comes back from the service as the same amount', () => {
    fc.assert(
      fc.property(anyMoney, (money) => {
        const sent = JSON.parse(JSON.stringify(moneyToNumber(money))) as number;
        expect(moneyFromService(sent, money.currency)).toEqual(money);
        expect(moneyFromService(String(sent), money.currency)).toEqual(money);
      }),
    );
  });
});

describe('an amount from the service', () => {
  it.each(['50', '50.', '50.0', '50.00', '50.000', '050', ' 50 ', 50, 50.0])(
    'may be %j',
    (value) => {
      expect(moneyFromService(value, 'GHS')).toEqual(ghs(5000));
    },
  );

  it('may be a balance of zero or less', () => {
    expect(moneyFromService('0.00', 'GHS')).toEqual(ghs(0));
    expect(moneyFromService('-0', 'GHS')).toEqual(ghs(0));
    expect(moneyFromService('-5.01', 'GHS')).toEqual(ghs(-501));
    expect(moneyFromService('.5', 'GHS')).toEqual(ghs(50));
  });

  it.each([
    '',
    '.',
    '-',
    '50.005',
    '1e3',
    '1,200',
    'GHS 50',
    '50 GHS',
    'NaN',
    '٥٠',
    NaN,
    1e300,
    0.1 + 0.2,
  ])('is not %j', (value) => {
    expect(moneyFromService(value, 'GHS')).toBeUndefined();
  });

  it('is refused when it is too large to be exact', () => {
    expect(moneyFromService('90071992547409.91', 'GHS')).toEqual(ghs(Number.MAX_SAFE_INTEGER));
    expect(moneyFromService('90071992547409.92', 'GHS')).toBeUndefined();
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string(), (text) => void moneyFromService(text, 'GHS')));
  });
});

describe('two amounts', () => {
  const dollars: Money = { amountMinor: 5000, currency: 'USD' };

  it('are the same in amount and currency only', () => {
    expect(sameMoney(ghs(5000), ghs(5000))).toBe(true);
    expect(sameMoney(ghs(5000), ghs(5001))).toBe(false);
    expect(sameMoney(ghs(5000), dollars)).toBe(false);
  });

  it('are compared and added in one currency', () => {
    expect(compareMoney(ghs(1), ghs(2))).toBeLessThan(0);
    expect(compareMoney(ghs(2), ghs(2))).toBe(0);
    expect(compareMoney(ghs(3), ghs(2))).toBeGreaterThan(0);
    expect(addMoney(ghs(10), ghs(20))).toEqual(ghs(30));
  });

  it('are never mixed', () => {
    expect(() => compareMoney(ghs(1), dollars)).toThrow('GHS and USD');
    expect(() => addMoney(ghs(1), dollars)).toThrow('GHS and USD');
  });

  it('have no sum that is not exact', () => {
    expect(() => addMoney(ghs(Number.MAX_SAFE_INTEGER), ghs(1))).toThrow('too large');
  });
});

describe('an amount as it is typed', () => {
  it.each([
    ['USD 50 GHS', 'I see two currencies, USD and GHS'],
    ['4111 1111 1111 1111', 'Never type card numbers'],
    ['0244123456', 'looks like a phone number'],
    ['GHS +1234567', 'looks like a phone number'],
    ['+12', 'I cannot read "+" next to an amount'],
    ['GHS 50 117', 'I see a space in "50 117". Write one amount without it: 50,117.'],
    ['1234567890123', 'too large'],
    ['CLF 999999999999.9999', 'too large'],
    ['XOF 1.5', 'XOF has no decimals'],
    ['GHS 1.5055', 'GHS has 2 decimals at most'],
  ])('is asked back: %s', (text, problem) => {
    const read = parseMoney(text, 'GHS');
    expect(read.ok ? '' : read.problem.message).toContain(problem);
  });
});

describe('a currency', () => {
  it('is an ISO 4217 code in upper case', () => {
    expect(isCurrency('GHS')).toBe(true);
    expect(isCurrency('XOF')).toBe(true);
    expect(isCurrency('ghs')).toBe(false);
    expect(isCurrency('GHC')).toBe(false);
    expect(isCurrency('XYZ')).toBe(false);
    expect(isCurrency('')).toBe(false);
  });

  it('has the decimals of ISO 4217, also where people no longer use them', () => {
    for (const [currency, shown] of [
      ['HUF', 'HUF 50.25'],
      ['IDR', 'IDR 50.25'],
      ['IQD', 'IQD 5.025'],
      ['CLF', 'CLF 0.5025'],
      ['UGX', 'UGX 5,025'],
    ] as const)
      expect(formatMoney({ amountMinor: 5025, currency })).toBe(shown);
  });

  it.each([
    'GHS',
    'Ghs',
    'GHC',
    'cedi',
    'CEDIS',
    'Ghana cedis',
    'Ghanaian Cedi',
    '₵',
    '¢',
    '￠',
    'GH₵',
    'gh¢',
    'GHȼ',
  ])('may be called %s', (name) => {
    expect(parseCurrency(name)).toBe('GHS');
  });

  it('is not guessed from a sign or name that several currencies share', () => {
    for (const name of ['$', 'dollars', 'pounds', 'francs', 'GH', 'c', ''])
      expect(parseCurrency(name)).toBeUndefined();
  });
});
