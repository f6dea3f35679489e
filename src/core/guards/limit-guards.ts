import type { ChargeDraft } from '../records/draft.ts';
import type { Put } from '../records/records.ts';
import { limitGuardOf } from '../records/stored-values.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import type { Person } from '../values/conversation.ts';

/** Longer than anything that is counted looks back: a day of any time zone. */
export const KEEP_COUNTED_MS = 48 * 3_600_000;

/** What a guard is made with. */
export type GuardNeeds = { readonly store: Store; readonly clock: Clock };

/**
 * The next version of the guard of one customer, person or role. Everything that counts against the same limit
 * puts it in its own commit. A caller reads it before it looks the limit up: the store refuses the commit if
 * anything else was counted in between, on any instance.
 */
export const limitGuard = async (
  { store, clock }: GuardNeeds,
  about: string,
  value: string,
): Promise<Put> => {
  const guard = limitGuardOf(about);
  const due = { queue: 'tidy', atMs: clock.now() + KEEP_COUNTED_MS } as const;
  return guard.put(value, await store.get('setting', guard.id), due);
};

const aboutCustomer = (number: string): string => `customer:${number}`;

/** A hash, but all numbers can be tried against it: forgetting a customer renames the record. */
export const customerGuardId = (number: string): string => limitGuardOf(aboutCustomer(number)).id;

/** The guard of one customer: of two charges that were looked at side by side, the second is looked at again. */
export const customerGuard = (needs: GuardNeeds, number: string, paymentId: string): Promise<Put> =>
  limitGuard(needs, aboutCustomer(number), paymentId);

/**
 * The guards of a charge: of its customer, its requester, the person who presses (an approver may be another
 * one), and the roles whose totals it may count against.
 */
export const chargeLimitGuards = async (
  needs: GuardNeeds,
  { paymentId, terms, requester }: ChargeDraft,
  { presser, roles }: { readonly presser: Person; readonly roles: readonly string[] },
): Promise<Put[]> => {
  const about = new Set([
    aboutCustomer(terms.customerNumber),
    `${requester.platform}:${requester.id}`,
    `${presser.platform}:${presser.id}`,
    ...roles.map((role) => `role:${role}`),
  ]);
  return Promise.all([...about].map((text) => limitGuard(needs, text, paymentId)));
};
