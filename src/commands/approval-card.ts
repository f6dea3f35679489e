import { formatMoney } from '../core/money.ts';
import { buttonId, type Draft } from '../core/payments/draft.ts';
import { type Card, type CardPart, personFact } from './card.ts';
import { chargeFacts } from './charge-facts.ts';

/** What an approver is shown: what will be sent, with the customer as people other than the requester may read it. */
export const approvalCard = (draft: Draft): Card => {
  if (draft.what.kind !== 'charge') throw new Error(`draft ${draft.id} needs no approval`);
  const amount = formatMoney(draft.what.terms.amount);
  return {
    title: `${draft.requester.name} asks to charge ${amount}`,
    tone: 'warning',
    parts: [
      {
        kind: 'facts',
        facts: [personFact('Asked by', draft.requester), ...chargeFacts(draft, 'others too')],
      },
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
