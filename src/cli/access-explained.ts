import type { Member, Role } from '../commands/access/access-file.ts';
import { type Grants, grantsFrom, isGivable } from '../commands/access/grants.ts';
import {
  type Membership,
  membershipOf,
  type PlatformDirectory,
} from '../commands/access/role-membership.ts';
import { grantFacts, rolesText } from '../commands/access/whoami.ts';
import { GRANTABLE_COMMANDS, RIGHTS } from '../commands/all-commands.ts';
import { type Card, cardOf, part } from '../commands/cards/card.ts';
import type { Caller } from '../commands/inbound.ts';
import type { ChatGrant } from '../core/records/access-grants.ts';
import { assertNever } from '../core/runtime/errors.ts';

/** As the access file writes it. */
export const idText = ({ platform, id }: Pick<Member, 'platform' | 'id'>): string =>
  `${platform}:${id}`;

/** What a person, or the members of an entry, may do and why; `mayAnything`: something is granted. */
export type Explained = { readonly card: Card; readonly mayAnything: boolean };

/** A person where they type; decided by the same function that decides it in the chat. `given`: what counts there of the roles given in the chat. */
export const explainPerson = async (
  roles: readonly Role[],
  caller: Caller,
  platform: PlatformDirectory & { readonly silence: () => string },
  given: readonly ChatGrant[],
): Promise<Explained> => {
  const memberships = await Promise.all(roles.map((role) => membershipOf(role, caller, platform)));
  const inChat = (role: Role) =>
    isGivable(role) ? given.find((grant) => grant.role === role.name) : undefined;
  const held = roles.filter(
    (role, index) => memberships[index]?.kind === 'held' || inChat(role) !== undefined,
  );
  const grants = grantsFrom(held, caller.platform, RIGHTS);
  const reasons = roles.map((role, index) => {
    const membership = memberships[index] ?? { kind: 'not held' };
    const grant = inChat(role);
    return grant === undefined || membership.kind === 'held'
      ? reason(role, membership, { caller, silence: platform.silence() })
      : `${role.name}: yes, given in the chat by ${grant.by.name}`;
  });
  const { channel } = caller.conversation;
  const where = channel === caller.id ? 'alone with the bot' : `in ${caller.platform}:${channel}`;
  return explained(`${idText(caller)}, ${where}`, grants, reasons);
};

export const explainEntry = (roles: readonly Role[], entry: Member): Explained => {
  const names = (role: Role) =>
    role.members.some((member) => idText(member) === idText(entry) && member.kind === entry.kind);
  const reasons = roles.map((role) =>
    names(role) ? `${role.name}: yes, named under members` : `${role.name}: no`,
  );
  const who =
    entry.kind === 'group'
      ? `Members of the user group ${idText(entry)}`
      : `Everyone who types in ${idText(entry)}`;
  const guests = 'Guests are granted nothing by a channel or a user group.';
  return explained(who, grantsFrom(roles.filter(names), entry.platform, RIGHTS), reasons, guests);
};

const explained = (
  title: string,
  grants: Grants,
  reasons: readonly string[],
  note?: string,
): Explained => ({
  card: cardOf(title, [
    part.facts(
      { label: 'Roles', value: rolesText(grants) },
      ...grantFacts(grants, GRANTABLE_COMMANDS),
    ),
    part.text(reasons.length === 0 ? 'There are no roles.' : 'Why, role by role:'),
    part.list(reasons),
    note === undefined ? undefined : part.note(note),
  ]),
  mayAnything: grants.roles.length > 0,
});

const reason = (
  { name, members }: Role,
  membership: Membership,
  { caller, silence }: { caller: Caller; silence: string },
): string => {
  switch (membership.kind) {
    case 'held':
      return `${name}: yes, ${throughText(membership.by)}`;
    case 'withheld':
      return membership.why === 'guest'
        ? `${name}: no. ${idText(membership.by)} has it, but only for full members of the workspace, and this is a guest`
        : `${name}: not known, so no. ${idText(membership.by)} has it. ${silence}`;
    case 'not held': {
      // Where they might type instead.
      const places = members
        .filter(({ kind, platform }) => kind === 'place' && platform === caller.platform)
        .map(idText);
      return places.length === 0
        ? `${name}: no`
        : `${name}: no, that is for what is typed in ${places.join(', ')}`;
    }
    default:
      return assertNever(membership);
  }
};

const throughText = (by: Member): string =>
  ({
    person: 'named under members',
    place: `like everyone who types in ${idText(by)}`,
    group: `as a member of the user group ${idText(by)}`,
  })[by.kind];
