import { grantsFrom } from '../commands/access/access.ts';
import type { Member, Role } from '../commands/access/access-schema.ts';
import { grantFacts } from '../commands/access/whoami.ts';
import type { Card } from '../commands/cards/card.ts';
import { GRANTABLE } from '../commands/command-rights.ts';
import { idText } from './access-explained.ts';
import type { Finding } from './doctor/report.ts';

/** A role with what it grants and who has it. */
export const roleCard = (role: Role): Card => ({
  title: role.name,
  parts: [
    {
      kind: 'facts',
      facts: [
        ...grantFacts(grantsFrom([role], ''), GRANTABLE).filter(({ label }) => label !== 'Roles'),
        ...(role.approvals.length === 0
          ? []
          : [{ label: 'Approved in', value: role.approvals.map(idText).join(', ') }]),
        { label: 'Members', value: role.members.map(memberText).join(', ') || 'nobody' },
      ],
    },
  ],
});

const memberText = (member: Member): string =>
  `${idText(member)}${{ person: '', place: ' (everyone who types there)', group: ' (user group)' }[member.kind]}`;

/** What is allowed to stand there, and is worth a second look all the same. */
export const secondLooks = (roles: readonly Role[]): Finding[] =>
  roles.flatMap((role) => [...openTills(role), ...twice(role)]);

const openTills = ({ name, commands, members, maxCharge }: Role): Finding[] => {
  if (commands !== '*' && !commands.has('charge')) return [];
  return members
    .filter(({ kind }) => kind === 'place')
    .map((place) => ({
      what: `Everybody who can type in ${idText(place)} may charge${maxCharge === undefined ? ', without a limit' : ''}, as ${name}.`,
      remedy: 'Keep that only where every member may charge. Otherwise name the people.',
    }));
};

const twice = ({ name, members }: Role): Finding[] => {
  const ids = members.map(idText);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map((id) => ({
    what: `${id} is named twice as ${name}.`,
    remedy: 'Take one of them out. A later removal may miss the other.',
  }));
};
