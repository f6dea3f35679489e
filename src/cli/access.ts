import { platforms } from '../bots/all-platforms.ts';
import type { Directory } from '../bots/bot.ts';
import type { ChatPlatform } from '../bots/platform.ts';
import { cardToText } from '../bots/terminal/card-to-text.ts';
import { type Member, notAnId, type Role } from '../commands/access/access-file.ts';
import { counts } from '../commands/access/chat-access.ts';
import { grantsFrom } from '../commands/access/grants.ts';
import {
  type PlatformDirectory,
  type Unanswered,
  whyUnanswered,
} from '../commands/access/role-membership.ts';
import { grantFacts } from '../commands/access/whoami.ts';
import { GRANTABLE_COMMANDS, RIGHTS } from '../commands/all-commands.ts';
import { type Card, cardOf, part } from '../commands/cards/card.ts';
import type { Config } from '../config/config.ts';
import { systemClock } from '../core/runtime/clock.ts';
import { StartError } from '../core/runtime/errors.ts';
import { createLog } from '../core/runtime/log.ts';
import { formatMoney } from '../core/values/money.ts';
import { exampleIds, parsePlatformId } from '../core/values/platform.ts';
import { notRight } from '../core/values/yaml-text.ts';
import { type Explained, explainEntry, explainPerson, idText } from './access-explained.ts';
import { type GrantsShown, grantsText, isGivenStill, readChatGrants } from './chat-grants-shown.ts';
import { examineAccess, readAccess } from './doctor/access.ts';
import type { AccessFacts } from './doctor/examined.ts';
import { Findings, type Trouble } from './doctor/report.ts';
import { exampleText, type Printed, type ShellCommand } from './shell-command.ts';

const [PERSON = ''] = exampleIds(platforms, 'person');
const [PLACE = ''] = exampleIds(platforms, 'place');

/** `paythread access check …`: beside a Paythread that runs, or without one. */
export const access: ShellCommand = (command, run) => {
  command
    .description('Reads the access file as the chats do. It posts nothing and changes nothing.')
    .helpCommand(false)
    .addHelpText('after', exampleText('access check', `access check ${PERSON}`));
  command
    .command('check')
    .summary('checks the access file, or shows what an id may do, and why')
    .description(
      'Without an id: checks the access file and lists its roles. With an id: shows what it may do, and why; it exits with 1 when that is nothing.',
    )
    .argument('[id]', `a person, channel or user group, such as ${PERSON}`)
    .option('--in <conversation>', 'shows what a person may do in this conversation')
    .addHelpText('after', exampleText('access check', `access check ${PERSON} --in ${PLACE}`))
    .action((id: string | undefined, options: { in?: string }) =>
      run(({ config }) => check(config(), id, options.in)),
    );
};

const check = async (
  config: Config,
  id: string | undefined,
  place: string | undefined,
): Promise<Printed> => {
  const rules = await readAccess(config);
  if (rules.problems.length > 0) throw notRight(`access file ${config.accessFile}`, rules.problems);
  const given = await readChatGrants(config);
  return id === undefined
    ? overview(config, rules, given)
    : explain(config, rules, { id, place, given });
};

/** 0 also with warnings: what they name is allowed. */
const overview = (config: Config, rules: AccessFacts, given: GrantsShown): Printed => {
  if (rules.isMissing) return withoutFile(config);
  const findings = new Findings('Access');
  examineAccess({ config, access: rules, findings });
  const warnings = [...findings.findings, ...secondLooks(rules.roles)];
  const title = `${config.accessFile} is right. ${rules.roles.length === 1 ? 'One role' : `${rules.roles.length} roles`}.`;
  const roles = rules.roles.map((role) => cardToText(roleCard(role)));
  const inChat = grantsText(given, rules.roles, config.timeZone);
  const worries = warnings.map(({ what, remedy }) => `! ${what}\n  ${remedy}`);
  return {
    text: [title, ...roles, ...(inChat === undefined ? [] : [inChat]), ...worries].join('\n\n'),
  };
};

type Asked = {
  readonly id: string;
  readonly place: string | undefined;
  readonly given: GrantsShown;
};

/** 0: something is granted; 1: nothing is. */
const explain = async (
  config: Config,
  { roles, isMissing }: AccessFacts,
  asked: Asked,
): Promise<Printed> => {
  const who = parsePlatformId(platforms, asked.id);
  if (who === undefined) return { text: notAnId(platforms, asked.id.slice(0, 100)), exitCode: 1 };
  if (isMissing) return withoutFile(config, who.platform);
  const { card, mayAnything } = await explanation(config, roles, who, asked);
  const silence = grantsText({ ...asked.given, grants: [] }, [], config.timeZone);
  const text = [cardToText(card), ...(silence === undefined ? [] : [silence])].join('\n\n');
  return { text, exitCode: mayAnything ? 0 : 1 };
};

const explanation = (
  config: Config,
  roles: readonly Role[],
  who: Member,
  { place, given }: Asked,
): Explained | Promise<Explained> => {
  if (who.kind !== 'person') return explainEntry(roles, who);
  const { platform, id } = who;
  const channel = place === undefined ? id : placeOf(place, who).id;
  const caller = { platform, id, name: '', conversation: { platform, channel } };
  const theirs = given.grants.filter(
    (grant) =>
      grant.to.platform === platform &&
      grant.to.id === id &&
      given.isSealed(grant) &&
      isGivenStill(roles, grant, given.stopped) &&
      counts(grant, caller, platforms),
  );
  return explainPerson(roles, caller, directoryFor(config, who), theirs);
};

/** With its platform in front or without, as the platform itself writes it. */
const placeOf = (text: string, { platform }: Member): Member => {
  const found = parsePlatformId(platforms, text.includes(':') ? text : `${platform}:${text}`);
  if (found?.platform === platform && found.kind !== 'group') return found;
  throw new StartError(
    `"${text.slice(0, 100)}" is no conversation on ${platform}. They look like ${exampleIds(platforms, 'place').join(' or ')}.`,
  );
};

/** The platform is asked only when an entry makes it necessary. */
const directoryFor = (config: Config, { platform: name, id }: Member) => {
  const platform: ChatPlatform | undefined = platforms.find((each) => each.name === name);
  let silence = `${platform?.token} is not set, so ${platform?.title} cannot be asked.`;
  const told = async (
    ask: (directory: Directory) => Promise<boolean>,
  ): Promise<boolean | Unanswered> => {
    if (platform?.directory === undefined) return false;
    const chat = config.chats.find((each) => each.platform.name === name);
    if (chat === undefined) return 'not known';
    try {
      const log = createLog({ level: 'silent', secrets: config.secrets });
      return await ask(await platform.directory(chat.settings, { clock: systemClock, log }));
    } catch (error) {
      silence = `${error instanceof Error ? error.message : `${platform.title} does not say`}.`;
      return whyUnanswered(error);
    }
  };
  return {
    isInGroup: (group: Member) => told(async (asked) => (await asked.membersOf(group.id)).has(id)),
    isGuest: () => told((asked) => asked.isGuest(id)),
    silence: () => silence,
  } satisfies PlatformDirectory & { silence: () => string };
};

/** 0 for a person of a local platform, who may do everything then. */
const withoutFile = ({ accessFile }: Config, platform?: string): Printed => ({
  text: `There is no access file at ${accessFile}: the terminal chat may do everything, and other chats only /help and /whoami.`,
  exitCode: platforms.some(({ name, isLocal }) => name === platform && isLocal) ? 0 : 1,
});

const roleCard = (role: Role): Card =>
  cardOf(role.name, [
    part.facts(
      ...grantFacts(grantsFrom([role], '', RIGHTS), GRANTABLE_COMMANDS),
      ...(role.approvals.length === 0
        ? []
        : [{ label: 'Approved in', value: role.approvals.map(idText).join(', ') }]),
      { label: 'Members', value: role.members.map(memberText).join(', ') || 'no one' },
    ),
  ]);

const memberText = (member: Member): string =>
  `${idText(member)}${{ person: '', place: ' (everyone who types there)', group: ' (user group)' }[member.kind]}`;

/** Grants that are valid and often not meant. */
const secondLooks = (roles: readonly Role[]): Trouble[] =>
  roles.flatMap((role) => [...openTills(role), ...unapproved(role, roles), ...twice(role)]);

const openTills = ({ name, commands, members, maxCharge, approve }: Role): Trouble[] => {
  const may = (command: string) => commands === '*' || commands.has(command);
  const deeds = [
    ...(may('charge') ? [`charge${maxCharge === undefined ? ', without a limit' : ''}`] : []),
    ...(may('export') ? ['export payments'] : []),
    ...(approve ? ['approve charges'] : []),
  ];
  return members
    .filter(({ kind }) => kind === 'place')
    .flatMap((place) =>
      deeds.map((deed) => ({
        what: `Everybody who can type in ${idText(place)} may ${deed}, as ${name}.`,
        remedy: 'Keep that only where every member may. Otherwise name the people.',
      })),
    );
};

/** Limits whose only approver on the platform is the requester, or none. */
const unapproved = ({ name, maxCharge, members }: Role, roles: readonly Role[]): Trouble[] => {
  if (maxCharge === undefined) return [];
  const approvers = roles.filter(({ approve }) => approve).flatMap((role) => role.members);
  return [...new Set(members.map(({ platform }) => platform))].flatMap((platform) => {
    const isHere = (each: Member) => each.platform === platform;
    const canBeAsked = (each: Member) =>
      isHere(each) &&
      members.filter(isHere).some((asking) => asking.kind !== 'person' || asking.id !== each.id);
    if (approvers.length === 0 || approvers.some(canBeAsked)) return [];
    return {
      what: `On ${platform} no one else can approve what ${name} charges above ${formatMoney(maxCharge)}.`,
      remedy: `Give another person on ${platform} a role with approve: true. Otherwise such charges are refused.`,
    };
  });
};

const twice = ({ name, members }: Role): Trouble[] => {
  const ids = members.map(idText);
  return [...new Set(ids.filter((id, index) => ids.indexOf(id) !== index))].map((id) => ({
    what: `${id} is named twice as ${name}.`,
    remedy: 'Take one of them out. A later removal may miss the other.',
  }));
};
