import { z } from 'zod';
import { address, line } from '../../config/formats.ts';
import type { Variables } from '../../config/variable.ts';

export const SLACK_EVENTS_PATH = '/slack/events';

/** With the longest name of a command it has the 32 characters that Slack takes. */
export const commandPrefix = z.string().regex(/^[a-z0-9][a-z0-9_-]{0,19}$/);

/** Slack sends requests to https alone. */
export const requestAddress = address.refine((url) => url.startsWith('https:'));

export type SlackSettings = {
  readonly botToken: string;
  /** Web API root, such as `https://slack.com/api/`. */
  readonly apiUrl: string;
  /** For the doctor alone. */
  readonly configToken?: string | undefined;
  /** In front of every slash command of the app, such as `pay-`. */
  readonly commandPrefix?: string | undefined;
  readonly transport:
    | { readonly kind: 'socket'; readonly appToken: string }
    | { readonly kind: 'http'; readonly signingSecret: string };
};

export const variables = {
  SLACK_BOT_TOKEN: {
    meaning: 'turns the Slack bot on',
    example: 'xoxb-your-bot-token',
    expected: 'the Bot User OAuth Token of your Slack app',
    secret: true,
    prefix: 'xoxb-',
    schema: line,
  },
  SLACK_APP_TOKEN: {
    meaning: 'Socket Mode (no public address needed)',
    example: 'xapp-your-app-level-token',
    expected: 'the app-level token of your Slack app',
    secret: true,
    prefix: 'xapp-',
    schema: line,
  },
  SLACK_SIGNING_SECRET: {
    meaning: `HTTP mode at \`POST ${SLACK_EVENTS_PATH}\`, used when there is no \`SLACK_APP_TOKEN\``,
    example: 'your-signing-secret',
    expected: 'the signing secret of your Slack app',
    secret: true,
    schema: line,
  },
  SLACK_CONFIG_TOKEN: {
    meaning:
      'lets `npm run doctor` compare the Slack app with manifest.yml; Slack ends it after 12 hours',
    example: 'xoxe.xoxp-your-app-configuration-token',
    expected: 'an App Configuration Token of your workspace',
    secret: true,
    prefix: 'xoxe.',
    schema: line,
  },
  SLACK_COMMAND_PREFIX: {
    meaning: 'in front of every slash command: `pay-` makes `/pay-charge`',
    example: 'pay-',
    expected: 'up to 20 small letters, digits, - and _, such as pay-',
    schema: commandPrefix,
  },
  SLACK_API_URL: {
    meaning: 'Slack Web API root',
    default: 'https://slack.com/api/',
    expected: 'an http or https address',
    mayBeHttp: true,
    schema: address.transform((url) => `${url}/`),
  },
} as const satisfies Variables;
