import { beforeEach, describe, expect, it } from 'vitest';
import { CHARGING, examined, healthyEnv } from '../../support/examined.ts';
import { startTelegram, telegramSettings } from '../../support/telegram-shop.ts';
import type { TelegramSimulator } from '../../support/telegram-simulator.ts';

describe('Telegram', () => {
  let telegram: TelegramSimulator;
  let env: Record<string, string>;
  beforeEach(async () => {
    telegram = await startTelegram();
    env = { ...(await healthyEnv(CHARGING)), ...telegramSettings(telegram) };
  });
  const setWebhook = (url: string) =>
    fetch(`${telegram.apiRoot}/bot${telegram.token}/setWebhook`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ url }),
    });

  it('is fine with the token, and no update is taken from a running bot', async () => {
    const { findings, text } = await examined(env);
    expect(findings).toEqual([]);
    expect(text).toContain('@PaythreadBot');
    expect(text).not.toContain(telegram.token);
    expect(telegram.calls('getUpdates')).toEqual([]);
  });

  it('that refuses the token is a finding', async () => {
    const { of, text } = await examined({ ...env, TELEGRAM_BOT_TOKEN: '1:AAE-canary-token' });
    expect(of('Telegram')).toEqual([expect.stringContaining('(Unauthorized)')]);
    expect(text).not.toContain('canary');
  });

  it('with a webhook while Paythread polls is a finding', async () => {
    await setWebhook('http://127.0.0.1:9/other');
    expect((await examined(env)).of('Telegram')).toEqual([
      'A webhook to 127.0.0.1:9 is set for this bot, while Paythread polls.',
    ]);
  });

  it('with another webhook, and with one that cannot be reached, is a finding', async () => {
    await setWebhook('http://127.0.0.1:9/other');
    const ama = telegram.person('Ama');
    ama.type(telegram.privateChat(ama), '/help');
    const webhook = {
      PUBLIC_URL: `http://127.0.0.1:${env['PORT']}`,
      TELEGRAM_WEBHOOK_SECRET: 'a-long-random-text',
    };
    const { of } = await examined({ ...env, ...webhook });
    expect(of('Telegram')).toEqual([
      expect.stringContaining('leads to 127.0.0.1:9 and not to'),
      expect.stringContaining('could not deliver'),
    ]);
    expect(of('Callback address')).toEqual([]);
  });

  it('that cannot be reached is a finding without the token', async () => {
    await telegram.stop();
    const { of, text } = await examined(env);
    expect(of('Telegram')).toEqual(['Telegram gave no usable answer: nothing listens there.']);
    expect(text).not.toContain(telegram.token);
  });
});
