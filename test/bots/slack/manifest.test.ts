import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { PLAIN_NAMES } from '../../../src/bots/slack/command-names.ts';
import { SLACK_EVENTS_PATH } from '../../../src/bots/slack/settings.ts';
import { COMMAND_NAMES } from '../../../src/commands/all-commands.ts';
import { openDesk } from '../../support/desk.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { runCommand } from '../../support/run-command.ts';

/** Slack's documented rules for the parts of a manifest that we use; anything else would be refused. */
const address = z.url({ protocol: /^https$/ }).max(3_000);
const manifestRules = z.strictObject({
  display_information: z.strictObject({
    name: z.string().min(1).max(35),
    description: z.string().min(1).max(140),
    long_description: z.string().min(175).max(4_000),
    background_color: z.string().regex(/^#([0-9a-f]{3}){1,2}$/i),
  }),
  features: z.strictObject({
    app_home: z.strictObject({
      home_tab_enabled: z.boolean(),
      messages_tab_enabled: z.boolean(),
      messages_tab_read_only_enabled: z.boolean(),
    }),
    bot_user: z.strictObject({
      display_name: z.string().min(1).max(80),
      always_online: z.boolean(),
    }),
    shortcuts: z
      .array(
        z.strictObject({
          name: z.string().min(1).max(24),
          type: z.enum(['global', 'message']),
          callback_id: z.string().min(1).max(255),
          description: z.string().min(1).max(150),
        }),
      )
      .min(1)
      .max(10),
    slash_commands: z
      .array(
        z.strictObject({
          // A slash, then what Slack takes for a name.
          command: z
            .string()
            .min(2)
            .max(32)
            .regex(/^\/[a-z0-9_-]+$/),
          url: address.optional(),
          description: z.string().min(1).max(2_000),
          usage_hint: z.string().min(1).max(1_000).optional(),
          should_escape: z.boolean().optional(),
        }),
      )
      .min(1)
      .max(50),
  }),
  oauth_config: z.strictObject({
    scopes: z.strictObject({ bot: z.array(z.string().regex(/^[a-z_]+([.:][a-z_]+)*$/)).max(255) }),
  }),
  settings: z.strictObject({
    event_subscriptions: z.strictObject({
      request_url: address.optional(),
      bot_events: z.array(z.string()).min(1).max(100),
    }),
    interactivity: z.strictObject({ is_enabled: z.boolean(), request_url: address.optional() }),
    org_deploy_enabled: z.boolean(),
    socket_mode_enabled: z.boolean(),
    token_rotation_enabled: z.boolean(),
  }),
});

const text = readFileSync(new URL('../../../manifest.yml', import.meta.url), 'utf8');
/** As its first lines say: every address taken in, Socket Mode off. */
const httpText = text
  .replaceAll(/^(\s*)# ((?:request_)?url: )/gm, '$1$2')
  .replace('socket_mode_enabled: true', 'socket_mode_enabled: false');

const socketForm = manifestRules.parse(parse(text));
const httpForm = manifestRules.parse(parse(httpText));

/** Slack refuses a whole manifest for one of these. */
const RESERVED = [
  'me status away dnd shrug remind msg feed who collapse',
  'expand leave join open search topic mute pro shortcuts',
]
  .join(' ')
  .split(' ');

describe('the manifest of the Slack app', () => {
  it('works over Socket Mode as it is, without an address', () => {
    expect(socketForm.settings.socket_mode_enabled).toBe(true);
    expect(parse(text)).not.toHaveProperty('settings.event_subscriptions.request_url');
    expect(JSON.stringify(socketForm)).not.toContain('https://');
  });

  it('works over HTTP with every address filled in, all of them the same', () => {
    const { features, settings } = httpForm;
    const addresses = [
      ...features.slash_commands.map(({ url }) => url),
      settings.event_subscriptions.request_url,
      settings.interactivity.request_url,
    ];
    expect(addresses).not.toContain(undefined);
    expect([...new Set(addresses)]).toEqual([`https://paythread.example.com${SLACK_EVENTS_PATH}`]);
    expect(settings.socket_mode_enabled).toBe(false);
  });

  it('names every command as people type it in Slack, and none that Slack keeps for itself', () => {
    const names = socketForm.features.slash_commands.map(({ command }) => command.slice(1));
    // Workspaces that leave `/help` to apps have it as well.
    const spelled = COMMAND_NAMES.map((name) => PLAIN_NAMES.text(`/${name}`).slice(1));
    expect(names.filter((name) => name !== 'help')).toEqual(spelled);
    expect(names).toContain('help');
    expect(names.filter((name) => RESERVED.includes(name))).toEqual([]);
    expect([...new Set(names.map((name) => PLAIN_NAMES.nameOf(`/${name}`)))]).toEqual([
      ...COMMAND_NAMES,
    ]);
  });

  it('lets Slack put ids in the place of names where people are named, which can be copied', () => {
    const escaped = socketForm.features.slash_commands.filter((each) => each.should_escape);
    expect(escaped.map(({ command }) => command)).toEqual(['/suspend', '/reinstate']);
  });

  it('says of every command what its record says', async () => {
    const clock = new ManualClock();
    const { engine } = openDesk(await openStore(), clock);
    for (const { command, description, usage_hint: hint = '' } of socketForm.features
      .slash_commands) {
      const record = engine.commands.find(({ name }) => name === PLAIN_NAMES.nameOf(command));
      expect(description.replace(' of Paythread', ''), command).toBe(record?.summary);
      expect(hint, command).toBe(record?.usage.replace('…', ''));
    }
  });

  it('offers the shortcuts that commands have, by the names under which they know them', async () => {
    const { engine } = openDesk(await openStore(), new ManualClock());
    const named = (type: string) =>
      socketForm.features.shortcuts
        .filter((shortcut) => shortcut.type === type)
        .map(({ callback_id }) => callback_id);
    const ofMessages = engine.commands.flatMap(({ messageShortcuts = {} }) =>
      Object.keys(messageShortcuts),
    );
    expect(named('message')).toEqual(ofMessages);
    const verbs = engine.commands.flatMap(({ presses = {} }) => Object.keys(presses));
    expect(verbs).toEqual(expect.arrayContaining(named('global')));
  });

  it('asks for what is used and for nothing else', () => {
    expect([...socketForm.oauth_config.scopes.bot].sort()).toEqual([
      'app_mentions:read',
      'channels:history',
      'channels:read',
      'chat:write',
      'commands',
      'files:read',
      'files:write',
      'groups:history',
      'groups:read',
      'im:history',
      'im:write',
      'mpim:history',
      'pins:write',
      'usergroups:read',
      'users:read',
    ]);
    expect(socketForm.settings.event_subscriptions.bot_events).toEqual([
      'app_mention',
      'message.im',
      'app_home_opened',
      'member_joined_channel',
      'subteam_members_changed',
      'subteam_updated',
    ]);
  });

  it('lets people write to the bot and press its buttons', () => {
    const { app_home: home, bot_user: bot } = socketForm.features;
    expect(home.home_tab_enabled).toBe(true);
    expect([home.messages_tab_enabled, home.messages_tab_read_only_enabled]).toEqual([true, false]);
    expect(bot.display_name).toBe('Paythread');
    expect(socketForm.settings.interactivity.is_enabled).toBe(true);
  });
});

const printed = async (...options: string[]) => runCommand('manifest', options, {});

describe('npm run paythread -- manifest', () => {
  it('prints the file as it stands', async () => {
    expect(await printed()).toEqual({ code: 0, output: text });
  });

  it('prints every command once with the prefix, also those that Slack keeps for itself without one', async () => {
    const { code, output } = await printed('--prefix', 'pay-');
    expect(code).toBe(0);
    const { features, ...rest } = manifestRules.parse(parse(output));
    const names = features.slash_commands.map(({ command }) => command);
    expect(names.toSorted()).toEqual(COMMAND_NAMES.map((name) => `/pay-${name}`).toSorted());
    const { features: own, ...ownRest } = socketForm;
    expect(rest).toEqual(ownRest);
    expect(features.slash_commands.map(({ command: _, ...each }) => each)).toEqual(
      own.slash_commands
        .filter(({ command }) => command !== '/payhelp')
        .map(({ command: _, ...each }) => each),
    );
  });

  it.each(['https://paythread.example.com', `https://paythread.example.com${SLACK_EVENTS_PATH}`])(
    'prints the app for requests to %s',
    async (address) => {
      const { output } = await printed('--http', address);
      expect(manifestRules.parse(parse(output))).toEqual(httpForm);
    },
  );

  it.each([
    ['--prefix', 'Pay ', 'A prefix has up to 20 small letters'],
    ['--prefix', 'a-prefix-of-21-letters', 'A prefix has up to 20 small letters'],
    ['--http', 'http://paythread.example.com', 'Slack needs an https address'],
    ['--http', 'paythread', 'Slack needs an https address'],
  ])('refuses %s %s and says what it takes', async (option, value, why) => {
    const { code, output } = await printed(option, value);
    expect([code, output]).toEqual([64, expect.stringContaining(why)]);
  });
});
