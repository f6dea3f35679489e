import type { ChatPlatform } from '../platform.ts';
import { TELEGRAM_WEBHOOK_PATH, type TelegramSettings, variables } from './settings.ts';

/** Telegram as data. A private chat has the id of its person; groups and channels have negative ids. */
export const telegram: ChatPlatform<typeof variables, TelegramSettings> = {
  name: 'telegram',
  title: 'Telegram',
  ids: [
    { kind: 'person', form: /^[1-9]\d*$/, example: '123456789' },
    { kind: 'place', form: /^-[1-9]\d*$/, example: '-1001234567890' },
  ],

  toPin: 'Make me an administrator who may pin.',
  // A bot may send 50 MB (`fileBytes` in `limits.ts`).
  mostFileBytes: 45_000_000,

  variables,
  token: 'TELEGRAM_BOT_TOKEN',
  signs: ['TELEGRAM_BOT_TOKEN'],

  needs: (isSet) => [
    {
      when: isSet('TELEGRAM_WEBHOOK_SECRET'),
      needs: ['TELEGRAM_BOT_TOKEN', 'PUBLIC_URL'],
      because: "and Telegram's webhook needs it",
      // Telegram itself refuses a webhook address that is not https.
      https: 'PUBLIC_URL',
    },
  ],

  settingsFrom({
    TELEGRAM_BOT_TOKEN: token,
    TELEGRAM_API_ROOT: apiRoot,
    TELEGRAM_WEBHOOK_SECRET: webhookSecret,
  }) {
    if (token === undefined) return undefined;
    return { token, apiRoot, ...(webhookSecret === undefined ? {} : { webhookSecret }) };
  },

  describe: ({ webhookSecret }) =>
    `Telegram (${webhookSecret === undefined ? 'polling' : 'webhook'})`,

  webhookPath: ({ webhookSecret }) =>
    webhookSecret === undefined ? undefined : TELEGRAM_WEBHOOK_PATH,

  async create(settings, parts) {
    const { TelegramBot } = await import('./telegram-bot.ts');
    return new TelegramBot({ ...settings, ...parts });
  },

  async examine(settings, examination) {
    const { examineTelegram } = await import('./doctor.ts');
    await examineTelegram(settings, examination);
  },
};
