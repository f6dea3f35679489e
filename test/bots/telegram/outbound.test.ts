import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Conversation, Delivery, MessageRef } from '../../../src/core/values/conversation.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import type { Chat } from '../../support/telegram/chat.ts';
import { newBot } from './started-bot.ts';

const card: Card = {
  title: 'GHS 50.00 · completed',
  parts: [{ kind: 'text', text: 'Paid by A & B.' }],
};

const placeOf = (chat: Chat, more: Partial<Conversation> = {}): Conversation => ({
  platform: 'telegram',
  channel: chat.id,
  ...more,
});

/** Flood limits off: these tests are about everything else. */
const setUp = async (options: Parameters<typeof newBot>[0] = {}) => {
  const started = await newBot({ simulator: { flood: false }, ...options });
  const { telegram, bot } = started;
  const ama = telegram.person('Ama Mensah');
  const chat = telegram.privateChat(ama);
  const post = (conversation: Conversation, under?: MessageRef, mayStand = false) =>
    bot.post({ conversation, ...(under === undefined ? {} : { under }), card, key: 'k', mayStand });
  return { ...started, ama, chat, post };
};

const delivered = (delivery: Delivery): MessageRef => {
  if (delivery.kind !== 'delivered') throw new Error(JSON.stringify(delivery));
  return delivery.ref;
};

describe('a message posted to Telegram', () => {
  it('answers the command, in its topic', async () => {
    const { telegram, ama, post } = await setUp();
    const forum = telegram.forum('Shop', [ama]);
    const topic = forum.topic('Monday');
    const typed = ama.type(forum, '/charge', { topic });
    const place = placeOf(forum, { thread: String(topic), replyTo: String(typed.id) });
    const ref = delivered(await post(place));
    expect(ref).toEqual({ conversation: place, message: String(forum.fromBot[0]?.id) });
    expect(forum.fromBot[0]).toMatchObject({ topicId: topic, replyTo: typed });
    expect(forum.fromBot[0]?.text).toBe('GHS 50.00 · completed\n\nPaid by A & B.');
  });

  it('goes under a message of ours rather than under the command', async () => {
    const { ama, chat, post } = await setUp();
    const typed = ama.type(chat, '/charge');
    const place = placeOf(chat, { replyTo: String(typed.id) });
    await post(place, delivered(await post(place)));
    expect(chat.fromBot[1]?.replyTo).toBe(chat.fromBot[0]);
  });

  it('does without the reply when the message to answer is gone', async () => {
    const { telegram, ama, post } = await setUp();
    const group = telegram.group('Sales', [ama]);
    const typed = ama.type(group, '/charge');
    group.deleteMessage(typed);
    delivered(await post(placeOf(group, { replyTo: String(typed.id) })));
    expect(group.fromBot[0]?.replyTo).toBeUndefined();
    expect(telegram.calls('sendMessage')).toHaveLength(1);
  });

  it('does without the reply when Telegram insists on it', async () => {
    const { telegram, ama, post } = await setUp();
    const group = telegram.group('Sales', [ama]);
    const description = 'Bad Request: message to be replied not found';
    telegram.failNext('sendMessage', { kind: 'refuse', code: 400, description });
    delivered(await post(placeOf(group, { replyTo: '5' })));
    expect(telegram.calls('sendMessage')[1]?.params).not.toHaveProperty('reply_parameters');
  });

  it('goes to the chat itself when its topic is deleted', { tags: ['F54'] }, async () => {
    const { telegram, ama, post } = await setUp();
    const forum = telegram.forum('Shop', [ama]);
    const topic = forum.topic('Monday');
    const typed = ama.type(forum, '/charge', { topic });
    forum.deleteTopic(topic);
    const place = placeOf(forum, { thread: String(topic), replyTo: String(typed.id) });
    const ref = delivered(await post(place));
    expect(ref.conversation).not.toHaveProperty('thread');
    expect(forum.fromBot[0]).toMatchObject({ topicId: undefined, replyTo: undefined });
  });

  it('is sent once more as plain text when Telegram cannot read the markup', async () => {
    const { telegram, chat, post } = await setUp();
    const description = "Bad Request: can't parse entities: Unsupported start tag";
    telegram.failNext('sendMessage', { kind: 'refuse', code: 400, description });
    delivered(await post(placeOf(chat)));
    expect(chat.fromBot[0]?.text).toBe('GHS 50.00 · completed\n\nPaid by A & B.');
    expect(telegram.calls('sendMessage')[1]?.params).not.toHaveProperty('parse_mode');
  });

  it('gives up a second time that Telegram objects to the same thing', async () => {
    const { telegram, chat, post } = await setUp();
    const description = "Bad Request: can't parse entities: whatever";
    for (let time = 0; time < 2; time++)
      telegram.failNext('sendMessage', { kind: 'refuse', code: 400, description });
    expect(await post(placeOf(chat))).toMatchObject({ kind: 'gone' });
    expect(telegram.calls('sendMessage')).toHaveLength(2);
  });

  it('says that it is a repeat when an earlier try may stand', { tags: ['F51'] }, async () => {
    const { telegram, chat, post } = await setUp();
    telegram.failNext('sendMessage', { kind: 'cutAfter' });
    expect(await post(placeOf(chat))).toMatchObject({ kind: 'unclear' });
    delivered(await post(placeOf(chat), undefined, true));
    expect(chat.fromBot.map(({ text }) => /Sent again/.test(text))).toEqual([false, true]);
  });

  it('sends no parameter that Telegram does not know', async () => {
    const { telegram, bot, chat, post } = await setUp();
    const ref = delivered(await post(placeOf(chat)));
    await bot.edit(ref, { title: 'other', parts: [] });
    expect(telegram.ledger.flatMap(({ unknownParams }) => unknownParams)).toEqual([]);
    expect(telegram.ledger.map(({ params }) => typeof params.chat_id)).toEqual([
      'number',
      'number',
    ]);
  });
});

describe('what becomes of a message that Telegram does not take', () => {
  it.each([
    ['blocked', 'Unblock me in Telegram.'],
    ['kicked', 'Add me to the group again.'],
    ['left', 'Add me to the group again.'],
    ['muted', 'Allow me to write in this chat.'],
    ['deactivated', undefined],
  ] as const)('is gone for good where the bot is %s', async (state, remedy) => {
    const { telegram, ama, post } = await setUp();
    const isPerson = state === 'blocked' || state === 'deactivated';
    const chat = isPerson ? telegram.privateChat(ama) : telegram.group('Sales', [ama]);
    chat.record.botState = state;
    const delivery = await post(placeOf(chat));
    expect(delivery.kind).toBe('gone');
    expect(delivery.kind === 'gone' ? delivery.remedy : '').toBe(remedy);
  });

  it('is gone for a person who never pressed Start, with the remedy', async () => {
    const { telegram, post } = await setUp();
    const chat = telegram.privateChat(telegram.person('Kofi'), { started: false });
    expect(await post(placeOf(chat))).toMatchObject({
      kind: 'gone',
      remedy: expect.stringContaining('press Start'),
    });
  });

  it('moves with a group that became a supergroup, without the ids of the old one', async () => {
    const clock = new ManualClock();
    const { telegram, ama, post } = await setUp({ clock });
    const group = telegram.group('Sales', [ama]);
    const typed = ama.type(group, '/charge');
    const first = delivered(await post(placeOf(group)));
    await clock.advance(2_000);
    const moved = group.migrate();
    const delivery = await post(placeOf(group, { replyTo: String(typed.id) }), first);
    expect(delivery).toEqual({ kind: 'moved', conversation: placeOf(moved) });
    // A reference into the old group answers nothing in the new one.
    delivered(await post(placeOf(moved), first));
    expect(telegram.calls('sendMessage').at(-1)?.params).not.toHaveProperty('reply_parameters');
  });

  it('waits as long as Telegram asks, and holds back the whole chat', async () => {
    const clock = new ManualClock();
    const { telegram, chat, post } = await setUp({ clock });
    telegram.failNext('sendMessage', { kind: 'rateLimit', retryAfterSeconds: 7 });
    expect(await post(placeOf(chat))).toEqual({ kind: 'rateLimited', retryAfterMs: 7_000 });
    expect(await post(placeOf(chat))).toEqual({ kind: 'rateLimited', retryAfterMs: 7_000 });
    expect(telegram.calls('sendMessage')).toHaveLength(1);
    await clock.advance(7_000);
    delivered(await post(placeOf(chat)));
  });

  it.each([
    ['the connection is cut before the work', { kind: 'cutBefore' }],
    ['the connection is cut after the work', { kind: 'cutAfter' }],
    ['an error page comes', { kind: 'html', status: 502 }],
    ['Telegram itself fails', { kind: 'refuse', code: 500, description: 'Internal Server Error' }],
  ] as const)('is unclear when %s', async (_what, fault) => {
    const { telegram, chat, post } = await setUp();
    telegram.failNext('sendMessage', fault);
    expect(await post(placeOf(chat))).toMatchObject({ kind: 'unclear' });
    expect(telegram.calls('sendMessage')).toHaveLength(1);
  });

  it('is certainly not posted when nobody listens', async () => {
    const { chat, post } = await setUp({ apiRoot: await deadAddress() });
    expect(await post(placeOf(chat))).toMatchObject({ kind: 'not sent' });
  });

  it('waits for a good token when this one is refused', { tags: ['F55'] }, async () => {
    const { telegram, chat, post } = await setUp();
    telegram.revokeToken();
    expect(await post(placeOf(chat))).toMatchObject({ kind: 'not sent' });
  });

  it('never rejects for a card nobody can send', async () => {
    const { telegram, bot, chat } = await setUp();
    const button = { kind: 'press', label: 'x', verb: 'v', id: 'x'.repeat(99) } as const;
    const impossible = { title: 'x', parts: [], buttons: [button] };
    const conversation = placeOf(chat);
    const delivery = await bot.post({ conversation, card: impossible, key: 'k', mayStand: false });
    expect(delivery).toMatchObject({ kind: 'gone' });
    expect(telegram.ledger).toEqual([]);
  });

  it('logs neither token nor text', async () => {
    const { telegram, ama, post, logged } = await setUp();
    const chat = telegram.privateChat(ama);
    for (const kind of ['cutBefore', 'cutAfter'] as const) {
      telegram.failNext('sendMessage', { kind });
      await post(placeOf(chat));
    }
    ama.block(chat);
    await post(placeOf(chat));
    expect(logged()).toContain('sendMessage');
    expect(logged()).not.toContain(telegram.token);
    expect(logged()).not.toContain('Paid by A');
  });
});

describe('an edit', () => {
  const posted = async () => {
    const all = await setUp();
    return { ...all, ref: delivered(await all.post(placeOf(all.chat))) };
  };

  it('changes the message and takes its buttons away', async () => {
    const { bot, chat, ref } = await posted();
    const button = { kind: 'press', label: 'Go', verb: 'v', id: 'i' } as const;
    await bot.edit(ref, { title: 'one', parts: [], buttons: [button] });
    expect(chat.fromBot[0]?.buttons).toEqual([['Go']]);
    expect(await bot.edit(ref, { title: 'two', parts: [] })).toEqual({ kind: 'delivered', ref });
    expect(chat.fromBot[0]).toMatchObject({ text: 'two', buttons: [] });
  });

  it('that changes nothing counts as delivered', { tags: ['F58'] }, async () => {
    const { bot, ref } = await posted();
    expect(await bot.edit(ref, card)).toEqual({ kind: 'delivered', ref });
  });

  it('of a deleted message is gone', async () => {
    const { bot, chat, ref } = await posted();
    chat.deleteMessage(chat.messages[0] ?? expect.fail('nothing posted'));
    expect(await bot.edit(ref, { title: 'x', parts: [] })).toMatchObject({ kind: 'gone' });
  });

  it('of somebody else’s message is gone', async () => {
    const { bot, ama, chat, ref } = await posted();
    const theirs = ama.type(chat, 'hello');
    const other = { ...ref, message: String(theirs.id) };
    expect(await bot.edit(other, { title: 'x', parts: [] })).toMatchObject({ kind: 'gone' });
    expect(theirs.text).toBe('hello');
  });
});

describe('an edit that only says that a payment is under way', () => {
  const underWay: Card = { title: 'pending', parts: [] };
  const end: Card = { title: 'completed', parts: [] };
  const HELD_MS = 6_000;
  const posted = async (kind: 'group' | 'privateChat') => {
    const clock = new ManualClock();
    const all = await setUp({ clock });
    const chat = kind === 'group' ? all.telegram.group('Sales', [all.ama]) : all.chat;
    const ref = delivered(await all.post(placeOf(chat)));
    await clock.advance(2_000);
    return { ...all, clock, chat, ref };
  };

  it('waits in a group for the one that tells the end, which goes at once', async () => {
    const { bot, chat, clock, ref } = await posted('group');
    expect(await bot.edit(ref, underWay, 'pending')).toMatchObject({ retryAfterMs: HELD_MS });
    await clock.advance(1_000);
    expect(await bot.edit(ref, underWay, 'pending')).toMatchObject({
      retryAfterMs: HELD_MS - 1_000,
    });
    delivered(await bot.edit(ref, end, 'card'));
    expect(chat.fromBot[0]?.versions.map(({ text }) => text).slice(1)).toEqual(['completed']);
  });

  it('comes some seconds later where no end came, and the next one at once', async () => {
    const { bot, clock, chat, ref } = await posted('group');
    await bot.edit(ref, underWay, 'pending');
    await clock.advance(HELD_MS);
    delivered(await bot.edit(ref, underWay, 'pending'));
    await clock.advance(2_000);
    delivered(await bot.edit(ref, { ...underWay, title: 'still pending' }, 'pending'));
    expect(chat.fromBot[0]?.text).toBe('still pending');
  });

  it('comes at once in a private chat, which takes more', async () => {
    const { bot, ref } = await posted('privateChat');
    delivered(await bot.edit(ref, underWay, 'pending'));
  });
});

describe('a second try', () => {
  it('says so after a try that had no answer, and not when a process that died may have tried', async () => {
    const { chat, bot } = await setUp();
    const message = { conversation: placeOf(chat), card, key: 'k' };
    await bot.post({ ...message, mayStand: false, lookFirst: true });
    expect(chat.fromBot.at(-1)?.text).not.toContain('Sent again');
    await bot.post({ ...message, mayStand: true });
    expect(chat.fromBot.at(-1)?.text).toContain('Sent again, because no answer came');
  });
});

describe('the pace', () => {
  it('keeps a chat at one message a second after a burst of three', async () => {
    const clock = new ManualClock();
    const { telegram, ama, post } = await setUp({ clock, simulator: { now: () => clock.now() } });
    const place = placeOf(telegram.privateChat(ama));
    for (let sent = 0; sent < 3; sent++) delivered(await post(place));
    expect(await post(place)).toEqual({ kind: 'rateLimited', retryAfterMs: 1_200 });
    await clock.advance(1_200);
    delivered(await post(place));
  });

  it('brings sixty messages into a group without one 429', async () => {
    const clock = new ManualClock();
    const { telegram, ama, post } = await setUp({ clock, simulator: { now: () => clock.now() } });
    const place = placeOf(telegram.group('Sales', [ama]));
    for (let sent = 0; sent < 60; ) {
      const delivery = await post(place);
      if (delivery.kind === 'delivered') sent += 1;
      else
        await clock.advance(
          delivery.kind === 'rateLimited' ? delivery.retryAfterMs : expect.fail(delivery.kind),
        );
    }
    expect(telegram.calls('sendMessage').filter(({ status }) => status === 429)).toEqual([]);
  });
});

/** A port that was free a moment ago. */
const deadAddress = async (): Promise<string> => {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
};
