import type { Card } from '../cards/card.ts';
import { spendQuestion } from '../cards/service-words.ts';
import { type Context, rowBy, type Services } from '../command.ts';

/**
 * Counts a search by a whole number for a person who sees numbers shortened, and records it in the audit trail: many of
 * them find the digits that are left out. Returns what to say instead when the person has none left.
 */
export const spendNumberSearch = async (
  services: Pick<Services, 'questionBudget' | 'clock' | 'settings' | 'store'>,
  { caller, grants }: Context,
): Promise<Card | undefined> => {
  if (grants.reveal) return undefined;
  const spent = spendQuestion(services, caller);
  if (spent !== undefined) return spent;
  // The number itself is not recorded: it would have to be forgotten with its customer.
  const id = `number-searches.${caller.platform}:${caller.id}`;
  const search = { kind: 'setting', id, what: 'searched' } as const;
  await services.store.commit({ audit: [rowBy(caller, services, search)] });
  return undefined;
};
