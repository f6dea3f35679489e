import { z } from 'zod';
import type { Examination } from '../platform.ts';
import { appWith } from './manifest.ts';
import type { SlackSettings } from './settings.ts';

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
  { botToken, apiUrl, transport, configToken, commandPrefix }: SlackSettings,
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
  const callAsBot = callWith(botToken);
  const ours = manifestParts.parse(await appWith(commandPrefix));
  const botId = await examineBotToken(callAsBot, ours.oauth_config.scopes.bot, findings);
  if (configToken === undefined)
    findings.note(
      'Slack tells the commands, events and shortcuts of an app only to SLACK_CONFIG_TOKEN. After an update paste manifest.yml under App Manifest.',
    );
  else {
    const manifest = await exportManifest(botId, callAsBot, callWith(configToken));
    examineManifest(manifest, ours, transport.kind === 'socket', findings);
  }
  if (transport.kind === 'http')
    return findings.note(
      'Whether SLACK_SIGNING_SECRET is right shows with the first command in Slack.',
    );
  const opened = await callWith(transport.appToken)('apps.connections.open');
  if (opened?.ok === true) findings.note('Socket Mode can be opened.');
  if (opened?.ok === false)
    findings.wrong(
      `Slack refuses SLACK_APP_TOKEN (${opened.error}).`,
      'Make an app-level token (xapp-) with the scope connections:write under Basic Information, and see that Socket Mode is on.',
    );
};

/** The bot's id; undefined when Slack does not tell it. */
const examineBotToken = async (
  call: Call,
  scopes: readonly string[],
  findings: Examination,
): Promise<unknown> => {
  const who = await call('auth.test');
  if (who === undefined) return undefined;
  if (!who.ok) {
    findings.wrong(
      `Slack refuses SLACK_BOT_TOKEN (${who.error}).`,
      'Install the app, and copy its Bot User OAuth Token (xoxb-) under OAuth & Permissions.',
    );
    return undefined;
  }
  const missing = scopes.filter((scope) => who.scopes?.has(scope) === false);
  if (who.scopes === undefined) findings.note('Slack does not say which scopes the token has.');
  if (missing.length > 0)
    findings.wrong(
      `SLACK_BOT_TOKEN lacks ${missing.length === 1 ? 'the scope' : 'the scopes'} ${missing.join(', ')}.`,
      PASTE_AGAIN,
    );
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
        `Slack does not say who is in the user group ${usergroup} (${said.error}), so its members have no access.`,
        'Correct the id in the access file, or take it out.',
      );
  }
  return who.bot_id;
};

const PASTE_AGAIN =
  'Paste manifest.yml, or what "paythread manifest" prints for your prefix or address, under App Manifest, and install the app again under Install App.';

const off = z.boolean().default(false);
/** The parts of an app's manifest that are compared. */
const manifestParts = z.object({
  oauth_config: z
    .object({ scopes: z.object({ bot: z.array(z.string()).default([]) }).prefault({}) })
    .prefault({}),
  features: z
    .object({
      app_home: z.object({ home_tab_enabled: off, messages_tab_enabled: off }).prefault({}),
      shortcuts: z.array(z.object({ callback_id: z.string() })).default([]),
      slash_commands: z.array(z.object({ command: z.string() })).default([]),
    })
    .prefault({}),
  settings: z
    .object({
      event_subscriptions: z.object({ bot_events: z.array(z.string()).default([]) }).prefault({}),
      interactivity: z.object({ is_enabled: off }).prefault({}),
      socket_mode_enabled: off,
    })
    .prefault({}),
});

type ManifestParts = z.output<typeof manifestParts>;

const namesOf = ({ features, settings }: ManifestParts): string[] => [
  ...features.slash_commands.map(({ command }) => command),
  ...features.shortcuts.map(({ callback_id: id }) => id),
  ...settings.event_subscriptions.bot_events,
  ...(features.app_home.home_tab_enabled ? ['the Home tab'] : []),
  ...(features.app_home.messages_tab_enabled ? ['the Messages tab'] : []),
  ...(settings.interactivity.is_enabled ? ['Interactivity'] : []),
];

/** The app's manifest as Slack has it, or in a word why it does not tell. */
const exportManifest = async (
  botId: unknown,
  callAsBot: Call,
  call: Call,
): Promise<ManifestParts | string> => {
  const told = await callAsBot('bots.info', { bot: String(botId) });
  const { data: bot } = z.object({ app_id: z.string() }).safeParse(told?.bot);
  if (bot === undefined) return told?.error ?? 'no answer';
  const said = await call('apps.manifest.export', { app_id: bot.app_id });
  return manifestParts.safeParse(said?.manifest).data ?? said?.error ?? 'no answer';
};

const examineManifest = (
  manifest: ManifestParts | string,
  ours: ManifestParts,
  isSocket: boolean,
  findings: Examination,
): void => {
  if (typeof manifest === 'string') {
    findings.wrong(
      `Slack does not say what the app has (${manifest}).`,
      'Generate a new App Configuration Token at api.slack.com/apps and set it as SLACK_CONFIG_TOKEN, or leave that out.',
    );
    return;
  }
  const has = new Set(namesOf(manifest));
  const missing = namesOf(ours).filter((part) => !has.has(part));
  if (missing.length > 0) findings.wrong(`The Slack app lacks ${missing.join(', ')}.`, PASTE_AGAIN);
  else findings.note('The Slack app has all that manifest.yml has.');
  if (manifest.settings.socket_mode_enabled !== isSocket)
    findings.wrong(
      `Socket Mode is ${isSocket ? 'off' : 'on'} in the Slack app, so Paythread hears nothing.`,
      `Switch it ${isSocket ? 'on' : 'off'} under Socket Mode.`,
    );
};
