import type { ChargeTerms } from '../../core/records/payment.ts';
import { assertNever } from '../../core/runtime/errors.ts';
import { maskNumber, showNumber } from '../../core/values/customer-number.ts';
import { formatMoney } from '../../core/values/money.ts';
import { networkLabel } from '../../core/values/network.ts';
import type { Fact } from './card.ts';
import { type Audience, nameFor } from './visibility.ts';

/**
 * The terms of a charge, as its question and its approval name them. The requester typed the number and has to
 * compare it, so the question to one person shows it in full.
 */
export const chargeFacts = (terms: ChargeTerms, audience: Audience): Fact[] => [
  ...payerFacts(terms, audience, audience === 'one person' ? showNumber : maskNumber),
  { label: 'Amount', value: formatMoney(terms.amount) },
  { label: 'Reference', value: terms.reference },
];

/** Who pays, and how. */
export const payerFacts = (
  terms: ChargeTerms,
  audience: Audience,
  numberText: (e164: string) => string = maskNumber,
): Fact[] => [
  {
    label: 'Customer',
    value:
      terms.customerName === undefined
        ? 'Name not found: check with the customer'
        : nameFor(audience, terms.customerName),
  },
  { label: 'Number', value: numberText(terms.customerNumber) },
  { label: 'Paid by', value: paidBy(terms) },
];

/** With the network that is sent: `MTN MoMo`, `Visa card`, `Checkout link, MTN MoMo`. */
const paidBy = ({ option, network }: ChargeTerms): string => {
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
