import { describe, expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import type { Chat } from '../../support/telegram/chat.ts';
import type { Person } from '../../support/telegram/person.ts';
import { ANONYMOUS, ROBOT } from '../../support/telegram/stand-ins.ts';
import { inFastTime, startedBot } from './started-bot.ts';

/** Everything here holds whichever way the updates come. */
describe.each(['polling', 'webhook'] as const)('what is typed, by %s', (mode) => {
  const setUp = async () => {
    const started = await startedBot({ mode, ...inFastTime() });
    const ama = started.telegram.person('Ama Mensah');
    const chat = started.telegram.privateChat(ama);
    return { ...started, ama, chat };
  };

  it('is a command with its words, from a caller known by id', async () => {
    const { ama, chat, next } = await setUp();
    const typed = ama.type(chat, '/charge 0244123456 50 GHS\nfor rice');
    const event = await next();
    expect(event).toMatchObject({
      kind: 'command',
      name: 'charge',
      words: '0244123456 50 GHS\nfor rice',
    });
    expect(event.inbound.caller).toEqual({
      platform: 'telegram',
      id: ama.id,
      name: 'Ama Mensah',
      conversation: { platform: 'telegram', channel: chat.id, replyTo: String(typed.id) },
    });
    expect(event.inbound.eventId).toBe(`telegram:${typed.updateId}`);
    expect(event.inbound.surface.answersAreReplies).toBe(false);
  });

  it('is understood with the bot’s name and in capitals', async () => {
    const { telegram, ama, next } = await setUp();
    const group = telegram.group('Sales', [ama]);
    ama.type(group, '/CHARGE@paythreadBOT 0244123456 50');
    expect(await next()).toMatchObject({ name: 'charge', words: '0244123456 50' });
  });

  it('is understood when the server marks no commands', async () => {
    const { ama, chat, next } = await setUp();
    ama.type(chat, '/charge 0244123456 50', { extra: { entities: undefined } });
    expect(await next()).toMatchObject({ name: 'charge', words: '0244123456 50' });
    ama.type(chat, '/home/ama is a folder', { extra: { entities: undefined } });
    expect(await next()).toMatchObject({ kind: 'text' });
  });

  it('is text when only something else is marked in it, from a caller who may have no name', async () => {
    const { telegram, next } = await setUp();
    const nameless = telegram.person('');
    const entities = [{ type: 'bold', offset: 0, length: 2 }];
    nameless.type(telegram.privateChat(nameless), '50', { extra: { entities } });
    const event = await next();
    expect(event).toMatchObject({ kind: 'text', text: '50' });
    expect(event.inbound.caller.name).toBe(`user ${nameless.id}`);
  });

  it('keeps the topic of a forum, and no other thread', async () => {
    const { telegram, ama, next } = await setUp();
    const forum = telegram.forum('Shop', [ama]);
    const topic = forum.topic('Monday');
    ama.type(forum, '/charge', { topic });
    expect((await next()).inbound.caller.conversation).toMatchObject({ thread: String(topic) });
    const plain = telegram.supergroup('Sales', [ama]);
    ama.type(plain, '/charge', { extra: { message_thread_id: 77 } });
    expect((await next()).inbound.caller.conversation).not.toHaveProperty('thread');
  });

  it('is help when somebody presses Start', async () => {
    const { telegram, ama, next } = await setUp();
    ama.type(telegram.privateChat(ama), '/start from_a_link');
    expect(await next()).toMatchObject({ name: 'help', words: '' });
    ama.type(telegram.privateChat(ama), '/start');
    expect(await next()).toMatchObject({ name: 'help', words: 'start' });
  });

  it('is left alone when it is for another bot', async () => {
    const { telegram, ama, inbound, next } = await setUp();
    const group = telegram.group('Sales', [ama], { privacy: false });
    ama.type(group, '/charge@OtherBot 0244123456 50');
    ama.type(group, '/help');
    expect(await next()).toMatchObject({ name: 'help' });
    expect(inbound.seen).toHaveLength(1);
    expect(group.fromBot).toEqual([]);
  });

  it('is text in a private chat, and a command without a slash when nobody waited for it', async () => {
    const { ama, chat, inbound, next } = await setUp();
    inbound.onText = async (_inbound, text) => text === '50';
    ama.type(chat, '50');
    expect(await next()).toMatchObject({ kind: 'text', text: '50' });
    ama.type(chat, 'Charge 0244123456 50');
    expect(await next()).toMatchObject({ kind: 'text' });
    expect(await next()).toMatchObject({
      kind: 'command',
      name: 'Charge',
      words: '0244123456 50',
    });
    expect(chat.fromBot).toEqual([]);
  });

  it('is text in a group only as a reply to the bot, and never gets a hint', {
    tags: ['T10'],
  }, async () => {
    const { telegram, ama, inbound, next } = await setUp();
    const group = telegram.group('Sales', [ama], { privacy: false });
    inbound.onText = async () => false;
    inbound.onCommand = (event) => event.surface.say({ title: 'Amount?', parts: [] });
    ama.type(group, '/charge');
    expect((await next()).inbound.surface.answersAreReplies).toBe(true);
    const question = await group.waitFor(/Amount/);
    const theirs = ama.type(group, 'lunch?');
    ama.type(group, 'yes', { replyTo: theirs });
    ama.type(group, '50', { replyTo: question });
    expect(await next()).toMatchObject({ kind: 'text', text: '50' });
    ama.type(group, '/help');
    expect(await next()).toMatchObject({ name: 'help' });
    expect(inbound.seen).toHaveLength(3);
    await eventually(() =>
      expect(group.fromBot.map(({ text }) => text)).toEqual(['Amount?', 'Amount?']),
    );
  });

  it('is answered one after the other for each person', async () => {
    const { telegram, ama, inbound, next } = await setUp();
    const kofi = telegram.person('Kofi');
    const group = telegram.group('Sales', [ama, kofi]);
    const gates: (() => void)[] = [];
    inbound.onCommand = () => new Promise((resolve) => gates.push(resolve));
    ama.type(group, '/first');
    ama.type(group, '/second');
    kofi.type(group, '/other');
    await next();
    expect(await next()).toMatchObject({ name: 'other' });
    expect(inbound.seen).toHaveLength(2);
    for (const open of gates) open();
    expect(await next()).toMatchObject({ name: 'second' });
    gates.at(-1)?.();
  });

  it.each([
    [
      'forwarded',
      (ama: Person, chat: Chat) => ama.forward(chat, '/charge 0244123456 50'),
      /forwarded/,
    ],
    [
      'made by another bot',
      (ama: Person, chat: Chat) => ama.typeVia(chat, '/charge 1 2', 'gif'),
      /another bot/,
    ],
    [
      'sent by a timer',
      (ama: Person, chat: Chat) => ama.type(chat, '/charge', { extra: { is_from_offline: true } }),
      /scheduled/,
    ],
    [
      'forwarded, as an older server tells it',
      (ama: Person, chat: Chat) => ama.type(chat, '/charge 1 2', { extra: { forward_date: 1 } }),
      /forwarded/,
    ],
    [
      'written anonymously',
      (_ama: Person, chat: Chat) => chat.typeAnonymously('/charge 1 2'),
      /who you are/,
    ],
    [
      'written in the name of a channel',
      (_ama: Person, chat: Chat) => chat.typeAsChannel(chat, '/charge 1 2'),
      /who you are/,
    ],
    [
      'written by a stand-in that does not say for whom',
      (_ama: Person, chat: Chat) => chat.write(ANONYMOUS, '/charge 1 2', {}),
      /who you are/,
    ],
  ])('is turned away with a sentence when %s', { tags: ['T7'] }, async (_what, send, sentence) => {
    const { telegram, ama, inbound, next } = await setUp();
    const group = telegram.group('Sales', [ama]);
    const sent = send(ama, group);
    expect((await group.waitFor(sentence)).replyTo).toBe(sent);
    expect(inbound.seen).toEqual([]);
    telegram.redeliver(sent.updateId);
    ama.type(group, '/help');
    await next();
    expect(group.fromBot).toHaveLength(1);
  });

  it('is ignored when it is an edit, a channel post, the forward of one, or a bot’s', async () => {
    const { telegram, ama, chat, inbound, next } = await setUp();
    const group = telegram.group('Sales', [ama], { privacy: false });
    const channel = telegram.channel('News');
    const typed = ama.type(group, 'nothing');
    ama.edit(group, typed, '/charge 0244123456 50');
    channel.channelPost('/charge 0244123456 50');
    group.bringPost(channel, '/charge 0244123456 50');
    group.write(ROBOT, '/charge 0244123456 50', {});
    ama.type(group, '/charge 0244123456 50', { extra: { from: undefined } });
    // A machine is not told why either: it might answer.
    group.write(ROBOT, '/charge 0244123456 50', { extra: { forward_origin: { type: 'user' } } });
    group.write(ROBOT, '/charge 0244123456 50', { extra: { via_bot: ROBOT } });
    ama.type(chat, '/help');
    expect(await next()).toMatchObject({ name: 'help' });
    await eventually(() => expect(telegram.pendingUpdates).toBe(0));
    expect(inbound.seen).toHaveLength(1);
    expect([...group.fromBot, ...channel.fromBot]).toEqual([]);
  });

  it('is none in inline mode, which the bot does not take part in', async () => {
    const { telegram, ama, chat, inbound, next } = await setUp();
    // It has said by then what it wants to be told of.
    ama.type(chat, '/help');
    await next();
    expect(ama.askInline('charge 0244123456 50')).toEqual([undefined, undefined]);
    expect(ama.pressInline('confirm:d1')).toBeDefined();
    ama.type(chat, '/help');
    expect(await next()).toMatchObject({ name: 'help' });
    await eventually(() => expect(telegram.pendingUpdates).toBe(0));
    expect(inbound.seen).toHaveLength(2);
  });

  it('is asked for in words when it is a picture', async () => {
    const { ama, chat } = await setUp();
    ama.type(chat, '', { extra: { photo: [], caption: '/charge 0244123456 50' } });
    await chat.waitFor(/only read typed text/);
    ama.type(chat, '', { extra: { photo: [], caption: '4111 1111 1111 1111' } });
    await chat.waitFor(/card number/i);
  });

  it.each([
    ['a GIF', { animation: {}, document: { file_id: 'f1', file_name: 'cat.mp4' } }],
    ['a poll', { poll: {} }],
    ['a location', { location: {} }],
    ['a rich message', { rich_message: {} }],
  ])('is asked for in words when it is %s', async (_what, extra) => {
    const { telegram, ama, chat, inbound, next } = await setUp();
    const group = telegram.group('Sales', [ama]);
    ama.type(chat, '', { extra });
    await chat.waitFor(/only read typed text/);
    ama.type(group, '', { extra });
    ama.type(group, '/help');
    await next();
    expect(inbound.seen).toHaveLength(1);
    expect(group.fromBot).toEqual([]);
  });

  it('is handled once, however often it is delivered', { tags: ['F56'] }, async () => {
    const { telegram, ama, chat, inbound, next } = await setUp();
    const typed = ama.type(chat, '/charge 0244123456 50');
    await next();
    telegram.redeliver(typed.updateId);
    telegram.redeliver(typed.updateId);
    ama.type(chat, '/help');
    expect(await next()).toMatchObject({ name: 'help' });
    expect(inbound.seen).toHaveLength(2);
  });

  it('moves a group to its new id', async () => {
    const { telegram, ama, moves } = await setUp();
    const group = telegram.group('Sales', [ama]);
    const moved = group.migrate();
    await eventually(() => expect(moves).toContainEqual([group.id, moved.id]));
  });

  it('gets an answer that claims nothing when it fails inside', async () => {
    const { telegram, ama, chat, inbound, logged } = await setUp();
    inbound.onCommand = async () => {
      throw new Error(`broken at https://x/bot${telegram.token}/y`);
    };
    await ama.ask(chat, '/charge 0244123456 50', /Nothing was charged by this message/);
    expect(logged()).toContain('broken at');
    expect(logged()).not.toContain(telegram.token);
  });
});
