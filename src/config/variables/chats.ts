import { z } from 'zod';
import { address, line } from '../formats.ts';
import type { Variable } from '../variable.ts';

/** Slack and Telegram. */
export const chatVariables = {
  SLACK_BOT_TOKEN: {
    meaning: 'turns the Slack bot on',
    example: 'xoxb-your-bot-token',
    expected: 'the Bot User OAuth Token of your Slack app',
    secret: true,
    schema: line,
  },
  SLACK_APP_TOKEN: {
    meaning: 'Socket Mode (no public address needed)',
    example: 'xapp-your-app-level-token',
    expected: 'the app-level token of your Slack app',
    secret: true,
    schema: line,
  },
  SLACK_SIGNING_SECRET: {
    meaning: 'HTTP mode at `POST /slack/events`, used when there is no `SLACK_APP_TOKEN`',
    example: 'your-signing-secret',
    expected: 'the signing secret of your Slack app',
    secret: true,
    schema: line,
  },
  SLACK_API_URL: {
    meaning: 'Slack Web API root',
    default: 'https://slack.com/api/',
    example: 'https://slack.com/api/',
    expected: 'an http or https address',
    schema: address.transform((url) => `${url}/`),
  },
  TELEGRAM_BOT_TOKEN: {
    meaning: 'turns the Telegram bot on',
    example: '123456789:your-bot-token',
    expected: 'the token BotFather gave you',
    secret: true,
    schema: line,
  },
  TELEGRAM_WEBHOOK_SECRET: {
    meaning:
      'webhook mode at `POST /telegram/webhook`, registered with this secret; without it, long polling',
    example: 'a-long-random-text',
    expected: '1 to 256 characters of A-Z, a-z, 0-9, _ and -',
    secret: true,
    schema: z.string().regex(/^[A-Za-z0-9_-]{1,256}$/),
  },
  TELEGRAM_API_ROOT: {
    meaning: 'Bot API root',
    default: 'https://api.telegram.org',
    example: 'https://api.telegram.org',
    expected: 'an http or https address',
    schema: address,
  },
} as const satisfies Readonly<Record<string, Variable>>;
