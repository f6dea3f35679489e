import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkReference, parseCharge } from '../../src/commands/charge/parse-charge.ts';
import type { Answers } from '../../src/commands/forms/form.ts';
import { understoodLookup } from '../../src/commands/lookup.ts';
import { parseSms } from '../../src/commands/sms/parse-sms.ts';
import { parseRecipients } from '../../src/commands/sms/recipient-list.ts';
import { cleanText } from '../../src/core/sms/sms-parts.ts';
import { hasCardNumber } from '../../src/core/values/card-number.ts';
import { parseCustomerNumber } from '../../src/core/values/customer-number.ts';
import { formatMoney } from '../../src/core/values/money.ts';
import { plainText } from '../../src/core/values/normalise-input.ts';
import { check } from '../support/check.ts';
import { ghanaianNumber, writtenNumber } from '../support/customer-numbers.ts';
import { hostileText } from '../support/hostile-text.ts';

const GHANA = { currency: 'GHS', country: 'GH' };
const charge = (words: string) => parseCharge(words, GHANA);

/** A number as most people type it. */
const typedNumber = ghanaianNumber.chain((e164) =>
  fc
    .constantFrom(
      ...[`0${e164.slice(4)}`, e164, e164.slice(1), `00${e164.slice(1)}`],
      ...[
        `0${e164.slice(4, 6)} ${e164.slice(6, 9)} ${e164.slice(9)}`,
        `0${e164.slice(4, 6)}-${e164.slice(6)}`,
      ],
    )
    .map((text) => ({ e164, text })),
);
const amount = fc
  .record({ minor: fc.integer({ min: 1, max: 9_999_999 }), commas: fc.boolean() })
  .map(({ minor, commas }) => {
    const text = formatMoney({ amountMinor: minor, currency: 'GHS' }).slice(4);
    return { minor, text: commas ? text : text.replaceAll(',', '') };
  });
/** Ways to pay: the words, and what they mean. */
const WAYS = [
  { words: [], network: undefined, option: 'MOM' },
  { words: ['mtn'], network: 'MTN', option: 'MOM' },
  { words: ['Vodafone', 'momo'], network: 'VOD', option: 'MOM' },
  { words: ['AirtelTigo', 'checkout'], network: 'AIR', option: 'CRM' },
  { words: ['checkout'], network: undefined, option: 'CRM' },
  { words: ['visa', 'card'], network: 'VIS', option: 'CRD' },
  { words: ['Mastercard'], network: 'MAS', option: 'CRD' },
  { words: ['card'], network: undefined, option: 'CRD' },
] as const;
const REFERENCES = [
  ['', undefined],
  ['order twelve', 'order twelve'],
  ['"20 boxes for mtn"', '20 boxes for mtn'],
  ['rent for May 2026', 'rent for May 2026'],
  ['KOFI <b>&amp;</b>', 'KOFI <b>&amp;</b>'],
] as const;
/** A lone `visa`, `card` or `checkout` in front of words of a reference may be the first of them. */
const isWordOfReference = (
  way: readonly string[],
  order: readonly string[],
  reference: string,
): boolean => {
  const last = order.at(-1) ?? '';
  const isLone = way.length === 1 && /^(checkout|card|Mastercard)$/.test(last);
  return isLone && /^[^"]/.test(reference);
};
const shuffled = <T>(items: readonly T[]): fc.Arbitrary<T[]> =>
  fc.shuffledSubarray([...items], { minLength: items.length });

describe('the words of /charge', () => {
  it('give back the number, the amount and the rest as typed, in whatever order they come', () => {
    const typed = fc
      .record({
        number: typedNumber,
        amount,
        currency: fc.constantFrom('', 'GHS', 'cedis', 'GH₵'),
        way: fc.constantFrom(...WAYS),
        reference: fc.constantFrom(...REFERENCES),
      })
      .chain((given) => {
        const { currency, way } = given;
        const pieces = [given.amount.text, ...(currency === '' ? [] : [currency]), ...way.words];
        return shuffled(pieces).map((order) => ({ ...given, order }));
      });
    return check(
      fc.property(
        typed,
        ({ number, amount: { minor }, way, reference: [typedReference, reference], order }) => {
          const text = [number.text, ...order, typedReference].join(' ');
          const read = charge(text);
          if (isWordOfReference(way.words, order, typedReference)) {
            expect(!read.ok && read.problem.message).toContain('or part of the reference?');
            return;
          }
          if (!read.ok) return expect.fail(`${text}: ${read.problem.message}`);
          expect(read.value).toEqual({
            number: { e164: number.e164, doubtful: expect.any(Boolean) },
            amount: { amountMinor: minor, currency: 'GHS' },
            option: way.option,
            ...(way.network === undefined ? {} : { network: way.network }),
            ...(reference === undefined ? {} : { reference }),
          });
        },
      ),
      6_000,
    );
  });

  it(
    'never name another number or amount than stands there, however the number is written',
    { tags: ['T11'] },
    () =>
      check(
        fc.property(writtenNumber, amount, hostileText, (number, { minor, text }, rest) => {
          const read = charge(`${number.text} ${text} GHS ${rest}`);
          if (!read.ok) return;
          expect(read.value.number?.e164).toBe(number.e164);
          expect(read.value.amount).toEqual({ amountMinor: minor, currency: 'GHS' });
        }),
        5_000,
      ),
  );

  it('never join digits that have a space of any kind between them to one amount', () => {
    const typed = fc.record({
      number: typedNumber,
      before: fc.constantFrom('', 'mtn ', 'GHS ', 'checkout '),
      glued: fc.constantFrom('', 'GHS', 'GH₵', '₵', 'USD', 'ghs'),
      first: fc.stringMatching(/^[1-9]\d{0,2}$/),
      others: fc.array(fc.stringMatching(/^\d{1,4}$/), { minLength: 1, maxLength: 3 }),
      space: fc.constantFrom(...[' ', '\u00a0', '\u202f', '\u2009', '\t', '\u3000', '\n', '  ']),
      behind: fc.constantFrom('', ' GHS', ' cedis', ' telecel', ' order'),
    });
    return check(
      fc.property(typed, ({ number, before, glued, first, others, space, behind }) => {
        const read = charge(
          `${number.text} ${before}${glued}${[first, ...others].join(space)}${behind}`,
        );
        expect(read.ok).toBe(false);
      }),
      4_000,
    );
  });

  it('are never a charge where the digits for one are not typed', { tags: ['T10'] }, () => {
    const prose = fc
      .array(
        fc.oneof(
          fc.constantFrom(
            'please',
            'charge',
            'pay',
            'Kofi',
            'fifty',
            'cedis',
            'mtn',
            'GHS',
            'card',
          ),
          fc.constantFrom(
            'approve',
            'yes',
            'confirm',
            'ignore',
            'all',
            'rules',
            'and',
            'send',
            'now',
            '!',
          ),
          fc.string({ unit: 'grapheme', maxLength: 8 }),
          fc.stringMatching(/^\d{1,4}$/),
        ),
        { maxLength: 8 },
      )
      .map((words) => words.join(' '));
    return check(
      fc.property(prose, (text) => {
        const read = charge(text);
        if (!read.ok) return;
        const digits = plainText(text).replace(/\D/g, '').length;
        if (read.value.number !== undefined) expect(digits).toBeGreaterThanOrEqual(9);
        if (read.value.amount !== undefined) expect(digits).toBeGreaterThanOrEqual(1);
        if (read.value.number !== undefined && read.value.amount !== undefined)
          expect(digits).toBeGreaterThanOrEqual(10);
      }),
      4_000,
    );
  });

  it('are read or asked about in plain words, with an example to copy, whatever was typed', () => {
    const typed = fc.oneof(
      hostileText,
      fc.tuple(typedNumber, hostileText).map(([{ text }, rest]) => `${text} ${rest}`),
      fc.tuple(hostileText, amount, hostileText).map(([a, { text }, b]) => `${a} ${text} ${b}`),
    );
    return check(
      fc.property(typed, (text) => {
        const read = charge(text);
        if (!read.ok) {
          expect(read.problem.message).not.toMatch(
            /undefined|NaN|\[object|[\p{Cc}\p{Bidi_Control}]/u,
          );
          return;
        }
        const { reference } = read.value;
        expect([...(reference ?? '')].length).toBeLessThanOrEqual(60);
        expect(reference ?? 'x').not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]|^$/u);
      }),
      4_000,
    );
  });

  it('take a reference as it is shown, 60 characters at most, and the same when checked again', () =>
    check(
      fc.property(fc.oneof(hostileText, fc.string({ unit: 'grapheme', maxLength: 80 })), (text) => {
        const read = checkReference(text);
        const plain = plainText(text);
        if (read.ok) {
          expect(read.value).toBe(plain);
          expect(checkReference(plain)).toEqual(read);
        } else expect([...plain].length > 60 || hasCardNumber(plain)).toBe(true);
      }),
      2_500,
    ));
});

describe('the words of /sms', () => {
  it('give back every recipient once and the text as typed, in any order of the numbers', () => {
    const typed = fc.record({
      numbers: fc
        .tuple(fc.array(typedNumber, { minLength: 1, maxLength: 4 }), fc.boolean())
        .map(([all, again]) => (again ? [...all, ...all.slice(0, 1)] : all)),
      comma: fc.constantFrom(',', ', ', ' , ', ';'),
      text: hostileText.map((text) => `Dear customer ${text}`),
    });
    return check(
      fc.property(typed, ({ numbers, comma, text }) => {
        const all = `${numbers.map((each) => each.text).join(comma)} ${text}`;
        const read = parseSms(all, GHANA);
        if (!read.ok) {
          expect(hasCardNumber(plainText(all))).toBe(true);
          return;
        }
        expect(read.value.recipients?.numbers.map(({ e164 }) => e164)).toEqual([
          ...new Set(numbers.map(({ e164 }) => e164)),
        ]);
        expect(read.value.text).toBe(cleanText(text).trim());
      }),
      3_000,
    );
  });

  it('are read or asked about, whatever was typed, and send nothing that cannot be seen', () => {
    const typed = fc.oneof(
      hostileText,
      fc.tuple(writtenNumber, hostileText).map(([{ text }, rest]) => `${text} ${rest}`),
      fc
        .array(
          fc.oneof(
            writtenNumber.map(({ text }) => text),
            hostileText,
          ),
        )
        .map((all) => all.join(', ')),
    );
    return check(
      fc.property(typed, (text) => {
        const read = parseSms(text, GHANA);
        if (read.ok) {
          expect(read.value.text ?? '').not.toMatch(/(?!\n)\p{Cc}|[\p{Bidi_Control}\u200b\ufeff]/u);
          for (const { e164 } of read.value.recipients?.numbers ?? [])
            expect(e164).toMatch(/^\+233\d{9}$/);
        } else expect(read.problem.message).not.toBe('');
        const list = parseRecipients(text, GHANA);
        if (list.ok)
          expect(new Set(list.value.numbers.map(({ e164 }) => e164)).size).toBe(
            list.value.numbers.length,
          );
      }),
      3_000,
    );
  });
});

describe('the words of /lookup', () => {
  /** The number that is looked up: it is read from the answer, as it is shown. */
  const numberIn = ({ number = '' }: Answers): string | undefined => {
    const read = parseCustomerNumber(number, GHANA.country);
    return read.ok ? read.value.e164 : undefined;
  };

  it('give back the number and the network as typed', () =>
    check(
      fc.property(
        typedNumber,
        fc.constantFrom(['', undefined], ['mtn', 'MTN'], ['Telecel Cash', 'VOD'], [
          'momo',
          undefined,
        ] as const),
        ({ e164, text }, [word, network]) => {
          const { answers, problems } = understoodLookup(`${text} ${word}`, GHANA);
          expect({ ...answers, number: numberIn(answers), problems }).toEqual({
            number: e164,
            ...(network === undefined ? {} : { network }),
            problems: {},
          });
        },
      ),
      2_500,
    ));

  it('are read or asked about, whatever was typed', () =>
    check(
      fc.property(hostileText, writtenNumber, hostileText, (before, { e164, text }, behind) => {
        for (const words of [before, `${text} ${behind}`, `${before} ${text}`]) {
          const { answers, problems } = understoodLookup(words, GHANA);
          const [problem] = Object.values(problems);
          if (problem !== undefined) expect(problem).not.toBe('');
          else if (words.startsWith(text)) expect(numberIn(answers)).toBe(e164);
        }
      }),
      2_000,
    ));
});
