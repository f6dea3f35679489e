import { z } from 'zod';
import { type Examination, jsonOf, type Reply } from '../platform.ts';
import type { SlackSettings } from './settings.ts';

/** What the app is installed with, as manifest.yml has it. */
export const BOT_SCOPES = [
  ...['commands', 'app_mentions:read', 'im:history', 'chat:write', 'im:write'],
  ...['channels:history', 'groups:history', 'mpim:history', 'usergroups:read', 'users:read'],
] as const;

const answer = z.looseObject({ ok: z.boolean(), error: z.string().optional() });
type Answer = z.output<typeof answer>;

/** The tokens, the scopes behind them, and the user groups that the access file names. Posts nothing. */
export const examineSlack = async (
  { botToken, apiUrl, transport }: SlackSettings,
  findings: Examination,
): Promise<void> => {
  const call = (method: string, token: string, args: Record<string, string> = {}) =>
    findings.ask(`${apiUrl}${method}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}` },
      body: new URLSearchParams(args),
    });
  const signedIn = await call('auth.test', botToken);
  const who = read(signedIn, findings);
  if (who?.ok === false) refuseBotToken(who, findings);
  if (who?.ok === true) {
    const granted = scopesOf(signedIn);
    if (granted === undefined) findings.note('Slack does not tell which scopes the token has.');
    else examineScopes(granted, findings);
    const user = String(who.user_id ?? '');
    const asked = read(await call('users.info', botToken, { user }), findings);
    if (granted?.has(PEOPLE) === false || asked?.error === 'missing_scope') tellOfGuests(findings);
    findings.note(
      `Signed in to the workspace ${String(who.team ?? who.team_id ?? 'without a name')}.`,
    );
    const groups = findings.named.filter(({ kind }) => kind === 'group').map(({ id }) => id);
    for (const usergroup of new Set(groups)) {
      const said = read(await call('usergroups.users.list', botToken, { usergroup }), findings);
      examineGroup(usergroup, said, findings);
    }
  }
  if (transport.kind === 'socket') {
    const opened = await call('apps.connections.open', transport.appToken);
    examineAppToken(read(opened, findings), findings);
  } else
    findings.note('Whether SLACK_SIGNING_SECRET is right shows with the first command in Slack.');
};

/** Undefined: no usable answer, which is noted as a finding once. */
const read = (reply: Reply, findings: Examination): Answer | undefined => {
  const said = reply.kind === 'answered' ? answer.safeParse(jsonOf(reply.text)) : undefined;
  if (said?.success === true) return said.data;
  const why = reply.kind === 'silent' ? reply.why : `it answers with ${reply.status}`;
  findings.wrong(
    `Slack gave no usable answer: ${why}.`,
    'Check SLACK_API_URL, and whether this machine may connect to it.',
  );
  return undefined;
};

const refuseBotToken = ({ error }: Answer, findings: Examination): void =>
  findings.wrong(
    `Slack refuses SLACK_BOT_TOKEN (${error ?? 'without a reason'}).`,
    'Install the app, and copy its Bot User OAuth Token (xoxb-) under OAuth & Permissions.',
  );

/** Undefined when Slack does not list them. */
const scopesOf = (reply: Reply): ReadonlySet<string> | undefined => {
  const header = reply.kind === 'answered' ? reply.headers.get('x-oauth-scopes') : null;
  return header === null ? undefined : new Set(header.split(',').map((scope) => scope.trim()));
};

/** Lets the app see who is a guest, and people's names. */
const PEOPLE = 'users:read';

const tellOfGuests = (findings: Examination): void =>
  findings.wrong(
    `Without the scope ${PEOPLE} guests look like members, so a channel or a user group gives access to no one.`,
    'Add the scope under OAuth & Permissions and install the app again, or name each person in the access file.',
  );

const examineScopes = (granted: ReadonlySet<string>, findings: Examination): void => {
  const missing = BOT_SCOPES.filter((scope) => !granted.has(scope));
  if (missing.length > 0)
    findings.wrong(
      `SLACK_BOT_TOKEN lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}.`,
      'Paste manifest.yml under App Manifest, and install the app again under Install App.',
    );
};

const examineGroup = (group: string, said: Answer | undefined, findings: Examination): void => {
  if (said?.ok !== false) return;
  findings.wrong(
    `Slack does not tell who is in the user group ${group} (${said.error ?? 'without a reason'}), so nobody is granted what it may do.`,
    'Correct the id in the access file, or take it out.',
  );
};

const examineAppToken = (said: Answer | undefined, findings: Examination): void => {
  if (said === undefined) return;
  if (said.ok) findings.note('Socket Mode can be opened.');
  else
    findings.wrong(
      `Slack refuses SLACK_APP_TOKEN (${said.error ?? 'without a reason'}).`,
      'Make an app-level token (xapp-) with the scope connections:write under Basic Information, and see that Socket Mode is on.',
    );
};
