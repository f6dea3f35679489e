import type { ChatPlatform } from '../platform.ts';
import { SLACK_EVENTS_PATH, type SlackSettings, variables } from './settings.ts';

export const slack: ChatPlatform<typeof variables, SlackSettings> = {
  name: 'slack',
  title: 'Slack',
  ids: [
    { kind: 'person', form: /^[UW][A-Z0-9]+$/, example: 'U024BE7LH' },
    { kind: 'place', form: /^[CGD][A-Z0-9]+$/, example: 'C0FINANCE' },
    { kind: 'group', form: /^S[A-Z0-9]+$/, example: 'S0614TZR7' },
  ],
  directChannels: /^D[A-Z0-9]+$/,

  variables,
  token: 'SLACK_BOT_TOKEN',
  signs: ['SLACK_BOT_TOKEN', 'SLACK_APP_TOKEN', 'SLACK_SIGNING_SECRET'],

  needs(isSet) {
    const hasTransport = isSet('SLACK_APP_TOKEN') || isSet('SLACK_SIGNING_SECRET');
    return [
      {
        when: hasTransport,
        needs: ['SLACK_BOT_TOKEN'],
        because: 'and the other Slack settings do nothing without it',
      },
      {
        when: isSet('SLACK_BOT_TOKEN') && !hasTransport,
        needs: ['SLACK_APP_TOKEN'],
        because: 'and there is no SLACK_SIGNING_SECRET either: Slack needs one of the two',
      },
    ];
  },

  settingsFrom({
    SLACK_BOT_TOKEN: botToken,
    SLACK_API_URL: apiUrl,
    SLACK_APP_TOKEN: appToken,
    SLACK_SIGNING_SECRET: signingSecret = '',
    SLACK_CONFIG_TOKEN: configToken,
    SLACK_COMMAND_PREFIX: commandPrefix,
  }) {
    if (botToken === undefined) return undefined;
    const common = { botToken, apiUrl, configToken, commandPrefix };
    return appToken === undefined
      ? { ...common, transport: { kind: 'http', signingSecret } }
      : { ...common, transport: { kind: 'socket', appToken } };
  },

  describe: ({ transport }) => `Slack (${transport.kind})`,

  webhookPath: ({ transport }) => (transport.kind === 'http' ? SLACK_EVENTS_PATH : undefined),

  async create(settings, parts) {
    const { SlackBot } = await import('./slack-bot.ts');
    return new SlackBot({ ...settings, ...parts });
  },

  examine: async (...asked) => (await import('./doctor.ts')).examineSlack(...asked),

  cardsAt: ({ SLACK_API_URL: apiUrl }) => `${apiUrl}blocks.validate`,

  examineCards: async (...asked) => (await import('./examine-cards.ts')).examineCards(...asked),

  manifest: async (options) => (await import('./manifest.ts')).slackManifest(options),

  directory: async (settings, parts) =>
    (await import('./slack-directory.ts')).createSlackDirectory({ ...settings, ...parts }),
};
