import { describe, expect, it } from 'vitest';
import { outcomeCard, paymentCard } from '../../src/commands/payment-card.ts';
import type { Payment } from '../../src/core/payments/payment.ts';
import { aPayment } from '../support/a-payment.ts';

const GLUED = '02441234560244123456';

describe('the customer’s number', () => {
  it.each<Partial<Payment>>([
    { state: 'failed', reason: `The service reported the payment as failed: code ${GLUED}.` },
    { state: 'unknown', reason: `An answer nobody knows (code ${GLUED}).` },
    { state: 'refused', answer: { code: '100', message: `GHS 50.00${GLUED}` } },
    { state: 'completed', flag: 'conflict', reason: `The service now says ${GLUED}.` },
  ])('is not shown in full, whatever stands around it: %o', (changes) => {
    const payment = aPayment(changes);
    for (const card of [paymentCard(payment, 'Africa/Accra'), outcomeCard(payment, 'Africa/Accra')])
      expect(JSON.stringify(card)).not.toContain('244123456');
  });
});
