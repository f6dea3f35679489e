import { stat } from 'node:fs/promises';
import { platforms } from '../../bots/all-platforms.ts';
import { type Role, readAccessFile } from '../../commands/access/access-file.ts';
import { RIGHTS } from '../../commands/all-commands.ts';
import { counted } from '../../commands/bulk/file-facts.ts';
import type { Config } from '../../config/config.ts';
import { NO_RULES } from '../../core/records/notify-rules.ts';
import { readFileText } from '../../core/runtime/poll-file.ts';
import type { AccessFacts, Examined } from './examined.ts';

/** Never rejects. */
export const readAccess = async ({
  accessFile,
  currency,
}: Pick<Config, 'accessFile' | 'currency'>): Promise<AccessFacts> => {
  const found = await readFileText(accessFile);
  const nothing = { ...NO_RULES, roles: [], problems: [], isMissing: false, isOpen: false };
  if (found.kind === 'missing') return { ...nothing, isMissing: true };
  if (found.kind === 'unreadable')
    return { ...nothing, problems: [`it cannot be read (${found.code})`] };
  const read = readAccessFile(found.text, { currency, platforms, rights: RIGHTS });
  if (!read.ok) return { ...nothing, problems: read.problems };
  const { mode } = await stat(accessFile);
  return { ...nothing, ...read, isOpen: (mode & 0o022) !== 0 };
};

export const examineAccess = ({
  config,
  access,
  findings,
}: Pick<Examined, 'config' | 'access' | 'findings'>): void => {
  const { roles } = access;
  const isLocal = config.chats.every(({ platform }) => platform.isLocal);
  for (const problem of access.problems)
    findings.wrong(
      `The access file ${config.accessFile}: ${problem}`,
      'Correct that line; access.example.yml shows how it looks.',
    );
  if (access.isMissing && !isLocal)
    findings.wrong(
      `There is no access file at ${config.accessFile}, so no one in a chat may do anything.`,
      'Copy access.example.yml there and put in the ids that /whoami shows, or set ACCESS_FILE.',
    );
  if (access.isOpen)
    findings.wrong(
      `Others on this machine may change ${config.accessFile}.`,
      `Take that away with: chmod go-w ${config.accessFile}`,
    );
  examineRoles(roles, findings);
  const members = roles.flatMap((role) => role.members);
  for (const { name, token } of unconfigured(config, members))
    findings.wrong(
      `The access file names people on ${name}, which is not configured.`,
      `Set the ${token}, or take these members out.`,
    );
  const told = access.notify.map(({ place }) => place);
  for (const { name, token } of unconfigured(config, told))
    findings.wrong(
      `The access file has ${name} under notify, which is not configured.`,
      `Set the ${token}, or take these lines out.`,
    );
  if (config.operators.length > 0 && roles.length > 0 && !roles.some(({ admin }) => admin))
    findings.note('No role has "admin: true", so a request for access cannot be answered.');
  findings.note(
    access.isMissing && isLocal
      ? 'No access file: the terminal chat may do everything.'
      : `${counted(roles.length, 'role')} with ${counted(members.length, 'member')}.`,
  );
};

const examineRoles = (roles: readonly Role[], findings: Examined['findings']): void => {
  for (const { name, members } of roles)
    if (members.length === 0)
      findings.wrong(
        `No one has the role ${name}.`,
        `Put a person under members, ${name}, or take the role out.`,
      );
  for (const { name, commands, approve } of roles)
    if (commands !== '*' && commands.size === 0 && !approve)
      findings.wrong(
        `The role ${name} grants nothing.`,
        `Put commands into the role ${name}, or take it out.`,
      );
  const isLimited = roles.some(({ maxCharge }) => maxCharge !== undefined);
  const canApprove = roles.some(({ approve, members }) => approve && members.length > 0);
  if (isLimited && !canApprove)
    findings.wrong(
      'There is a maxCharge, and no one may approve what is above it.',
      'Give "approve: true" to a role that has members.',
    );
};

/** Platforms that the access file names and the settings do not. */
const unconfigured = ({ chats }: Config, ids: readonly { readonly platform: string }[]) => {
  const named = new Set(ids.map(({ platform }) => platform));
  return platforms.filter(
    ({ name, token }) =>
      token !== undefined &&
      named.has(name) &&
      !chats.some(({ platform }) => platform.name === name),
  );
};
