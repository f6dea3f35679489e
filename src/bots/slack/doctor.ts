import { z } from 'zod';
import type { Examination } from '../platform.ts';
import type { SlackSettings } from './settings.ts';

/** What the app is installed with, as manifest.yml has it. */
export const BOT_SCOPES = [
  ...['commands', 'app_mentions:read', 'im:history', 'chat:write', 'im:write'],
  ...['channels:history', 'groups:history', 'mpim:history'],
  ...['channels:read', 'groups:read', 'usergroups:read', 'users:read'],
] as const;

/** Lets the app see who is a guest, and people's names. */
const PEOPLE = 'users:read';

const answer = z.looseObject({ ok: z.boolean(), error: z.string().default('without a reason') });
type Answer = z.output<typeof answer> & {
  /** As Slack lists them; undefined when it does not. */
  readonly scopes: ReadonlySet<string> | undefined;
};
/** Undefined: no usable answer, which is noted as a finding. */
type Call = (method: string, args?: Record<string, string>) => Promise<Answer | undefined>;

/** The tokens, the scopes behind them, and the user groups that the access file names. Posts nothing. */
export const examineSlack = async (
  { botToken, apiUrl, transport }: SlackSettings,
  findings: Examination,
): Promise<void> => {
  const callWith =
    (token: string): Call =>
    async (method, args = {}) => {
      const reply = await findings.ask('SLACK_API_URL', answer, `${apiUrl}${method}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}` },
        body: new URLSearchParams(args),
      });
      if (reply === undefined) return undefined;
      const scopes = reply.headers.get('x-oauth-scopes')?.split(',');
      return { ...reply.said, scopes: scopes && new Set(scopes.map((scope) => scope.trim())) };
    };
  await examineBotToken(callWith(botToken), findings);
  findings.note(
    'Slack does not tell the events and shortcuts of an app. After an update paste manifest.yml under App Manifest.',
  );
  if (transport.kind === 'socket')
    examineAppToken(await callWith(transport.appToken)('apps.connections.open'), findings);
  else
    findings.note('Whether SLACK_SIGNING_SECRET is right shows with the first command in Slack.');
};

const examineBotToken = async (call: Call, findings: Examination): Promise<void> => {
  const who = await call('auth.test');
  if (who === undefined) return;
  if (!who.ok)
    return findings.wrong(
      `Slack refuses SLACK_BOT_TOKEN (${who.error}).`,
      'Install the app, and copy its Bot User OAuth Token (xoxb-) under OAuth & Permissions.',
    );
  if (who.scopes === undefined) findings.note('Slack does not tell which scopes the token has.');
  else examineScopes(who.scopes, findings);
  const asked = await call('users.info', { user: String(who.user_id ?? '') });
  if (who.scopes?.has(PEOPLE) === false || asked?.error === 'missing_scope')
    findings.wrong(
      `Without the scope ${PEOPLE} guests look like members, so a channel or a user group gives access to no one.`,
      'Add the scope under OAuth & Permissions and install the app again, or name each person in the access file.',
    );
  findings.note(`Signed in to the workspace ${who.team ?? who.team_id ?? 'without a name'}.`);
  const groups = findings.named.filter(({ kind }) => kind === 'group').map(({ id }) => id);
  for (const usergroup of new Set(groups)) {
    const said = await call('usergroups.users.list', { usergroup });
    if (said?.ok === false)
      findings.wrong(
        `Slack does not tell who is in the user group ${usergroup} (${said.error}), so nobody is granted what it may do.`,
        'Correct the id in the access file, or take it out.',
      );
  }
};

const examineScopes = (granted: ReadonlySet<string>, findings: Examination): void => {
  const missing = BOT_SCOPES.filter((scope) => !granted.has(scope));
  if (missing.length > 0)
    findings.wrong(
      `SLACK_BOT_TOKEN lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}.`,
      'Paste manifest.yml under App Manifest, and install the app again under Install App.',
    );
};

const examineAppToken = (said: Answer | undefined, findings: Examination): void => {
  if (said?.ok === true) findings.note('Socket Mode can be opened.');
  if (said?.ok === false)
    findings.wrong(
      `Slack refuses SLACK_APP_TOKEN (${said.error}).`,
      'Make an app-level token (xapp-) with the scope connections:write under Basic Information, and see that Socket Mode is on.',
    );
};
