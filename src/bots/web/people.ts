import type { PagePerson } from './page-state.ts';

/** The people to be on the practice page. The id decides what they may do. */
export const PEOPLE = {
  ama: {
    id: 'ama',
    name: 'Ama',
    role: 'clerk',
    may: 'charges customers; above 200 an approver has to press as well',
  },
  kofi: {
    id: 'kofi',
    name: 'Kofi',
    role: 'approver',
    may: 'approves charges and looks at payments',
  },
  esi: { id: 'esi', name: 'Esi', role: 'owner', may: 'may do everything' },
} as const satisfies Readonly<Record<string, PagePerson>>;

/** The access file of a visit. Limits are in the default currency. */
export const PRACTICE_RULES = `
roles:
  clerk:
    commands: [charge, lookup, status, sms, payments, customer]
    maxCharge: 200
  approver:
    commands: [balance, lookup, status, payments, customer, audit]
    approve: true
  owner:
    commands: "*"
    approve: true
    admin: true
    reveal: true
members:
  clerk: [web:ama]
  approver: [web:kofi]
  owner: [web:esi]
`;

/** Where requests for access and alerts go. */
export const PRACTICE_OPERATORS = { platform: 'web', channel: 'slack-look' } as const;

/** SMS texts, so that Receipt and the other buttons have something to send. */
export const PRACTICE_TEMPLATES = `
receipt:
  text: "Thank you {name}. {shop} received {amount} on {date}. Reference {reference}."
reminder:
  text: "{shop}: please approve the payment of {amount}."
link:
  text: "{shop}: pay {amount} here: {link}"
ready:
  text: "Your order is ready. {shop}"
`;
