import type { ChargeDraft } from '../records/draft.ts';
import type { Put } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import type { Person } from '../values/conversation.ts';
import { shortIdFrom } from '../values/transaction-id.ts';

/** Longer than anything that is counted looks back: a day of any time zone. */
const KEEP_MS = 48 * 3_600_000;

type Needs = { readonly store: Store; readonly clock: Clock };

/**
 * A record that everything changes which counts against the same limit or the same person. Read before the
 * limit is looked up and stored with what counts against it, it lets that through only if nothing else came
 * in between, on any instance.
 */
export const limitGuard = async (
  { store, clock }: Needs,
  about: string,
  value: string,
): Promise<Extract<Put, { kind: 'setting' }>> => {
  const id = guardId(about);
  const before = await store.get('setting', id);
  return {
    kind: 'setting',
    record: {
      id,
      version: (before?.version ?? 0) + 1,
      due: { queue: 'tidy', atMs: clock.now() + KEEP_MS },
      value,
    },
  };
};

/** Not the number or the person itself: nobody shall read them here. */
const guardId = (about: string): string => `charged:${shortIdFrom(about)}`;

const aboutCustomer = (number: string): string => `customer:${number}`;

/** All numbers can be tried, so it tells the number to whoever wants to know, and goes when that is forgotten. */
export const customerGuardId = (number: string): string => guardId(aboutCustomer(number));

/**
 * The guards of a charge: of its customer, its requester, the person who presses (an approver may be another
 * one), and the roles whose totals it may count against.
 */
export const chargeLimitGuards = async (
  needs: Needs,
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
