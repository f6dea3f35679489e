import { describe, expect, it } from 'vitest';
import { failureReason } from '../../../src/core/gateway/failure-reason.ts';

const NO_MONEY =
  "The customer's wallet does not have enough money. Ask them to top up, then start a new request.";
const LATE = 'The customer did not approve in time.';
const DECLINED = 'The customer declined or typed a wrong PIN.';
const LIMIT = "The customer's wallet limit is reached.";
const NO_WALLET =
  'There is no wallet for this number on this network. Check the network, because the number may have been ported.';
const BLOCKED =
  "The customer's wallet is blocked or the phone is off. Ask them to call their network or to switch the phone on.";

describe('the reason of a failed payment', () => {
  it.each([
    ['NOT_ENOUGH_FUNDS', NO_MONEY],
    ['Not enough money in wallet', NO_MONEY],
    ['Insufficient balance', NO_MONEY],
    ['Payment rejected: insufficient funds', NO_MONEY],
    ['COULD_NOT_PERFORM_TRANSACTION', LATE],
    ['EXPIRED', LATE],
    ['Request TIMEOUT', LATE],
    ['The session timed out', LATE],
    ['APPROVAL_REJECTED', DECLINED],
    ['Cancelled by user', DECLINED],
    ['Wrong PIN', DECLINED],
    ['PAYER_LIMIT_REACHED', LIMIT],
    ['Daily limit exceeded', LIMIT],
    ['PAYER_NOT_FOUND', NO_WALLET],
    ['Number not registered', NO_WALLET],
    ['SENDER_ACCOUNT_NOT_ACTIVE', BLOCKED],
    ['Account blocked', BLOCKED],
  ])('%s', (words, reason) => {
    const spellings = [words, words.toLowerCase(), words.toUpperCase(), words.replace(/ /g, '-')];
    for (const text of spellings) {
      expect(failureReason({ code: '000', message: text }, 'failed')).toBe(reason);
      expect(failureReason({ code: text }, 'failed')).toBe(reason);
      expect(failureReason({ code: '000', message: 'Done' }, text)).toBe(reason);
    }
  });

  it('of a status word alone', () => {
    expect(failureReason({}, 'expired')).toBe(LATE);
    expect(failureReason({}, 'cancelled')).toBe(DECLINED);
  });

  it('that nobody knows is told in the words of the service', () => {
    expect(failureReason({ code: '219', message: 'Provider trouble.' }, 'failed')).toBe(
      'The service reported the payment as failed: Provider trouble (code 219).',
    );
    expect(failureReason({ code: '2050' }, 'failed')).toBe(
      'The service reported the payment as failed: code 2050.',
    );
    expect(failureReason({ code: '000', message: 'Transaction found' }, 'failed')).toBe(
      'The service reported the payment as failed: Transaction found.',
    );
    expect(failureReason({ code: '000' }, 'failed')).toBe(
      'The service reported the payment as failed.',
    );
    expect(failureReason({}, 'FAILED')).toBe('The service reported the payment as failed.');
  });
});
