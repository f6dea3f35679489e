import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  maskNumber,
  numberForService,
  parseCustomerNumber,
  showNumber,
} from '../../src/core/values/customer-number.ts';
import { check } from '../support/check.ts';
import { ghanaianNumber, writtenNumber } from '../support/customer-numbers.ts';
import { hostileText } from '../support/hostile-text.ts';

const read = (text: string): string | undefined => {
  const result = parseCustomerNumber(text, 'GH');
  return result.ok ? result.value.e164 : undefined;
};

/** Digits of other scripts, in other shapes, raised, and letters that look like one. */
const LOOK_ALIKES = [...'٠١٢٣٤٥٦٧٨٩', ...'०१२३४५६७८९', ...'𝟎𝟏𝟐𝟑', ...'⁰¹²③½', ...'OoIlSBZ'];

describe("a customer's number", () => {
  it('is the same in every common way of writing it', () =>
    check(
      fc.property(writtenNumber, ({ e164, text }) => {
        expect([text, read(text)]).toEqual([text, e164]);
        // As Slack hands it on: what the person typed is the label.
        if (!text.startsWith('tel:')) expect(read(`<tel:${e164}|${text}>`)).toBe(e164);
      }),
      6_000,
    ));

  it('is read back from every form in which it is stored, sent and shown', () =>
    check(
      fc.property(ghanaianNumber, (e164) => {
        for (const text of [
          e164,
          showNumber(e164),
          numberForService(e164, 'national'),
          numberForService(e164, 'e164'),
          numberForService(e164, 'msisdn'),
        ])
          expect([text, read(text)]).toEqual([text, e164]);
      }),
      2_500,
    ));

  it('keeps its digits: the same nine, in the same order, as were typed', () => {
    const typed = fc.oneof(
      hostileText,
      fc.string({ unit: fc.constantFrom(...'0123456789+-(). ,x/') }),
      writtenNumber.chain(({ text }) =>
        fc.tuple(hostileText, hostileText).map(([before, behind]) => before + text + behind),
      ),
    );
    return check(
      fc.property(typed, (text) => {
        const e164 = read(text);
        if (e164 === undefined) return;
        expect(e164).toMatch(/^\+233\d{9}$/);
        // Full-width digits are the same digits; nothing else is taken for one.
        const digits = text
          .replace(/[０-９]/g, (wide) => wide.normalize('NFKC'))
          .replace(/\D/g, '');
        expect(digits.replace(/^(00)?2330?|^0/, '')).toBe(e164.slice(4));
      }),
      7_500,
    );
  });

  it('is refused with one digit that only looks like one', { tags: ['T11'] }, () => {
    const typed = fc.record({
      number: writtenNumber,
      at: fc.nat(40),
      sign: fc.constantFrom(...LOOK_ALIKES),
    });
    return check(
      fc.property(typed, ({ number: { text }, at, sign }) => {
        const places = [...text].flatMap((char, index) => (/\d/.test(char) ? [index] : []));
        const place = places[at % places.length] ?? 0;
        expect(read(text.slice(0, place) + sign + text.slice(place + 1))).toBeUndefined();
      }),
      3_000,
    );
  });

  it('is not changed by what nobody can see in it', () => {
    const unseen = fc.constantFrom(
      '\u0000',
      '\u202e',
      '\u200b',
      '\u2066',
      '\ufeff',
      '\u200f',
      '\u0007',
    );
    const typed = fc.record({ number: writtenNumber, at: fc.nat(40), sign: unseen });
    return check(
      fc.property(typed, ({ number: { e164, text }, at, sign }) => {
        const place = at % (text.length + 1);
        expect(read(text.slice(0, place) + sign + text.slice(place))).toBe(e164);
      }),
      3_000,
    );
  });

  it('shows others seven of its ten digits at most', () =>
    check(
      fc.property(ghanaianNumber, (e164) => {
        expect(maskNumber(e164)).toBe(`0${e164.slice(4, 6)} *** ${e164.slice(-4)}`);
      }),
      1_500,
    ));
});
