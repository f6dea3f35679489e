import type { PagePerson } from './page-state.ts';

/** A person to be on the practice page. The id decides what they may do. */
export type PracticePerson = PagePerson;

export const PEOPLE: readonly PracticePerson[] = [
  {
    id: 'ama',
    name: 'Ama',
    role: 'clerk',
    may: 'charges customers; above 200 an approver has to press as well',
  },
  { id: 'kofi', name: 'Kofi', role: 'approver', may: 'approves charges and looks at payments' },
  { id: 'esi', name: 'Esi', role: 'owner', may: 'may do everything' },
];

/** The access file of a visit. Limits are in the default currency. */
export const PRACTICE_RULES = `
roles:
  clerk:
    commands: [charge, lookup, status, sms, payments]
    maxCharge: 200
  approver:
    commands: [balance, lookup, status, payments, audit]
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
