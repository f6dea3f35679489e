import { describe, expect, it } from 'vitest';
import { failureReason } from '../../../src/core/gateway/failure-reason.ts';

const NO_MONEY =
  "The customer's wallet does not have enough money. Ask them to top up, then ask again.";
const LATE = 'The customer did not approve in time.';
const DECLINED = 'The customer declined or typed a wrong PIN.';
const LIMIT = "The customer's wallet limit is reached. Ask for another number.";
const NO_WALLET =
  'This number has no wallet on this network. The customer may have moved to another network.';
const BLOCKED = "The customer's wallet is blocked or the phone is off. Ask for another number.";

describe('the reason of a failed payment', () => {
  it.each([
    ['NOT_ENOUGH_FUNDS', NO_MONEY],
    ['Not enough money in wallet', NO_MONEY],
    ['Insufficient balance', NO_MONEY],
    ['Payment rejected: insufficient funds', NO_MONEY],
    ['COULD_NOT_PERFORM_TRANSACTION', LATE],
    ['Customer did not respond', LATE],
    ['PIN prompt expired', LATE],
    ['The approval timed out', LATE],
    ['APPROVAL_REJECTED', DECLINED],
    ['Cancelled by user', DECLINED],
    ['Payer declined', DECLINED],
    ['Wrong PIN', DECLINED],
    ['PAYER_LIMIT_REACHED', LIMIT],
    ["Exceeds the customer's daily limit", LIMIT],
    ['PAYER_NOT_FOUND', NO_WALLET],
    ['Number not registered', NO_WALLET],
    ['No wallet for this number', NO_WALLET],
    ['SENDER_ACCOUNT_NOT_ACTIVE', BLOCKED],
    ['Wallet blocked', BLOCKED],
    ['Phone switched off', BLOCKED],
  ])('of "%s" is told in our words, in every spelling', (words, reason) => {
    const spellings = [words, words.toLowerCase(), words.toUpperCase(), words.replace(/ /g, '-')];
    for (const text of spellings) {
      expect(failureReason(text, 'failed')).toBe(reason);
      expect(failureReason('Done', text)).toBe(reason);
    }
  });

  it.each([
    'Insufficient permissions',
    'Merchant account suspended',
    'Declined by issuer',
    'duplicate transaction',
    'Merchant not registered',
    'cancelled',
    'expired',
    'Rejected',
    'Account blocked',
    'Daily limit exceeded',
    'Rate limit reached',
    'Request TIMEOUT',
    'Insufficient SMS balance',
    'Merchant wallet has insufficient funds',
    'Card declined by the customer bank',
    'Transaction rejected for customer',
    'Could not perform transaction: ledger closed',
    'Reference number not found',
    'Invalid PIN of the API key',
  ])('of "%s" is those words and no conclusion', (words) => {
    expect(failureReason(words, 'failed')).toBe(`The payment service says: "${words}".`);
  });

  it('of a status word alone is that word', () => {
    expect(failureReason('', 'expired')).toBe('The payment service says: "expired".');
    expect(failureReason('Transaction found', 'cancelled')).toBe(
      'The payment service says: "cancelled".',
    );
  });

  it('that is not explained is told in the words of the service', () => {
    expect(failureReason('Ledger trouble.', 'failed')).toBe(
      'The payment service says: "Ledger trouble".',
    );
  });

  it.each([
    ['failed: FAILED', 'FAILED'],
    ['Transaction found', 'failed'],
    ['The transaction has failed.', 'failed'],
    ['Payment was not successful', 'failure'],
    ['Transaction processed', 'failed'],
    ['', 'failed'],
  ])('that only repeats the state is left out: %j', (message, word) => {
    expect(failureReason(message, word)).toBe(
      'The payment service reported the payment as failed.',
    );
  });

  it('is said once, however often the service says it', () => {
    const message = 'Declined by issuer: declined by issuer.: DECLINED BY ISSUER';
    const said = failureReason(message, 'declined');
    expect(said).toBe('The payment service says: "Declined by issuer".');
  });

  it('quotes no number, no quote of its own and no novel', () => {
    const said = (message: string) => failureReason(message, 'failed');
    expect(said('Switch says "no" to 0244123456')).toBe(
      `The payment service says: "Switch says 'no' to •••••3456".`,
    );
    expect(said('x'.repeat(500)).length).toBeLessThan(200);
  });
});
