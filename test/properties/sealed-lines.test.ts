import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Sealer, seal, unseal } from '../../src/core/store/sealed-json.ts';
import { check } from '../support/check.ts';
import { hostileText } from '../support/hostile-text.ts';

/** What a commit may hold, as JSON without its closing brace. */
const open = fc
  .record({ text: hostileText, change: fc.jsonValue({ maxDepth: 3 }) })
  .map((value) => JSON.stringify(value).slice(0, -1));

describe('a sealed line', () => {
  it('is read back as what was sealed, also when it was made piece by piece', () =>
    check(
      fc.property(open, fc.array(fc.nat(200), { maxLength: 4 }), (json, cuts) => {
        const { text, hash } = seal(json);
        expect(unseal(Buffer.from(text))).toEqual({ ok: true, value: JSON.parse(text), hash });
        const sealer = new Sealer();
        let at = 0;
        // Between two characters: half a character is no piece of text.
        for (const cut of [...new Set(cuts)].sort((a, b) => a - b)) {
          if (cut <= at || !json.slice(at, cut).isWellFormed()) continue;
          sealer.add(json.slice(at, cut));
          at = cut;
        }
        sealer.add(json.slice(at));
        expect(json + sealer.end()).toBe(text);
      }),
      5_500,
    ));

  it('with any one bit turned is noticed', () =>
    check(
      fc.property(open, fc.nat(), fc.nat(7), (json, at, bit) => {
        const bytes = Buffer.from(seal(json).text);
        const place = at % bytes.length;
        bytes[place] = (bytes[place] ?? 0) ^ (1 << bit);
        expect(unseal(bytes).ok).toBe(false);
      }),
      10_500,
    ));

  it('cut short, made longer, or with bytes swapped or zeroed is noticed', () => {
    const damage = fc.constantFrom<(bytes: Buffer, at: number, other: number) => Buffer>(
      (bytes, at) => bytes.subarray(0, at),
      (bytes, at) => Buffer.concat([bytes.subarray(0, at), Buffer.from(' '), bytes.subarray(at)]),
      (bytes, at, other) => {
        const [one = 0, two = 0] = [bytes[at], bytes[other]];
        [bytes[at], bytes[other]] = [two, one];
        return bytes;
      },
      (bytes, at) => bytes.fill(0, at),
      (bytes, at) => Buffer.concat([bytes.subarray(0, at), bytes]),
    );
    return check(
      fc.property(open, damage, fc.nat(), fc.nat(), (json, harm, at, other) => {
        const whole = Buffer.from(seal(json).text);
        const harmed = harm(Buffer.from(whole), at % whole.length, other % whole.length);
        expect(unseal(harmed).ok).toBe(harmed.equals(whole));
      }),
      5_500,
    );
  });

  it('is told from a line that nobody sealed, whatever its bytes', () =>
    check(
      fc.property(
        fc.oneof(
          fc.uint8Array({ maxLength: 200 }),
          hostileText.map((text) => Buffer.from(text)),
        ),
        (bytes) => {
          expect(unseal(Buffer.from(bytes)).ok).toBe(false);
        },
      ),
      3_000,
    ));
});
