import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkReference, parseCharge } from '../../../src/commands/charge/parse-charge.ts';
import { formatMoney } from '../../../src/core/values/money.ts';
import { anyCharacter } from '../../support/hostile-text.ts';

const GHANA = { currency: 'GHS', country: 'GH' };
const read = (words: string) => parseCharge(words, GHANA);

const understood = (words: string) => {
  const result = read(words);
  if (!result.ok) throw new Error(`${words}: ${result.problem.message}`);
  return result.value;
};
const problemOf = (words: string) => {
  const result = read(words);
  if (result.ok) throw new Error(`${words}: was read`);
  return result.problem;
};

const CUSTOMER = { e164: '+233244123456', doubtful: false };
/** What the endings in a test below are worth. */
const AMOUNT_OF: Readonly<Record<string, number>> = {
  ' 1200': 120_000,
  ' 77.50 GHS': 7_750,
  ' GHS 5': 500,
  ' mtn 300': 30_000,
};
const FIFTY = { amountMinor: 5000, currency: 'GHS' };

describe('the words of /charge', () => {
  it('are number, amount, currency, network, option and reference', () => {
    expect(understood('0244123456 50 GHS mtn checkout order 12')).toEqual({
      number: CUSTOMER,
      amount: FIFTY,
      network: 'MTN',
      option: 'CRM',
      reference: 'order 12',
    });
  });

  it.each([
    ['0244123456 5O', 'letter O in "5O". Type the digit 0.'],
    ['0244123456 1O0 mtn', 'letter O in "1O0". Type the digit 0.'],
    ['0244123456 l00 fees', 'letter l in "l00". Type the digit 1.'],
    ['O244123456 50', 'letter O in "O244123456". Type the digit 0.'],
    ['024 412 345O 50', 'letter O in "345O". Type the digit 0.'],
    ['5O 0244123456', 'letter O in "5O". Type the digit 0.'],
  ])('name a letter that was typed for a digit: %s', (words, message) => {
    expect(problemOf(words).message).toContain(message);
  });

  it('never make a digit of the .0 that a spreadsheet writes', () => {
    expect(understood('244123456.0 50')).toEqual({
      number: CUSTOMER,
      amount: FIFTY,
      option: 'MOM',
    });
    expect(problemOf('55123456.0 50').message).toContain('"55123456" is too short');
  });

  it('may be left out, for a form to ask', () => {
    expect(understood('')).toEqual({ option: 'MOM' });
    expect(understood('   ')).toEqual({ option: 'MOM' });
    expect(understood('0244123456')).toEqual({ number: CUSTOMER, option: 'MOM' });
    expect(understood('GHS 50')).toEqual({ amount: FIFTY, option: 'MOM' });
    expect(understood('0244123456 telecel')).toEqual({
      number: CUSTOMER,
      network: 'VOD',
      option: 'MOM',
    });
  });

  it('come in any order behind the number', () => {
    const expected = { number: CUSTOMER, amount: FIFTY, network: 'VIS', option: 'CRD' };
    for (const words of ['50 GHS card visa', '50 visa card GHS', 'card visa GHS 50', 'visa 50 ghs'])
      expect(understood(`0244123456 ${words}`)).toEqual(expected);
  });

  it('may have the reference contain words with a meaning, once it has begun', () => {
    const order = 'order 7 visa card USD 20';
    expect(understood(`0244123456 50 mtn ${order}`).reference).toBe(order);
    const topUp = { amount: FIFTY, reference: 'top up for mtn' };
    expect(understood('0244123456 50 GHS top up for mtn')).toMatchObject(topUp);
    const atTheShop = { network: 'MTN', reference: 'at the shop' };
    expect(understood('0244123456 50 mtn at the shop')).toMatchObject(atTheShop);
    expect(understood('0244123456 50 “visa fee”').reference).toBe('visa fee');
  });

  it('take a network that is also an English word when the number belongs to it', () => {
    for (const typed of ['0271234567 50 at rent', '0244123456 50 AT rent'])
      expect(understood(typed)).toMatchObject({ network: 'AIR', reference: 'rent' });
    expect(problemOf('0244123456 50 at rent').message).toContain('in quotes');
  });

  it('are read in the currency and country of the settings', () => {
    const nigeria = { currency: 'NGN', country: 'NG' };
    expect(parseCharge('0803 123 4567 2000 rent', nigeria)).toEqual({
      ok: true,
      value: {
        number: { e164: '+2348031234567', doubtful: false },
        amount: { amountMinor: 200_000, currency: 'NGN' },
        option: 'MOM',
        reference: 'rent',
      },
    });
  });

  it('are asked about when the number can end in two places', () => {
    const india = { currency: 'INR', country: 'IN' };
    const result = parseCharge('919876 5432 10', india);
    expect(!result.ok && result.problem.message).toContain('where the number ends');
    expect(parseCharge('919876 5432 10 50', india)).toMatchObject({
      ok: true,
      value: { number: { e164: '+919876543210' }, amount: { amountMinor: 5000 } },
    });
  });

  it('never name another number or amount than was typed, however the digits are grouped', () => {
    const typed = fc.record({
      head: fc.constantFrom('0', '', '233', '+233', '+233 ', '00233', '+233(0)'),
      national: fc.integer({ min: 200_000_000, max: 599_999_999 }).map(String),
      cuts: fc.array(fc.integer({ min: 1, max: 8 }), { maxLength: 4 }),
      tail: fc.constantFrom('', ' 1200', ' 77.50 GHS', ' GHS 5', ' mtn 300'),
    });
    fc.assert(
      fc.property(typed, ({ head, national, cuts, tail }) => {
        // 023 3… without its 0 begins like a country code; alone it is refused, as the table of awkward inputs shows.
        fc.pre(head !== '' || !national.startsWith('233'));
        const places = new Set(cuts);
        const grouped = [...national].map((digit, at) => (places.has(at) ? ` ${digit}` : digit));
        const result = read(head + grouped.join('') + tail);
        if (!result.ok) return;
        const { number, amount } = result.value;
        expect(number?.e164).toBe(`+233${national}`);
        expect(amount === undefined ? '' : formatMoney(amount)).toBe(
          tail === '' ? '' : formatMoney({ amountMinor: AMOUNT_OF[tail] ?? 0, currency: 'GHS' }),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('never name another amount than was typed', () => {
    const typed = fc.record({
      minor: fc.integer({ min: 1, max: 99_999_999 }),
      write: fc.constantFrom(
        (amount: string) => amount,
        (amount: string) => amount.replace('GHS ', ''),
        (amount: string) => amount.replace('GHS ', 'GH₵'),
        (amount: string) => `${amount.replace('GHS ', '').replaceAll(',', '')} cedis`,
      ),
      network: fc.constantFrom('', ' mtn', ' Telecel Cash', ' momo'),
      reference: fc.constantFrom('', ' order 12', ' "20 boxes"', ' rent for May'),
    });
    fc.assert(
      fc.property(typed, ({ minor, write, network, reference }) => {
        const amount = { amountMinor: minor, currency: 'GHS' };
        const words = `0244123456 ${write(formatMoney(amount))}${network}${reference}`;
        expect(understood(words)).toMatchObject({ number: CUSTOMER, amount });
      }),
      { numRuns: 1000 },
    );
  });

  it('are read or asked about, whatever was typed', () => {
    const piece = fc.oneof(
      fc.string({ unit: anyCharacter }),
      fc.constantFrom(
        ...['0244123456', '024', '412', '3456', '+233', '50', '1,200.50'],
        ...['GHS', '₵', '-'],
      ),
      fc.constantFrom('mtn', 'at', 'top', 'card', 'visa', 'momo', 'k', '"', '<tel:1|2>', '\u202e'),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const result = read(pieces.join(' '));
        if (!result.ok) expect(result.problem.message).not.toBe('');
        else {
          expect(result.value.amount?.amountMinor ?? 1).toBeGreaterThan(0);
          expect([...(result.value.reference ?? 'x')].length).toBeLessThanOrEqual(60);
          expect(result.value.reference).not.toBe('');
        }
      }),
      { numRuns: 3000 },
    );
  });

  it('are read or refused quickly, however long they are', () => {
    // Quadratic, it would take minutes; on a slow machine what is linear takes a second or two.
    const startedMs = performance.now();
    for (const piece of ['1', '1 ', 'mtn ', '0244123456 ', '"', '" ', '<tel:1|2> ', 'a,', '- '])
      read(`0244123456 50 ${piece.repeat(20_000)}`);
    expect(performance.now() - startedMs).toBeLessThan(30_000);
  });
});

describe('a reference', () => {
  it('is one line without invisible characters', () => {
    const read = checkReference(' order\n\t12\u202e \u0007x\u200b ');
    expect(read).toEqual({ ok: true, value: 'order 12 x' });
  });

  it('has 60 characters at most, whatever bytes they take', () => {
    expect(checkReference('₵'.repeat(60)).ok).toBe(true);
    const result = checkReference('₵'.repeat(61));
    expect(!result.ok && result.problem.message).toBe(
      'A reference can have 60 characters at most; this one has 61.',
    );
  });

  it('is never a card number', () => {
    const result = checkReference('order 4111 1111 1111 1111');
    expect(!result.ok && result.problem.message).toContain('delete that message');
    expect(!result.ok && result.problem.message).not.toContain('4111');
  });
});
