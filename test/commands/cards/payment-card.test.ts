import { describe, expect, it } from 'vitest';
import { outcomeCard, paymentCard } from '../../../src/commands/cards/payment-card.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { aPayment } from '../../support/a-payment.ts';
import { cardText, factOf } from '../../support/card-text.ts';

const GLUED = '02441234560244123456';

describe('the customer’s number', () => {
  it.each<Partial<Payment>>([
    { state: 'failed', reason: `The payment service says: code ${GLUED}.` },
    { state: 'unknown', reason: `An answer nobody knows (code ${GLUED}).` },
    { state: 'refused', answer: { code: '100', message: `GHS 50.00${GLUED}` } },
    { state: 'completed', flag: 'conflict', reason: `The payment service now says ${GLUED}.` },
  ])('is not shown in full, whatever stands around it: %o', (changes) => {
    const payment = aPayment(changes);
    for (const card of [paymentCard(payment, 'Africa/Accra'), outcomeCard(payment, 'Africa/Accra')])
      expect(JSON.stringify(card)).not.toContain('244123456');
  });
});

const MINUTE_MS = 60_000;
const noonMs = Date.UTC(2026, 10, 22, 12, 0);

describe('the words of a payment card', () => {
  const textOf = (changes: Partial<Payment>) =>
    cardText(paymentCard(aPayment(changes), 'Africa/Accra'));
  const answered = (code: string, message: string) => ({ code, message });

  it.each<[string, Partial<Payment>, string]>([
    [
      'an unknown end',
      { state: 'unknown', reason: 'No answer came within 30 seconds.' },
      'Not clear yet: the customer may still be charged. Do not ask again. I keep checking. No answer came within 30 seconds.',
    ],
    [
      'a wait after a 429',
      { state: 'confirmed', rateLimits: 1 },
      'The payment service is busy and took nothing yet. I ask again in a moment.',
    ],
    [
      'what was answered with 429 to the end',
      {
        state: 'not sent',
        rateLimits: 5,
        reason: 'The payment service was too busy and took nothing. Ask again in a few minutes.',
        answer: answered('429', 'Too many requests'),
      },
      'Nothing was charged. The payment service was too busy and took nothing. Ask again in a few minutes.',
    ],
    [
      'a refusal',
      {
        state: 'refused',
        reason: 'The payment service refused: "Invalid network" (code 031).',
        answer: answered('031', 'Invalid network'),
      },
      'Nothing was charged. The payment service refused: "Invalid network" (code 031).',
    ],
    [
      'half an hour without an end',
      { state: 'unknown', flag: 'needs a person', overdue: 'half an hour' },
      'No answer for 30 minutes. A person should ask the payment service.',
    ],
    [
      'a day without an end',
      { state: 'pending', flag: 'needs a person', overdue: 'a day' },
      'No answer for a day. A person should ask the payment service. Do not ask the customer again before.',
    ],
    [
      'a contradiction',
      { state: 'failed', flag: 'conflict', reason: 'The payment service now says completed.' },
      'The payment service now says completed. A person should ask the payment service. Do not ask the customer again before.',
    ],
  ])('of %s', (_what, changes, words) => {
    expect(textOf(changes).split(' | ')).toContain(words);
  });

  it('say no more that it is checked once that is over', () => {
    const given = { state: 'unknown', flag: 'needs a person', overdue: 'given up' } as const;
    expect(textOf(given)).toContain('Not clear yet: the customer may still be charged.');
    expect(textOf(given)).not.toContain('I keep checking');
  });

  it('never say after a 429 that the request did not reach the service', () => {
    for (const state of ['confirmed', 'not sent', 'unknown', 'refused'] as const)
      expect(textOf({ state, rateLimits: 2, reason: 'Ama was stopped.' })).not.toMatch(
        /never reached|not reach/,
      );
  });

  it('of a prompt name the time until which the customer can answer, and then where to find it', () => {
    const pending = { state: 'pending', submittedAtMs: noonMs + 2 * MINUTE_MS } as const;
    expect(textOf({ ...pending, lastCheckAtMs: noonMs + 3 * MINUTE_MS })).toContain(
      'The customer has about 5 minutes, until 12:07. No prompt? Dial *170#, My Wallet, My Approvals.',
    );
    const late = { ...pending, lastCheckAtMs: noonMs + 8 * MINUTE_MS };
    expect(textOf(late)).toContain(
      'The prompt is probably over. The customer can still approve it: *170#, My Wallet, My Approvals.',
    );
    const terms = { ...aPayment().terms, network: 'VOD' } as const;
    expect(textOf({ ...late, terms })).toContain('The prompt is probably over. I keep checking.');
  });

  it.each([
    ['completed', 'Paid at'],
    ['failed', 'Failed at'],
    ['refused', 'Refused at'],
    ['not sent', 'Ended at'],
  ] as const)('of a %s one name when that was: %s', (state, label) => {
    const card = paymentCard(aPayment({ state, settledAtMs: noonMs }), 'Africa/Accra');
    expect(factOf(card, label)).toContain('12:00');
  });
});
