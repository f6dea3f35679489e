import type { ChargeDraft } from '../../core/records/draft.ts';
import type { ChargeTerms } from '../../core/records/payment.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import { maskNumber, showNumber } from '../../core/values/customer-number.ts';
import { formatMoney } from '../../core/values/money.ts';
import { networkLabel } from '../../core/values/network.ts';
import type { Fact } from '../cards/card.ts';
import { type Audience, nameFor } from '../cards/visibility.ts';

/**
 * The terms of a charge, as its confirmation and its approval name them. The requester typed the number and
 * has to compare it, so the confirmation shows it in full.
 */
export const chargeFacts = ({ terms }: ChargeDraft, audience: Audience): Fact[] => [
  {
    label: 'Customer',
    value:
      terms.customerName === undefined
        ? 'Name not found: check with the customer'
        : nameFor(audience, terms.customerName),
  },
  {
    label: 'Number',
    value: (audience === 'one person' ? showNumber : maskNumber)(terms.customerNumber),
  },
  paidByFact(terms),
  { label: 'Amount', value: formatMoney(terms.amount) },
  { label: 'Reference', value: terms.reference },
];

/** How the customer pays, with the network that is sent: `MTN MoMo`, `Visa card`, `Checkout link, MTN MoMo`. */
export const paidByFact = (terms: Pick<ChargeTerms, 'option' | 'network'>): Fact => ({
  label: 'Paid by',
  value: paidBy(terms),
});

const paidBy = ({ option, network }: Pick<ChargeTerms, 'option' | 'network'>): string => {
  const label = networkLabel(network);
  switch (option) {
    case 'MOM':
      return label;
    case 'CRD':
      return label.endsWith('card') ? label : `${label} card`;
    case 'CRM':
      return `Checkout link, ${label}`;
    default:
      return assertNever(option);
  }
};
