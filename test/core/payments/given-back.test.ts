import { expect, it } from 'vitest';
import { afterEvent } from '../../../src/core/payments/transitions.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { ama, aPayment } from '../../support/a-payment.ts';

const policy = { scheduleMs: [10_000], giveUpMs: 72 * 3_600_000 };
const paid = aPayment({ state: 'completed', settledAtMs: 2_000 });

const give = (payment: Payment, amountMinor: number, id: string, currency = 'GHS') =>
  afterEvent(
    payment,
    { kind: 'given back', id, amount: { amountMinor, currency }, by: ama },
    5_000,
    policy,
  );

it('a payment takes what was given back in parts, up to its amount and no further', {
  tags: ['T90'],
}, () => {
  const part = give(paid, 3_000, 'a');
  expect(part?.givenBack).toEqual([{ id: 'a', amountMinor: 3_000, by: ama, atMs: 5_000 }]);
  expect(give(part ?? paid, 2_001, 'b')).toBeUndefined();
  expect(give(part ?? paid, 2_000, 'b')?.givenBack).toHaveLength(2);
});

it('a payment takes what was given back once for each event', { tags: ['F100'] }, () => {
  expect(give(give(paid, 1_000, 'a') ?? paid, 1_000, 'a')).toBeUndefined();
});

it.each([
  ['nothing', 0, 'GHS'],
  ['less than nothing', -1, 'GHS'],
  ['no number', Number.NaN, 'GHS'],
  ['another currency', 100, 'USD'],
])('a payment takes no given back of %s', (_what, amountMinor, currency) => {
  expect(give(paid, amountMinor, 'a', currency)).toBeUndefined();
});

it.each(['pending', 'unknown', 'failed', 'refused', 'not sent'] as const)(
  'a payment that is %s takes no given back',
  (state) => {
    expect(give({ ...paid, state }, 100, 'a')).toBeUndefined();
  },
);

it('a payment that the payment service contradicts takes no given back', {
  tags: ['T90'],
}, () => {
  expect(give({ ...paid, flag: 'conflict' }, 100, 'a')).toBeUndefined();
});

it('a payment of a customer who was erased keeps no words about them', { tags: ['T90'] }, () => {
  const terms = { ...paid.terms, customerNumber: 'forgotten-0123456789ab' };
  const given = afterEvent(
    { ...paid, terms },
    { kind: 'given back', id: 'a', amount: terms.amount, by: ama, reason: 'Kofi lives in Osu' },
    5_000,
    policy,
  );
  expect(given?.givenBack).toEqual([{ id: 'a', amountMinor: 5_000, by: ama, atMs: 5_000 }]);
  const note = { kind: 'noted', id: 'b', by: ama, note: 'Kofi lives in Osu' } as const;
  expect(afterEvent({ ...paid, terms }, note, 5_000, policy)).toBeUndefined();
});
