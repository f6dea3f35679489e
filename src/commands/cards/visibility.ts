import type { ChargeTerms } from '../../core/records/payment.ts';
import { maskPhones } from '../../core/runtime/masking.ts';
import type { Conversation, Person } from '../../core/values/conversation.ts';
import { maskNumber, showNumber } from '../../core/values/customer-number.ts';
import { formatMoney } from '../../core/values/money.ts';
import { networkLabel } from '../../core/values/network.ts';
import type { Platforms } from '../../core/values/platform.ts';
import type { Caller } from '../inbound.ts';
import type { Fact } from './card.ts';

/** Who can read a message: only the person it is for, or others as well. */
export type Audience = 'one person' | 'others too';

/**
 * Who reads what is shown in a conversation, for a person who typed in `typedIn`. A conversation that has the
 * person's id is theirs. A direct channel names no person, so it counts as theirs only if they typed there: the
 * direct channel of an operator looks the same. Everything else is read by others.
 */
export const audienceOf = (
  { platform, channel }: Conversation,
  { person, typedIn }: { readonly person: Person; readonly typedIn: Conversation },
  platforms: Platforms,
): Audience => {
  const isDirect = platforms.find(({ name }) => name === platform)?.directChannels?.test(channel);
  return channel === person.id || (isDirect === true && channel === typedIn.channel)
    ? 'one person'
    : 'others too';
};

export const audienceAround = ({ conversation, ...person }: Caller, platforms: Platforms) =>
  audienceOf(conversation, { person, typedIn: conversation }, platforms);

/** No one else reads what the caller is shown there. */
export const isAlone = (caller: Caller, platforms: Platforms): boolean =>
  audienceAround(caller, platforms) === 'one person';

/** `KOFI MENSAH` as others may read it: `Kofi M.` */
export const nameFor = (audience: Audience, name: string): string => {
  if (audience === 'one person') return name;
  const [first = '', ...rest] = maskPhones(name).trim().split(/\s+/);
  const [initial] = [...(rest.at(-1) ?? '')];
  return initial === undefined
    ? capitalised(first)
    : `${capitalised(first)} ${initial.toUpperCase()}.`;
};

const capitalised = (word: string): string => {
  const [first = '', ...rest] = [...word];
  return `${first.toUpperCase()}${rest.join('').toLowerCase()}`;
};

/** The payer's name, or the masked number without one. */
export const payerFor = (audience: Audience, { customerName, customerNumber }: ChargeTerms) =>
  customerName === undefined ? maskNumber(customerNumber) : nameFor(audience, customerName);

/**
 * The terms of a charge, as its question and its approval name them. The requester typed the number and has to
 * compare it, so the question to one person shows it in full.
 */
export const chargeFacts = (terms: ChargeTerms, id: string, audience: Audience): Fact[] => [
  ...payerFacts(terms, audience, audience === 'one person' ? showNumber : maskNumber),
  { label: 'Amount', value: formatMoney(terms.amount) },
  ...referenceFacts(terms, id),
  ...(terms.merchant === undefined ? [] : [{ label: 'Merchant', value: terms.merchant }]),
];

/** The reference that was typed: without one the transaction id is sent as the reference. */
export const referenceFacts = ({ reference }: ChargeTerms, id: string): Fact[] =>
  reference === id ? [] : [{ label: 'Reference', value: reference }];

export const payerFacts = (
  terms: ChargeTerms,
  audience: Audience,
  numberText: (e164: string) => string = maskNumber,
): Fact[] => [
  customerFact(terms.customerName && nameFor(audience, terms.customerName)),
  { label: 'Number', value: numberText(terms.customerNumber) },
  { label: 'Network', value: paidBy(terms) },
];

/** Whose account it is; undefined: the account lookup gave no name. */
export const customerFact = (name: string | undefined): Fact => ({
  label: 'Customer',
  value: name ?? 'Name not found: check with the customer',
});

/** With the network that is sent: `MTN MoMo`, `Visa card`, `Checkout link, MTN MoMo`. */
const paidBy = ({ option, network }: ChargeTerms): string => {
  const label = networkLabel(network);
  if (option === 'CRM') return `Checkout link, ${label}`;
  return option === 'CRD' && !label.endsWith('card') ? `${label} card` : label;
};

/** How it is paid, and the number; where there is no name, that is in the title already. */
export const lineFacts = (terms: ChargeTerms): string[] => [
  paidBy(terms),
  ...(terms.customerName === undefined ? [] : [maskNumber(terms.customerNumber)]),
];
