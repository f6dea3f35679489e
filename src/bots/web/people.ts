import type { PagePerson } from './page-state.ts';

/** The people to be on the practice page. The id decides what they may do. */
export const PEOPLE = {
  ama: {
    id: 'ama',
    name: 'Ama',
    role: 'clerk',
    may: 'charges customers; above an amount of 200 an approver must approve',
  },
  kofi: {
    id: 'kofi',
    name: 'Kofi',
    role: 'approver',
    may: 'approves charges and looks at payments',
  },
  esi: { id: 'esi', name: 'Esi', role: 'owner', may: 'may do everything' },
} as const satisfies Readonly<Record<string, PagePerson>>;

export const personNamed = (id: string): PagePerson | undefined =>
  Object.values(PEOPLE).find((person) => person.id === id);

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
