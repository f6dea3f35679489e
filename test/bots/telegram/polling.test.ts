import { describe, expect } from 'vitest';
import { POLL_SECONDS } from '../../../src/bots/telegram/polling.ts';
import { StartError } from '../../../src/core/runtime/errors.ts';
import { eventually } from '../../support/eventually.ts';
import { FastClock } from '../../support/fast-clock.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { TelegramSimulator } from '../../support/telegram-simulator.ts';
import { together } from '../../support/together.ts';
import { newBot, startedBot } from './started-bot.ts';

const it = together();

const button = { kind: 'press', label: 'Charge', verb: 'confirm', id: 'd1' } as const;

/** A group in which the bot has asked a question. */
const withQuestion = async (options: Parameters<typeof newBot>[0] = {}) => {
  const started = await startedBot(options);
  const { telegram, inbound } = started;
  const ama = telegram.person('Ama Mensah');
  const chat = telegram.privateChat(ama);
  inbound.onCommand = (event) =>
    event.surface.say({ title: 'Charge?', parts: [], buttons: [button] });
  const question = await ama.ask(chat, '/charge', /Charge\?/);
  await nothingPending(telegram);
  return { ...started, ama, chat, question };
};

const nothingPending = (telegram: TelegramSimulator) =>
  eventually(() => expect(telegram.pendingUpdates).toBe(0));

describe('connecting', () => {
  it.each(['123456789:AAE-somebody-elses-token', 'nonsense'])(
    'refuses to start with the token %s, and names the variable but not its value',
    async (token) => {
      const { bot } = await newBot({ token });
      const error = await bot.start().catch((reason: unknown) => reason);
      expect(error).toBeInstanceOf(StartError);
      expect(error).toMatchObject({
        exitCode: 78,
        message: expect.stringContaining('TELEGRAM_BOT_TOKEN'),
      });
      expect(String(error)).not.toContain(token);
    },
  );

  it('keeps trying while Telegram cannot be reached', async () => {
    const clock = new ManualClock();
    const { telegram, bot, logged } = await newBot({ clock });
    telegram.failNext('getMe', { kind: 'cutBefore' });
    telegram.failNext('getMe', { kind: 'html', status: 502 });
    expect(bot.notReady()).toBe('not connected yet');
    await bot.start();
    expect(bot.notReady()).toBe('no answer from Telegram');
    expect(logged()).not.toContain('connected to Telegram');
    await eventually(async () => {
      await clock.advance(1_000);
      expect(bot.notReady()).toBeUndefined();
    });
    expect(logged()).toMatch(
      /"bot":"PaythreadBot".*connected to Telegram|connected to Telegram.*"bot":"PaythreadBot"/,
    );
  });

  it('can be stopped while it keeps trying', async () => {
    const { telegram, bot } = await newBot({ clock: new ManualClock() });
    telegram.failNext('getMe', { kind: 'cutBefore' });
    await bot.start();
    await bot.stop();
    expect(telegram.calls('getUpdates')).toEqual([]);
  });

  it('removes a webhook somebody else set, and warns about it', async () => {
    const { telegram, bot, logged } = await newBot();
    telegram.setWebhook('http://127.0.0.1:1/telegram/webhook', 'x');
    await bot.start();
    expect(telegram.webhookUrl).toBeUndefined();
    expect(logged()).toContain('a webhook was set');
  });

  it('works with a server that does not tell of webhooks', async () => {
    const { telegram, bot, logged } = await newBot();
    const description = 'Not Found: method not found';
    telegram.failNext('getWebhookInfo', { kind: 'refuse', code: 404, description });
    await bot.start();
    expect(bot.notReady()).toBeUndefined();
    expect(logged()).toContain('does not tell whether a webhook is set');
  });

  it('asks for no more kinds of update than it acts on', async () => {
    const { telegram } = await startedBot();
    const ama = telegram.person('Ama Mensah');
    ama.type(telegram.privateChat(ama), '/help');
    const first = await eventually(
      () => telegram.calls('getUpdates')[0] ?? expect.fail('no poll was answered'),
    );
    expect(first.params.allowed_updates).toEqual(['message', 'callback_query', 'my_chat_member']);
  });

  it('shows the menu, and works without one', async () => {
    const { telegram, bot } = await newBot();
    telegram.failNext('setMyCommands', {
      kind: 'refuse',
      code: 400,
      description: 'Bad Request: no',
    });
    await bot.start();
    expect(bot.notReady()).toBeUndefined();
    const { telegram: other } = await startedBot();
    const menu = [{ command: 'charge', description: 'Ask a customer for money' }];
    await eventually(() => expect(other.menu).toEqual(menu));
  });
});

describe('while it runs', () => {
  it('says what is missing while Telegram is away, and goes on by itself', async () => {
    const { telegram, bot, ama, chat, inbound } = await withQuestion({ clock: new FastClock() });
    for (let time = 0; time < 8; time++)
      telegram.failNext('getUpdates', { kind: 'html', status: 502 });
    ama.type(chat, '/help');
    await eventually(() => expect(bot.notReady()).toBe('no answer from Telegram'));
    ama.type(chat, '/balance');
    await eventually(() => expect(bot.notReady()).toBeUndefined());
    await eventually(() => expect(inbound.seen).toHaveLength(3));
  });

  it('survives a revoked token until a good one is back', { tags: ['F55'] }, async () => {
    const { telegram, bot, ama, chat, inbound } = await withQuestion({ clock: new FastClock() });
    telegram.revokeToken();
    ama.type(chat, '/help');
    await eventually(() => expect(bot.notReady()).toBe('Telegram refuses TELEGRAM_BOT_TOKEN'));
    telegram.restoreToken();
    await eventually(() => expect(bot.notReady()).toBeUndefined());
    await eventually(() => expect(inbound.seen.at(-1)).toMatchObject({ name: 'help' }));
  });

  it('says so when another program uses the same token', async () => {
    const { telegram, bot } = await startedBot({ clock: new FastClock() });
    const other = await startedBot({ telegram, clock: new FastClock() });
    await eventually(() => {
      const missing = [bot.notReady(), other.bot.notReady()];
      expect(missing).toContain('another program uses the same TELEGRAM_BOT_TOKEN');
    });
  });
});

describe('an update', () => {
  it('with a press is confirmed only after the press had its effect', async () => {
    const { telegram, ama, question, inbound } = await withQuestion();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    inbound.onPress = () => opened;
    const press = ama.press(question, 'Charge');
    await eventually(() => expect(inbound.seen.at(-1)).toMatchObject({ kind: 'press' }));
    expect(telegram.pendingUpdates).toBe(1);
    // A program that dies here finds the press again when it is back.
    const restarted = await startedBot({ telegram });
    await eventually(() => expect(restarted.inbound.seen).toHaveLength(1));
    expect(restarted.inbound.seen[0]?.inbound.eventId).toBe(`telegram:${press.updateId}`);
    open();
  });

  it('with a press that takes very long holds the others up for ten seconds at most', async () => {
    const clock = new ManualClock();
    const { telegram, ama, chat, question, inbound } = await withQuestion({ clock });
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    inbound.onPress = () => opened;
    ama.press(question, 'Charge');
    await eventually(() => expect(inbound.seen.at(-1)).toMatchObject({ kind: 'press' }));
    ama.type(chat, '/help');
    await clock.advance(9_999);
    expect(inbound.seen.at(-1)).toMatchObject({ kind: 'press' });
    await clock.advance(1);
    await eventually(() => expect(inbound.seen.at(-1)).toMatchObject({ name: 'help' }));
    await nothingPending(telegram);
    open();
  });

  it('with a command does not hold the others up', async () => {
    const { telegram, ama, inbound } = await withQuestion();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    inbound.onCommand = () => opened;
    const kofi = telegram.person('Kofi');
    ama.type(telegram.privateChat(ama), '/charge');
    await nothingPending(telegram);
    kofi.type(telegram.privateChat(kofi), '/help');
    await eventually(() => expect(inbound.seen).toHaveLength(3));
    open();
  });
});

describe('stopping', () => {
  it('waits for what is in hand, takes nothing more, and confirms how far it came', async () => {
    const { telegram, bot, ama, chat, inbound } = await withQuestion();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    inbound.onCommand = async (event) => {
      await opened;
      await event.surface.say({ title: 'Finished', parts: [] });
    };
    const last = ama.type(chat, '/slow');
    await eventually(() => expect(inbound.seen).toHaveLength(2));
    await nothingPending(telegram);
    const polls = telegram.calls('getUpdates').length;
    let stopped = false;
    const stopping = bot.stop().then(() => {
      stopped = true;
    });
    // The poll under way has ended, and still somebody waits for an answer.
    await eventually(() => expect(telegram.calls('getUpdates').length).toBeGreaterThan(polls));
    await new Promise((resolve) => setImmediate(resolve));
    expect(stopped).toBe(false);
    ama.type(chat, '/late');
    open();
    await stopping;
    expect(chat.fromBot.at(-1)?.text).toBe('Finished');
    expect(inbound.seen).toHaveLength(2);
    expect(telegram.confirmedBelow).toBe((last.updateId ?? 0) + 1);
    // What came too late is there for the next start.
    const restarted = await startedBot({ telegram });
    await eventually(() => expect(restarted.inbound.seen).toHaveLength(1));
    expect(restarted.inbound.seen[0]).toMatchObject({ name: 'late' });
  });

  it('waits for a press in hand, and confirms it', async () => {
    const { telegram, bot, ama, question, inbound } = await withQuestion();
    const { promise: opened, resolve: open } = Promise.withResolvers<void>();
    inbound.onPress = () => opened;
    ama.press(question, 'Charge');
    await eventually(() => expect(inbound.seen.at(-1)).toMatchObject({ kind: 'press' }));
    const stopping = bot.stop();
    await new Promise((resolve) => setImmediate(resolve));
    expect(telegram.pendingUpdates).toBe(1);
    open();
    await stopping;
    expect(telegram.pendingUpdates).toBe(0);
  });

  it('ends the long poll at once', async () => {
    const { bot, telegram } = await startedBot();
    const startedMs = Date.now();
    await bot.stop();
    // Left alone it would end by itself.
    expect(Date.now() - startedMs).toBeLessThan((POLL_SECONDS * 1_000) / 2);
    expect(telegram.calls('getUpdates').length).toBeLessThan(3);
  });

  it('does not fail when Telegram is away', async () => {
    const { telegram, bot } = await withQuestion();
    telegram.failNext('getUpdates', { kind: 'cutBefore' });
    telegram.failNext('getUpdates', { kind: 'cutBefore' });
    await bot.stop();
  });
});
