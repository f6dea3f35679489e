import type { ChatGrants } from '../../core/guards/chat-grants.ts';
import type { ChatGrant } from '../../core/records/access-grants.ts';
import { placeKey } from '../../core/records/notify-rules.ts';
import type { Platforms } from '../../core/values/platform.ts';
import { audienceAround } from '../cards/visibility.ts';
import type { Caller } from '../inbound.ts';
import type { Access } from './access.ts';

/** The grants of the access file, with the roles that administrators gave in the chat. Rejects when the store cannot be read, so nothing is granted. */
export const withChatGrants = (
  access: Pick<Access, 'grantsOf'>,
  chatGrants: Pick<ChatGrants, 'of'>,
  platforms: Platforms,
): Pick<Access, 'grantsOf'> => ({
  grantsOf: async (caller) => {
    const given = (await chatGrants.of(caller)).filter((grant) => counts(grant, caller, platforms));
    return access.grantsOf(
      caller,
      given.map(({ role }) => role),
    );
  },
});

/**
 * A grant counts where it was asked for, because that is what the administrator saw, and in the person's private
 * chat, where no one else reads the answers.
 */
export const counts = ({ where }: ChatGrant, caller: Caller, platforms: Platforms): boolean =>
  where?.channel === caller.conversation.channel ||
  audienceAround(caller, platforms) === 'one person';

/** `Esi: sales, in slack:C0SALES and in private, by Adwoa, today 14:02, /charge` */
export const grantText = ({ to, role, by, why, where }: ChatGrant, at: string): string => {
  const place = where === undefined ? 'in private' : `in ${placeKey(where)} and in private`;
  return `${to.name}: ${role}, ${place}, by ${by.name}, ${at}, ${why}`;
};

/** Why a grant gives nothing; undefined: it counts. `roles`: those of the access file. */
export const whyVoid = (
  { role }: ChatGrant,
  { roles, isSealed }: { readonly roles: readonly string[]; readonly isSealed: boolean },
): string | undefined => {
  if (!roles.includes(role)) return 'It counts no more: the role is gone';
  return isSealed ? undefined : 'It does not count: it was changed';
};
