import type { ChatGrants } from '../../core/guards/chat-grants.ts';
import type { ChatGrant } from '../../core/records/access-grants.ts';
import { placeKey } from '../../core/records/notify-rules.ts';
import type { Platforms } from '../../core/values/platform.ts';
import { type Button, pressButton } from '../cards/card.ts';
import { isAlone } from '../cards/visibility.ts';
import type { Services } from '../command.ts';
import type { Caller } from '../inbound.ts';
import type { Access } from './access.ts';

/** The grants of the access file, with the roles that administrators gave in the chat. Rejects when the store cannot be read, so nothing is granted. */
export const withChatGrants = (
  access: Pick<Access, 'grantsOf'>,
  chatGrants: Pick<ChatGrants, 'of'>,
  { platforms, suspensions }: Pick<Services, 'platforms' | 'suspensions'>,
): Pick<Access, 'grantsOf'> => ({
  grantsOf: async (caller) => {
    const given = (await chatGrants.of(caller)).filter((grant) => counts(grant, caller, platforms));
    const needs = { access, suspensions };
    const mayGive = await Promise.all(given.map((grant) => canGive(needs, grant)));
    const roles = given.filter((_, at) => mayGive[at]).map(({ role }) => role);
    return access.grantsOf(caller, roles);
  },
});

/** Whether the giver of a role may give it now, where they gave it: as the file says, and not while they are stopped. */
export const canGive = async (
  { access, suspensions }: Pick<Services, 'access' | 'suspensions'>,
  { by, givenIn = { platform: by.platform, channel: by.id } }: ChatGrant,
): Promise<boolean> => {
  const [{ admin }, suspended] = await Promise.all([
    access.grantsOf({ ...by, conversation: givenIn }),
    suspensions.find(`${by.platform}:${by.id}`),
  ]);
  return admin && suspended === undefined;
};

/** Where it was asked for, which the administrator saw, and in the person's private chat, which no one else reads. */
export const counts = ({ where }: ChatGrant, caller: Caller, platforms: Platforms): boolean =>
  where?.channel === caller.conversation.channel || isAlone(caller, platforms);

/** `Esi: sales, in slack:C0SALES and in private, by Adwoa, today 14:02, /charge` */
export const grantText = ({ to, role, by, why, where }: ChatGrant, at: string): string => {
  const place = where === undefined ? 'in private' : `in ${placeKey(where)} and in private`;
  return `${to.name}: ${role}, ${place}, by ${by.name}, ${at}, ${why}`;
};

/** Why a grant gives nothing; undefined: it counts. `roles`: those of the access file. */
export const whyVoid = (
  { role, by }: ChatGrant,
  {
    roles,
    isSealed,
    isGiven,
  }: Record<'isSealed' | 'isGiven', boolean> & { roles: readonly string[] },
): string | undefined => {
  if (!isSealed) return 'Not valid: it was changed';
  if (!roles.includes(role)) return 'No longer valid: the role is gone, or only the file gives it';
  return isGiven ? undefined : `No longer valid: ${by.name} can no longer give access`;
};

export const takeBackButton = ({ id, role, to }: ChatGrant): Button =>
  pressButton(`Take back ${role}: ${to.name}`, 'take-back', id);
