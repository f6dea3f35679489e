import { personOf } from '../../core/values/conversation.ts';
import type { Card } from '../cards/card.ts';
import { spendQuestion } from '../cards/service-words.ts';
import type { Context, Services } from '../command.ts';

/**
 * Counts a search by a whole number for a person who sees numbers shortened, and records it in the audit trail: many of
 * them find the digits that are left out. Returns what to say instead when the person has none left.
 */
export const spendNumberSearch = async (
  services: Pick<Services, 'questions' | 'clock' | 'settings' | 'store'>,
  { caller, grants }: Context,
): Promise<Card | undefined> => {
  if (grants.reveal) return undefined;
  const spent = spendQuestion(services, caller);
  if (spent !== undefined) return spent;
  // The number itself is not recorded: it would have to be forgotten with its customer.
  await services.store.commit({
    audit: [
      {
        atMs: services.clock.now(),
        kind: 'setting',
        id: `number-searches.${caller.platform}:${caller.id}`,
        what: 'searched',
        before: null,
        after: null,
        who: personOf(caller),
        where: caller.conversation,
      },
    ],
  });
  return undefined;
};
