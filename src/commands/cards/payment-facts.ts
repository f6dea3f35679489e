import type { Payment, PaymentState } from '../../core/records/payment.ts';
import { type Fact, idFact, personFact } from './card.ts';
import { type Audience, payerFacts, referenceFacts } from './visibility.ts';

const ENDED: Partial<Record<PaymentState, string>> = {
  completed: 'Paid at',
  failed: 'Failed at',
  refused: 'Refused at',
};

/** Everything about a payment, one fact a line, with the customer as `audience` may read them. */
export const paymentFacts = (
  payment: Payment,
  audience: Audience,
  showAt: (ms: number) => string,
): Fact[] => {
  const { id, state, terms, requester, approver, confirmedAtMs, settledAtMs } = payment;
  const at = (label: string, atMs: number): Fact => ({ label, value: showAt(atMs) });
  const list = [...payerFacts(terms, audience), ...referenceFacts(terms, id)];
  list.push(personFact('Asked by', requester));
  list.push(at('Asked at', payment.askedAtMs ?? confirmedAtMs));
  if (approver !== undefined)
    list.push(personFact('Approved by', approver), at('Approved at', confirmedAtMs));
  if (settledAtMs !== undefined) list.push(at(ENDED[state] ?? 'Ended at', settledAtMs));
  return [...list, idFact('Transaction', id)];
};
