import { showNumber } from '../core/customer-number.ts';
import { formatMoney } from '../core/money.ts';
import { networkLabel } from '../core/network.ts';
import { buttonId, type Draft } from '../core/payments/draft.ts';
import { type Card, type CardPart, type Fact, personFact } from './card.ts';

/** What an approver is shown: exactly what will be sent. */
export const approvalCard = (draft: Draft): Card => {
  if (draft.what.kind !== 'charge') throw new Error(`draft ${draft.id} needs no approval`);
  const amount = formatMoney(draft.what.terms.amount);
  return {
    title: `${draft.requester.name} asks to charge ${amount}`,
    tone: 'warning',
    parts: [
      { kind: 'facts', facts: [personFact('Asked by', draft.requester), ...chargeFacts(draft)] },
      ...draft.what.warnings.map((text): CardPart => ({ kind: 'warning', text })),
      {
        kind: 'text',
        text: 'It is above their limit, so somebody who may approve has to confirm it as well.',
      },
    ],
    buttons: [
      {
        kind: 'press',
        label: `Approve ${amount}`,
        verb: 'approve',
        id: buttonId(draft),
        style: 'primary',
      },
      { kind: 'press', label: 'Refuse', verb: 'refuse', id: buttonId(draft), style: 'danger' },
    ],
  };
};

/** The terms of a charge, as a confirmation names them. */
export const chargeFacts = (draft: Draft): Fact[] => {
  if (draft.what.kind !== 'charge') return [];
  const { terms } = draft.what;
  return [
    { label: 'Customer', value: terms.customerName ?? 'name not confirmed' },
    { label: 'Number', value: showNumber(terms.customerNumber) },
    { label: 'Network', value: networkLabel(terms.network) },
    { label: 'Amount', value: formatMoney(terms.amount) },
    { label: 'Reference', value: terms.reference },
  ];
};
