import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failureReason } from '../../src/core/gateway/failure-reason.ts';
import { check } from '../support/check.ts';
import { hostileText } from '../support/hostile-text.ts';

const other = fc.constantFrom(
  'Merchant',
  'The merchant account',
  'merchant wallet',
  'Issuer',
  'issuing bank',
  'Card',
  'Payee',
  'receiver account',
  'API user',
  'Provider',
  'Float',
  'Collection account',
);
const trouble = fc.constantFrom(
  'suspended',
  'blocked',
  'not active',
  'is inactive',
  'not registered',
  'not found',
  'limit exceeded',
  'daily limit reached',
  'has insufficient funds',
  'insufficient balance',
  'declined',
  'rejected',
  'cancelled',
  'expired',
  'timed out',
);
/** About nobody in particular. */
const bare = fc.constantFrom(
  'Insufficient permissions',
  'duplicate transaction',
  'Declined by issuer',
  'Rejected by the switch',
  'cancelled',
  'expired',
  'TIMEOUT',
  'not allowed',
  'Account suspended',
  'Limit exceeded',
);
const phrase = fc.oneof(
  fc.tuple(other, trouble).map((words) => words.join(' ')),
  bare,
);
const spelt = fc
  .tuple(fc.array(phrase, { minLength: 1, maxLength: 4 }), fc.constantFrom(': ', '; ', ', ', ' - '))
  .chain(([phrases, between]) => {
    const text = phrases.join(between);
    return fc.constantFrom(text, text.toLowerCase(), text.toUpperCase(), text.replace(/ /g, '_'));
  });
describe('the reason of a failed payment', () => {
  it('names no customer, wallet or PIN where the words are about the merchant, the issuer or nobody', () =>
    check(
      fc.property(
        spelt,
        fc.constantFrom('failed', 'cancelled', 'declined', 'EXPIRED'),
        (...said) => {
          expect(failureReason(...said)).toMatch(/^The payment service says: /);
        },
      ),
      3_000,
    ));

  it('is one sentence or a known cause, and repeats nothing, whatever the service says', () =>
    check(
      fc.property(
        fc.oneof(hostileText, spelt),
        fc.oneof(hostileText, fc.constantFrom('failed', 'cancelled')),
        (said, word) => {
          const reason = failureReason(said, word);
          expect(reason).toMatch(/^(The payment service |The customer|This number )/);
          expect(reason.endsWith('.')).toBe(true);
          const [, quote = ''] = /says: "(.*)"/s.exec(reason) ?? [];
          expect(quote).not.toContain('"');
        },
      ),
      2_000,
    ));
});
