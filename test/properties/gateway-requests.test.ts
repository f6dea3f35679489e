import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PaymentRequest } from '../../src/core/gateway/gateway.ts';
import { sandboxProvider } from '../../src/core/gateway/provider.ts';
import { check } from '../support/check.ts';
import { hostileText } from '../support/hostile-text.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { silentLog } from '../support/silent-log.ts';

const request: fc.Arbitrary<PaymentRequest> = fc.record({
  transactionId: fc.stringMatching(/^[0-9A-HJKMNP-TV-Z]{16}$/),
  reference: fc.oneof(hostileText, fc.constantFrom('MTC', 'trans_type=MTC', '","trans_type":"MTC')),
  customerNumber: fc.integer({ min: 200000000, max: 599999999 }).map((n) => `+233${n}`),
  network: fc.constantFrom('MTN', 'VOD', 'AIR', 'VIS', 'MAS'),
  amount: fc.record({
    amountMinor: fc.integer({ min: 1, max: 10_000_000_00 }),
    currency: fc.constantFrom('GHS', 'USD', 'NGN'),
  }),
  option: fc.constantFrom('MOM', 'CRD', 'CRM'),
  callbackUrl: fc.webUrl(),
});

/** The JSON that goes out, as the service reads it. */
const sentFor = async (asked: PaymentRequest): Promise<Record<string, unknown>> => {
  const sent: string[] = [];
  const gateway = sandboxProvider.createGateway(
    {
      baseUrl: 'http://127.0.0.1:1',
      clientKey: 'key',
      secretKey: 'secret',
      timeoutMs: 1_000,
      serviceId: 7,
      nickname: 'Shop',
      requestsPerSecond: 1_000,
      sendCurrencyVal: 'never',
      numberFormat: 'national',
    },
    {
      clock: new ManualClock(),
      log: silentLog,
      post: async (path, body) => {
        sent.push(path, JSON.stringify(body));
        return { kind: 'answered', httpStatus: 200, body: '{"response_code":"202"}' };
      },
    },
  );
  await gateway.makePayment(asked);
  expect(sent).toHaveLength(2);
  return JSON.parse(sent[1] ?? '');
};

describe('a payment request', () => {
  it(
    'takes money from the customer and never gives any, whatever was typed',
    { tags: ['I2', 'T13'] },
    () =>
      check(
        fc.asyncProperty(request, async (asked) => {
          expect((await sentFor(asked))['trans_type']).toBe('CTM');
        }),
        3_000,
      ),
  );

  it(
    'carries id, amount, currency, number and reference exactly as they were confirmed',
    { tags: ['I2'] },
    () =>
      check(
        fc.asyncProperty(request, async (asked) => {
          const body = await sentFor(asked);
          expect(body['transaction_id']).toBe(asked.transactionId);
          expect(Math.round(Number(body['amount']) * 100)).toBe(asked.amount.amountMinor);
          expect(String(body['amount'])).toMatch(/^\d+(\.\d{1,2})?$/);
          expect(body['currency_code']).toBe(asked.amount.currency);
          expect(body['customer_number']).toBe(asked.customerNumber.replace('+233', '0'));
          expect(body['reference']).toBe(asked.reference);
        }),
        3_000,
      ),
  );
});
