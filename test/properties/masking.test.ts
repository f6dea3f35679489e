import { readFileSync, truncateSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import fc from 'fast-check';
import examples from 'libphonenumber-js/mobile/examples';
import { beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config/config.ts';
import { createLog, type Log } from '../../src/core/runtime/log.ts';
import { maskerFor } from '../../src/core/runtime/masking.ts';
import { numberForService, parseCustomerNumber } from '../../src/core/values/customer-number.ts';
import { check } from '../support/check.ts';
import { writtenNumber } from '../support/customer-numbers.ts';
import { hostileText } from '../support/hostile-text.ts';
import { sharedFolder } from '../support/shared-folder.ts';

const mask = maskerFor([]);
const masked = (text: string): string => String(mask(text));

/** Words around a number that are no part of one. */
const around = fc.constantFrom(
  '',
  ' ',
  ' to ',
  '"',
  ': ',
  ', ',
  '\n',
  ' (',
  ') ',
  'GHS 50.00 ',
  '/',
  '=',
);

/** Where mobile money is common, and plans of every make: without a 0 in front, with 06, 1 or 8, of several lengths. */
const COUNTRIES = Object.keys(examples).filter((country) =>
  /^(GH|NG|KE|CI|SN|CM|RW|UG|TZ|ZM|BJ|ML|BF|TG|ZA|IN|BD|PK|PH|BR|US|DE|IT|HU|RU|SM)$/.test(country),
);

/** A number that Paythread takes where `DEFAULT_COUNTRY` is this, in every form that it sends and people write. */
const numberElsewhere = fc
  .tuple(
    fc.constantFrom(...COUNTRIES),
    fc.integer({ min: 0, max: 9_999 }),
    fc.constantFrom('', ' ', '-', '.', '\u00a0', ' - '),
    fc.integer({ min: 1, max: 4 }),
  )
  .map(([country, last, gap, every]) => {
    const example = String(Object.entries(examples).find(([code]) => code === country)?.[1]);
    const digits = example.slice(0, -4) + String(last).padStart(4, '0');
    const read = parseCustomerNumber(digits, country);
    if (!read.ok) return { country, forms: [], e164: '' };
    const { e164 } = read.value;
    const apart = (text: string) =>
      [...text].map((sign, at) => (at > 1 && at % every === 0 ? gap + sign : sign)).join('');
    const msisdn = numberForService(e164, 'msisdn');
    const sent = [numberForService(e164, 'national'), msisdn, e164];
    return { country, e164, forms: [...sent.map(apart), `00${msisdn}`, ...sent] };
  });

describe('the mask', () => {
  it('leaves no full number of DEFAULT_COUNTRY, in any form in which it is sent or written', {
    tags: ['T76'],
  }, async () => {
    onTestFinished(() => void readConfig({}));
    const seen = new Set<string>();
    const all = fc.property(
      around,
      numberElsewhere,
      around,
      (before, { country, ...number }, end) => {
        readConfig({ DEFAULT_COUNTRY: country });
        const { e164, forms } = number;
        if (e164 !== '') seen.add(country);
        for (const form of forms) {
          // Where numbers begin with any digit, an amount in front of one that is broken up may be its beginning.
          const left = masked(
            (/^\+?\d+$/.test(form) ? before : before.replace(/\d.*/, '')) + form + end,
          );
          expect(left.replace(/[^\d•]/g, ''), form).not.toContain(e164.slice(-7));
          expect(left, form).toContain(`•••••${e164.slice(-4)}`);
        }
      },
    );
    await check(all, 4_000);
    expect([...seen].sort()).toEqual([...COUNTRIES].sort());
  });

  it(
    'leaves no full customer number, however it is written and whatever stands around it',
    { tags: ['I15'] },
    () =>
      check(
        fc.property(around, writtenNumber, around, (before, { e164, text }, behind) => {
          const left = masked(before + text + behind);
          expect(left.replace(/[^\d•]/g, '')).not.toContain(e164.slice(4));
          expect(left).toContain(`•••••${e164.slice(-4)}`);
        }),
        12_000,
      ),
  );

  it('leaves no full number of another country in international form', () => {
    const number = fc.tuple(
      fc.constantFrom('+1', '+44', '+234', '+225', '+49', '+254', '0044', '00225'),
      fc.stringMatching(/^[1-9]\d{7,9}$/),
      fc.array(fc.tuple(fc.nat(9), fc.constantFrom(' ', '-', '.', ' (', ') ')), { maxLength: 4 }),
    );
    return check(
      fc.property(around, number, around, (before, [code, digits, gaps], behind) => {
        const chars = [...digits];
        for (const [at, gap] of gaps)
          if (at < chars.length && chars[at]?.length === 1) chars[at] = gap + chars[at];
        const left = masked(`${before}${code} ${chars.join('')}${behind}`);
        expect(left.replace(/[^\d•]/g, '')).not.toContain(digits);
      }),
      5_000,
    );
  });

  it('leaves amounts, times, ids and versions as they are', () => {
    const plain = fc.oneof(
      fc.integer({ min: 1, max: 10 ** 10 }).map((minor) => `GHS ${(minor / 100).toFixed(2)}`),
      fc
        .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
        .map((at) => at.toISOString()),
      fc
        .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
        .map((at) => at.toISOString().replace('T', ' ').slice(0, 19)),
      fc.integer({ min: 1_600_000_000, max: 1_999_999_999 }).map((s) => `${s}.000100`),
      fc.integer({ min: 1, max: 9_999_999 }).map((id) => `-100${id}`),
      // One that begins with the country code is read as a number.
      fc.ipV4().filter((address) => !/^(233|234|254|255)\./.test(address)),
      fc.double({ min: 0, max: 1, noNaN: true }).map(String),
      fc.integer({ min: 0, max: 999_999 }).map((n) => `took ${n} ms, attempt 3 of 5`),
    );
    onTestFinished(() => void readConfig({}));
    return check(
      fc.property(plain, fc.constantFrom('GH', 'NG', 'KE', 'TZ'), (text, country) => {
        // Where numbers begin with any digit, an address may be one.
        fc.pre(country !== 'TZ' || isIP(text) === 0);
        readConfig({ DEFAULT_COUNTRY: country });
        expect(masked(text)).toBe(text);
      }),
      5_000,
    );
  });

  const secret = fc
    .string({ unit: 'grapheme', minLength: 4, maxLength: 40 })
    // What is a part of the mark itself cannot be told from it.
    .filter((text) => text.length >= 4 && !'[secret]'.includes(text) && !/^[•\d]+$/.test(text));

  it('leaves no configured secret in any text, key or number, however deep', () =>
    check(
      fc.property(secret, hostileText, hostileText, fc.nat(30), (text, before, behind, depth) => {
        const hide = maskerFor([text]);
        let value: unknown = {
          [before + text]: [before + text + behind, encodeURIComponent(text)],
        };
        for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { value };
        expect(JSON.stringify(hide(value))).not.toContain(JSON.stringify(text).slice(1, -1));
      }),
      3_500,
    ));

  it('leaves no configured secret of digits that comes as a number', () =>
    check(
      fc.property(fc.integer({ min: 1_000, max: Number.MAX_SAFE_INTEGER }), (number) => {
        const hide = maskerFor([String(number)]);
        expect(JSON.stringify(hide({ n: number }))).not.toContain(String(number));
      }),
      2_000,
    ));

  it('changes nothing of the shape of what is logged', () =>
    check(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        const shapeOf = (each: unknown): unknown =>
          Array.isArray(each)
            ? each.map(shapeOf)
            : typeof each === 'object' && each !== null
              ? Object.keys(each).length
              : typeof each === 'boolean' || each === null
                ? each
                : 'text';
        expect(shapeOf(mask(value))).toEqual(shapeOf(value));
      }),
      3_000,
    ));
});

describe('a log line', () => {
  let log: Log;
  let file: string;
  beforeAll(() => {
    file = join(sharedFolder(), 'log');
    log = createLog({ level: 'trace', secrets: ['canary-secret'], destination: file });
  });
  /** What is written by `write`, and nothing before it. */
  const written = (write: () => void): string => {
    truncateSync(file);
    write();
    return readFileSync(file, 'utf8');
  };

  it('stays one line of JSON that no terminal and no reader of lines can mistake', {
    tags: ['I16'],
  }, () => {
    const value = fc.oneof(
      hostileText,
      fc.jsonValue({ maxDepth: 3 }),
      fc.dictionary(hostileText, hostileText),
    );
    return check(
      fc.property(hostileText, value, (message, extra) => {
        const text = written(() => log.info({ extra }, message));
        expect(text).toMatch(
          /^[^\p{Cc}\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]+\n$/u,
        );
        expect(JSON.parse(text)).toMatchObject({ level: 30 });
      }),
      3_500,
    );
  });

  it('shows no secret: by its key, by its value, in errors and their causes', {
    tags: ['I15', 'T14'],
  }, () => {
    const key = fc.constantFrom(
      ...['authorization', 'Authorization', 'X-Slack-Signature', 'bot_token', 'set-cookie'],
      ...['client_key', 'apiKey', 'CALLBACK_SECRET', 'body', 'requestBody', 'account_name'],
    );
    return check(
      fc.property(key, hostileText, hostileText, (name, before, behind) => {
        const cause = new Error(`${before}canary-secret${behind}`);
        const text = written(() => {
          log.error({ err: new Error(behind, { cause }), [name]: 'hidden-canary' }, before);
          log.info(
            { headers: [{ [name]: { deep: ['hidden-canary'] } }] },
            `canary-secret${behind}`,
          );
        });
        expect(text.split('\n')).toHaveLength(3);
        expect(text).not.toContain('canary');
      }),
      2_000,
    );
  });
});
