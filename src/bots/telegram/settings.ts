import { z } from 'zod';
import { address, line } from '../../config/formats.ts';
import type { Variables } from '../../config/variable.ts';

export const TELEGRAM_WEBHOOK_PATH = '/telegram/webhook';

export type TelegramSettings = {
  readonly token: string;
  /** Bot API root, without a slash at its end. */
  readonly apiRoot: string;
  /** Present: webhook mode. */
  readonly webhookSecret?: string;
};

export const variables = {
  TELEGRAM_BOT_TOKEN: {
    meaning: 'turns the Telegram bot on',
    example: '123456789:your-bot-token',
    expected: 'the token BotFather gave you',
    secret: true,
    schema: line,
  },
  TELEGRAM_WEBHOOK_SECRET: {
    meaning: `webhook mode at \`POST ${TELEGRAM_WEBHOOK_PATH}\`, registered with this secret; without it, long polling`,
    example: 'a-long-random-text',
    expected: '1 to 256 characters of A-Z, a-z, 0-9, _ and -',
    secret: true,
    schema: z.string().regex(/^[A-Za-z0-9_-]{1,256}$/),
  },
  TELEGRAM_API_ROOT: {
    meaning: 'Bot API root',
    default: 'https://api.telegram.org',
    expected: 'an http or https address',
    mayBeHttp: true,
    schema: address,
  },
} as const satisfies Variables;
