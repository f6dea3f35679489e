import { type ClientRequest, request as httpRequest } from 'node:http';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TelegramBot } from '../../../src/bots/telegram/telegram-bot.ts';
import { StartError } from '../../../src/core/runtime/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { runApp } from '../../support/run-app.ts';
import { serveHttp } from '../../support/serve-http.ts';
import { openTelegram } from '../../support/telegram-shop.ts';
import { TelegramSimulator } from '../../support/telegram-simulator.ts';
import { botOn, newBot, startedBot, WEBHOOK_SECRET } from './started-bot.ts';

const update = (id: number, more: object = {}) => ({
  update_id: id,
  message: {
    message_id: 5,
    date: 1,
    chat: { id: 42, type: 'private', first_name: 'Ama' },
    from: { id: 42, is_bot: false, first_name: 'Ama' },
    text: '/charge 0244123456 50',
    entities: [{ type: 'bot_command', offset: 0, length: 7 }],
    ...more,
  },
});

const setUp = async () => {
  const started = await startedBot({ mode: 'webhook' });
  const url = started.webhookUrl ?? expect.fail('no webhook');
  const post = (body: string, headers: Record<string, string> = { [HEADER]: WEBHOOK_SECRET }) =>
    fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
    });
  return { ...started, url, post };
};
const HEADER = 'x-telegram-bot-api-secret-token';

/** The status of the answer. */
const statusOf = (request: ClientRequest): Promise<number | undefined> =>
  new Promise((resolve, reject) =>
    request.on('response', (response) => resolve(response.statusCode)).on('error', reject),
  );

/** Sends the beginning of an update, and breaks the connection. */
const hangUp = async (url: string): Promise<void> => {
  const headers = { [HEADER]: WEBHOOK_SECRET, 'content-length': '100' };
  const request = httpRequest(url, { method: 'POST', headers }).on('error', () => {});
  await new Promise((resolve) => request.write('{"update_id"', resolve));
  request.destroy();
};

describe('the webhook', () => {
  it('is registered with its secret, for the kinds of update it acts on', async () => {
    const { telegram, url } = await setUp();
    expect(telegram.webhookUrl).toBe(url);
    expect(telegram.calls('setWebhook')[0]?.params).toEqual({
      url,
      secret_token: WEBHOOK_SECRET,
      allowed_updates: ['message', 'callback_query', 'my_chat_member'],
    });
    expect(telegram.calls('getUpdates')).toEqual([]);
  });

  it('does not keep it from finding out by asking that the token was taken back', {
    tags: ['F55'],
  }, async () => {
    const { telegram, bot } = await setUp();
    telegram.revokeToken();
    await bot.probe();
    expect(bot.notReady()).toBe('Telegram refuses TELEGRAM_BOT_TOKEN');
    telegram.restoreToken();
    await bot.probe();
    expect(bot.notReady()).toBeUndefined();
  });

  it('takes an update that bears the secret', async () => {
    const { inbound, post } = await setUp();
    const response = await post(JSON.stringify(update(1)));
    expect(response.status).toBe(200);
    await eventually(() => expect(inbound.seen).toHaveLength(1));
  });

  it.each([
    ['none', {}],
    ['an empty one', { [HEADER]: '' }],
    ['a part of it', { [HEADER]: WEBHOOK_SECRET.slice(0, -1) }],
    ['more than it', { [HEADER]: `${WEBHOOK_SECRET}x` }],
    ['it twice', { [HEADER]: `${WEBHOOK_SECRET}, ${WEBHOOK_SECRET}` }],
  ])('refuses an update with %s for a secret', async (_what, headers) => {
    const { inbound, post } = await setUp();
    const response = await post(JSON.stringify(update(1)), headers);
    expect(response.status).toBe(401);
    expect(inbound.seen).toEqual([]);
  });

  it('refuses the secret with any bit changed', { tags: ['T4'] }, async () => {
    const { post } = await setUp();
    const flip = fc.tuple(fc.nat(WEBHOOK_SECRET.length - 1), fc.nat(6));
    await fc.assert(
      fc.asyncProperty(flip, async ([at, bit]) => {
        const code = WEBHOOK_SECRET.charCodeAt(at) ^ (1 << bit);
        fc.pre(code > 0x20 && code < 0x7f);
        const changed =
          WEBHOOK_SECRET.slice(0, at) + String.fromCharCode(code) + WEBHOOK_SECRET.slice(at + 1);
        expect((await post('{}', { [HEADER]: changed })).status).toBe(401);
      }),
      { numRuns: 60 },
    );
  });

  it('takes nothing at all when its own secret is empty', { tags: ['T4'] }, async () => {
    const { telegram } = await setUp();
    const bot = botOn(telegram, { webhookSecret: '' });
    expect(bot.handle).toBeDefined();
    await expect(statusFrom(bot.handle, { [HEADER]: '' })).resolves.toBe(401);
  });

  it.each([
    ['broken JSON', '{"update_id":1'],
    ['nothing', ''],
    ['a list', '[{"update_id":1}]'],
    ['no id', '{"message":{}}'],
    ['an id in words', '{"update_id":"1"}'],
    ['null', 'null'],
  ])('answers 400 to %s', async (_what, body) => {
    const { post } = await setUp();
    expect((await post(body)).status).toBe(400);
  });

  it('answers 200 to an update nobody can make sense of, so that it is not sent for ever', async () => {
    const { inbound, post, logged } = await setUp();
    expect((await post('{"update_id":1,"message":5}')).status).toBe(200);
    expect((await post('{"update_id":4,"poll":{"id":"5"}}')).status).toBe(200);
    expect((await post('{"update_id":2,"callback_query":{"id":"x"}}')).status).toBe(200);
    expect((await post('{"update_id":3,"message":{"text":"/charge","entities":7}}')).status).toBe(
      200,
    );
    expect(inbound.seen).toEqual([]);
    expect(logged()).toContain('could not be read');
  });

  it('refuses more than a mebibyte, announced or not, and serves the next request', async () => {
    const { post, inbound, url } = await setUp();
    const large = 'x'.repeat(1024 * 1024 + 1);
    expect((await post(large)).status).toBe(413);
    const stream = new ReadableStream({
      start(controller) {
        for (let part = 0; part < 20; part++)
          controller.enqueue(new TextEncoder().encode(large.slice(0, 65_536)));
        controller.close();
      },
    });
    const chunked = {
      method: 'POST',
      headers: { [HEADER]: WEBHOOK_SECRET },
      body: stream,
      duplex: 'half',
    };
    expect((await fetch(url, chunked as RequestInit)).status).toBe(413);
    expect((await post(JSON.stringify(update(1)))).status).toBe(200);
    await eventually(() => expect(inbound.seen).toHaveLength(1));
  });

  it('answers in the middle of a body that grows too large', async () => {
    const { url } = await setUp();
    const headers = { [HEADER]: WEBHOOK_SECRET, 'content-length': String(100 * 1024 * 1024) };
    const request = httpRequest(url, { method: 'POST', headers });
    const status = statusOf(request);
    request.write('x'.repeat(1024 * 1024 + 1));
    expect(await status).toBe(413);
    request.destroy();
  });

  it('does not read what comes without the secret', async () => {
    const { url } = await setUp();
    const request = httpRequest(url, { method: 'POST', headers: { 'content-length': '1000000' } });
    const status = statusOf(request);
    request.write('{');
    expect(await status).toBe(401);
    request.destroy();
  });

  it('survives a sender that hangs up in the middle', async () => {
    const { url, post } = await setUp();
    await hangUp(url);
    expect((await post(JSON.stringify(update(1)))).status).toBe(200);
  });

  it('of the whole program survives a body that is too large, and a sender that hangs up in the middle', {
    tags: ['T3'],
  }, async () => {
    const { settings } = await openTelegram({ transport: 'webhook', people: {} });
    await runApp({ ...settings, TELEGRAM_WEBHOOK_SECRET: WEBHOOK_SECRET });
    const url = `${settings['PUBLIC_URL']}/telegram/webhook`;
    const headers = { [HEADER]: WEBHOOK_SECRET };
    await hangUp(url);
    for (const bytes of [1024 * 1024 + 1, 2_000_000]) {
      const large = httpRequest(url, { method: 'POST', headers });
      const status = statusOf(large);
      large.write('x'.repeat(bytes));
      expect(await status).toBe(413);
      large.destroy();
    }
    const body = JSON.stringify(update(1));
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
  });

  it('takes POST only', async () => {
    const { url } = await setUp();
    expect((await fetch(url, { headers: { [HEADER]: WEBHOOK_SECRET } })).status).toBe(405);
  });

  it('is answered only after a press had its effect, and twice with one effect', async () => {
    const { inbound, post } = await setUp();
    let finish = () => {};
    inbound.onPress = () => new Promise((resolve) => (finish = resolve));
    const { message, update_id } = update(7);
    const from = { id: 42, is_bot: false, first_name: 'Ama' };
    const button = { text: 'Charge', callback_data: 'confirm:d1' };
    const pressable = { ...message, reply_markup: { inline_keyboard: [[button]] } };
    const press = JSON.stringify({
      update_id,
      callback_query: { id: '9', from, message: pressable, data: 'confirm:d1' },
    });
    let answered = 0;
    const both = [post(press), post(press)].map((answer) =>
      answer.then(({ status }) => (answered += status)),
    );
    await eventually(() => expect(inbound.seen).toHaveLength(1));
    expect(answered).toBe(0);
    finish();
    await Promise.all(both);
    expect(answered).toBe(400);
    expect(inbound.seen).toHaveLength(1);
  });

  it('asks Telegram to come back before it is connected and after it stopped', async () => {
    const { bot, webhookUrl } = await newBot({ mode: 'webhook' });
    const url = webhookUrl ?? expect.fail('no webhook');
    const post = () =>
      fetch(url, {
        method: 'POST',
        headers: { [HEADER]: WEBHOOK_SECRET },
        body: JSON.stringify(update(1)),
      });
    const early = await post();
    expect(early.status).toBe(503);
    expect(early.headers.get('retry-after')).toBe('5');
    await bot.start();
    expect((await post()).status).toBe(200);
    await bot.stop();
    expect((await post()).status).toBe(503);
  });

  it('loses no update while the program is down', async () => {
    const { telegram, bot, inbound } = await newBot({ mode: 'webhook' });
    await bot.start();
    const ama = telegram.person('Ama Mensah');
    await bot.stop();
    ama.type(telegram.privateChat(ama), '/charge');
    await eventually(() => expect(telegram.webhookDeliveries.at(-1)?.status).toBe(503));
    const restarted = await startedBot({ mode: 'webhook', telegram });
    await eventually(() => expect(restarted.inbound.seen).toHaveLength(1));
    expect(inbound.seen).toEqual([]);
    await eventually(() => expect(telegram.webhookDeliveries.at(-1)?.status).toBe(200));
    expect(telegram.webhookDeliveries.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(telegram.pendingUpdates).toBe(0);
  });

  it('that Telegram cannot reach refuses to start, and says what to set', async () => {
    const telegram = await TelegramSimulator.start();
    const bot = botOn(telegram, {
      publicUrl: 'http://pay.example.com:3000',
      webhookSecret: WEBHOOK_SECRET,
    });
    const error = await bot.start().catch((reason: unknown) => reason);
    await bot.stop();
    await telegram.stop();
    expect(error).toBeInstanceOf(StartError);
    expect(String(error)).toMatch(/PUBLIC_URL.*https/);
    expect(String(error)).not.toContain(WEBHOOK_SECRET);
  });
});

/** The status a handler gives to one POST. */
const statusFrom = async (
  handle: TelegramBot['handle'],
  headers: Record<string, string>,
): Promise<number> => {
  const url = await serveHttp((...exchange) => handle?.(...exchange));
  return (await fetch(url, { method: 'POST', headers, body: '{}' })).status;
};
