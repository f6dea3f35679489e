import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { neverTypeCards } from '../../../src/core/values/card-number.ts';
import {
  maskNumber,
  numberForService,
  numberParts,
  parseCustomerNumber,
  showNumber,
} from '../../../src/core/values/customer-number.ts';
import { anyCharacter } from '../../support/hostile-text.ts';

const read = (text: string, country = 'GH') => parseCustomerNumber(text, country);
const certain = (e164: string) => ({ ok: true, value: { e164, doubtful: false } });

/** Nine national digits that are possible in Ghana. */
const anyNumber = fc.integer({ min: 200_000_000, max: 599_999_999 }).map((n) => `+233${n}`);

describe('a customer number', () => {
  it.each([
    '0244123456',
    '244123456',
    '233244123456',
    '+233244123456',
    '00233244123456',
    '+233 (0) 24 412 3456',
    '+2330244123456',
    '024-412-3456',
    '024.412.3456',
    '(024) 412 3456',
    '0244 12 34 56',
    '０２４４１２３４５６',
    '024‑412‑3456',
    '\u202a0244123456\u202c',
    'tel:+233244123456',
    '<tel:+233244123456|024 412 3456>',
    '<tel:+233244123456>',
    '244123456.0',
    '0244123456.00',
    '0244123456,0',
  ])('may be written %s', (text) => {
    expect(read(text)).toEqual(certain('+233244123456'));
  });

  it.each(['02.44.12.34.00', '024.412.34.00', '244.123.400,00'])(
    'keeps its last digits: %s',
    (text) => {
      expect(read(text)).toEqual(certain('+233244123400'));
    },
  );

  it.each(['0250123456', '0511234567', '0521234567', '0590123456'])(
    'is doubtful, not refused, when its range is not known to be in use: %s',
    (text) => {
      expect(read(text)).toEqual({
        ok: true,
        value: { e164: `+233${text.slice(1)}`, doubtful: true },
      });
    },
  );

  it('of an operator without wallets is still a number', () => {
    expect(read('0231234567')).toEqual(certain('+233231234567'));
  });

  it('is read by the rules of the country in the settings', () => {
    expect(read('0803 123 4567', 'NG')).toEqual(certain('+2348031234567'));
    expect(read('+233244123456', 'NG').ok).toBe(false);
    expect(read('07 07 07 07 07', 'CI')).toEqual(certain('+2250707070707'));
  });

  it.each([
    ['GH', '0800123456', 'That is not a mobile number. It looks like 0244123456.'],
    [
      'US',
      '+18005551234',
      'That is not a mobile number. Please write it with the country code, +1.',
    ],
    [
      'GH',
      '0302123456',
      'That is a landline. Please give a mobile number. It looks like 0244123456.',
    ],
    ['GH', '02441', '"02441" is too short for a phone number. It looks like 0244123456.'],
    ['GH', '233244123', '"233244123" is too short for a phone number. It looks like 0244123456.'],
    [
      'GH',
      '02441234567',
      '"02441234567" is too long for a phone number. It looks like 0244123456.',
    ],
    ['GH', '0001234567', '"0001234567" is not a phone number. It looks like 0244123456.'],
    ['GH', '0', '"0" is too short for a phone number. It looks like 0244123456.'],
    [
      'NG',
      '080312',
      '"080312" is not a phone number. Please write it with the country code, +234.',
    ],
    // The .0 of a spreadsheet is no digit.
    ['GH', '55123456.0', '"55123456" is too short for a phone number. It looks like 0244123456.'],
    ['GH', '024.412.34', '"024.412.34" is too short for a phone number. It looks like 0244123456.'],
    ['GH', 'O244123456', 'I see the letter O in "O244123456". Type the digit 0.'],
    ['GH', '024 412 345l', 'I see the letter l in "345l". Type the digit 1.'],
    ['GH', '4111111111111111', neverTypeCards().problem.message],
    // A satellite telephone belongs to no country.
    [
      'GH',
      '+870773111632',
      'That number is from another country. Only numbers from Ghana can be used.',
    ],
  ])(
    'in %s is refused with what is wrong about it: %s',
    { tags: ['F71'] },
    (country, text, message) => {
      expect(read(text, country)).toEqual({ ok: false, problem: { message } });
    },
  );

  it('may be a mobile or a landline where nobody can tell', () => {
    expect(read('+14155552671', 'US')).toEqual(certain('+14155552671'));
  });

  it('of another country is refused, with its name', () => {
    const result = read('+14155552671');
    expect(!result.ok && result.problem.message).toBe(
      'That number is from another country (United States). Only numbers from Ghana can be used.',
    );
  });

  it('is read or refused, whatever was typed', () => {
    const typed = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.string({ unit: fc.constantFrom(...'0123456789+-(). ,x') }),
    );
    fc.assert(
      fc.property(typed, (text) => {
        const result = read(text);
        if (result.ok) expect(result.value.e164).toMatch(/^\+233[1-9]\d{8}$/);
        else expect(result.problem.message).not.toBe('');
      }),
      { numRuns: 2000 },
    );
  });

  it('is read or refused quickly, however long the text is', () => {
    // Quadratic, it would take minutes; on a slow machine what is linear takes a second or two.
    const startedMs = performance.now();
    for (const piece of ['0', '0,', ',', '0 ', 'x', '<tel:', '0;ext=']) read(piece.repeat(50_000));
    read(`1${','.repeat(100_000)}`);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });

  it('in a country without a numbering plan is a mistake in the program', () => {
    expect(() => read('0244123456', 'XX')).toThrow('XX');
  });
});

describe('a number for people', () => {
  it('is in the national form', () => {
    expect(showNumber('+233244123456')).toBe('024 412 3456');
    expect(showNumber('+233700123456')).toBe('070 012 3456');
  });

  it('shows the country code of other countries', () => {
    expect(showNumber('+14155552671')).toBe('+1 415 555 2671');
    expect(showNumber('nonsense')).toBe('nonsense');
  });

  it('hides its middle where others read it', () => {
    expect(maskNumber('+233244123456')).toBe('024 *** 3456');
    expect(maskNumber('+14155552671')).toBe('+1 *** 2671');
    expect(maskNumber('+22890112345')).toBe('+228 *** 45');
    expect(maskNumber('nonsense')).toBe('***');
  });

  it('is read back as the same number', () => {
    fc.assert(
      fc.property(anyNumber, (e164) => {
        const result = read(e164);
        if (!result.ok) return;
        expect(read(showNumber(e164))).toEqual(result);
        expect(read(numberForService(e164, 'national'))).toEqual(result);
        expect(read(numberForService(e164, 'msisdn'))).toEqual(result);
      }),
    );
  });
});

describe('a number for the service', () => {
  it('is written in the form of the setting', () => {
    expect(numberForService('+233244123456', 'national')).toBe('0244123456');
    expect(numberForService('+233244123456', 'e164')).toBe('+233244123456');
    expect(numberForService('+233244123456', 'msisdn')).toBe('233244123456');
  });

  it('keeps its leading 0 when it is doubtful', () => {
    expect(numberForService('+233700123456', 'national')).toBe('0700123456');
  });

  it('is its digits where it belongs to no country', () => {
    expect(numberForService('+999', 'national')).toBe('999');
    expect([maskNumber('+999'), showNumber('+999')]).toEqual(['***', '+999']);
  });

  it('follows the habits of other countries', () => {
    expect(numberForService('+2348031234567', 'national')).toBe('08031234567');
    expect(numberForService('+14155552671', 'national')).toBe('4155552671');
  });
});

describe('the pseudonym of a forgotten customer', () => {
  it('is shown as it is, also where others read', () => {
    expect(showNumber('forgotten-7f3a9c21b04d')).toBe('forgotten-7f3a9c21b04d');
    expect(maskNumber('forgotten-7f3a9c21b04d')).toBe('forgotten-7f3a9c21b04d');
  });
});

describe('what a number consists of', () => {
  it('is the code of its country, its digits, and what is dialled in front of them at home', () => {
    expect(numberParts('+233244123456')).toEqual({
      countryCode: '233',
      nationalNumber: '244123456',
      trunk: '0',
    });
    expect(numberParts('+14155552671')).toMatchObject({ countryCode: '1', trunk: '' });
  });

  it('has nothing in front where home writes it otherwise', () => {
    expect(numberParts('+5491123456789')).toMatchObject({ trunk: '' });
  });

  it('is known of numbers in international form alone', () => {
    expect(() => numberParts('0244123456')).toThrow(RangeError);
  });
});
