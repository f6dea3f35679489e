import { describe, expect, it } from 'vitest';
import type { Inbound } from '../../../src/commands/inbound.ts';
import { eventually } from '../../support/eventually.ts';
import { FastClock } from '../../support/fast-clock.ts';
import type { Chat } from '../../support/telegram/chat.ts';
import type { Person } from '../../support/telegram/person.ts';
import { ANONYMOUS, ROBOT } from '../../support/telegram/stand-ins.ts';
import type { Seen } from '../stub-inbound.ts';
import { type StartedBot, startedBot } from './started-bot.ts';

/** Everything here holds whichever way the updates come. */
describe.each(['polling', 'webhook'] as const)('what is typed, by %s', (mode) => {
  const setUp = async () => {
    const started = await startedBot({ mode, ...inFastTime() });
    const ama = started.telegram.person('Ama Mensah');
    const chat = started.telegram.privateChat(ama);
    return { ...started, ama, chat, ...waiters(started) };
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
  });

  it('is left alone when it is for another bot', async () => {
    const { telegram, ama, next, received } = await setUp();
    const group = telegram.group('Sales', [ama], { privacy: false });
    ama.type(group, '/charge@OtherBot 0244123456 50');
    ama.type(group, '/help');
    expect(await next()).toMatchObject({ name: 'help' });
    expect(received()).toHaveLength(1);
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
      name: 'charge',
      words: '0244123456 50',
    });
    expect(chat.fromBot).toEqual([]);
  });

  it('is text in a group only as a reply to the bot, and never gets a hint', {
    tags: ['T10'],
  }, async () => {
    const { telegram, ama, inbound, next, received } = await setUp();
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
    expect(received()).toHaveLength(3);
    await eventually(() =>
      expect(group.fromBot.map(({ text }) => text)).toEqual(['Amount?', 'Amount?']),
    );
  });

  it('is answered one after the other for each person', async () => {
    const { telegram, ama, inbound, next, received } = await setUp();
    const kofi = telegram.person('Kofi');
    const group = telegram.group('Sales', [ama, kofi]);
    const gates: (() => void)[] = [];
    inbound.onCommand = () => new Promise((resolve) => gates.push(resolve));
    ama.type(group, '/first');
    ama.type(group, '/second');
    kofi.type(group, '/other');
    await next();
    expect(await next()).toMatchObject({ name: 'other' });
    expect(received()).toHaveLength(2);
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
    const { telegram, ama, next, received } = await setUp();
    const group = telegram.group('Sales', [ama]);
    const sent = send(ama, group);
    expect((await group.waitFor(sentence)).replyTo).toBe(sent);
    expect(received()).toEqual([]);
    telegram.redeliver(sent.updateId);
    ama.type(group, '/help');
    await next();
    expect(group.fromBot).toHaveLength(1);
  });

  it('is ignored when it is an edit, a channel post, the forward of one, or a bot’s', async () => {
    const { telegram, ama, chat, next, received } = await setUp();
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
    expect(received()).toHaveLength(1);
    expect([...group.fromBot, ...channel.fromBot]).toEqual([]);
  });

  it('is none in inline mode, which the bot does not take part in', async () => {
    const { telegram, ama, chat, next, received } = await setUp();
    // It has said by then what it wants to be told of.
    ama.type(chat, '/help');
    await next();
    expect(ama.askInline('charge 0244123456 50')).toEqual([undefined, undefined]);
    expect(ama.pressInline('confirm:d1')).toBeDefined();
    ama.type(chat, '/help');
    expect(await next()).toMatchObject({ name: 'help' });
    await eventually(() => expect(telegram.pendingUpdates).toBe(0));
    expect(received()).toHaveLength(2);
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
    const { telegram, ama, chat, next, received } = await setUp();
    const group = telegram.group('Sales', [ama]);
    ama.type(chat, '', { extra });
    await chat.waitFor(/only read typed text/);
    ama.type(group, '', { extra });
    ama.type(group, '/help');
    await next();
    expect(received()).toHaveLength(1);
    expect(group.fromBot).toEqual([]);
  });

  it('is handled once, however often it is delivered', { tags: ['F56'] }, async () => {
    const { telegram, ama, chat, next, received } = await setUp();
    const typed = ama.type(chat, '/charge 0244123456 50');
    await next();
    telegram.redeliver(typed.updateId);
    telegram.redeliver(typed.updateId);
    ama.type(chat, '/help');
    expect(await next()).toMatchObject({ name: 'help' });
    expect(received()).toHaveLength(2);
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

describe.each(['polling', 'webhook'] as const)('a pressed button, by %s', (mode) => {
  const setUp = async () => {
    const started = await startedBot({ mode, ...inFastTime() });
    const { telegram, inbound } = started;
    const ama = telegram.person('Ama Mensah');
    const kofi = telegram.person('Kofi');
    const group = telegram.group('Sales', [ama, kofi]);
    const buttons = [
      { kind: 'press', label: 'Charge GHS 50.00', verb: 'confirm', id: 'd1' },
      { kind: 'link', label: 'Open', url: 'https://pay.example.com' },
    ] as const;
    inbound.onCommand = (event) => event.surface.say({ title: 'Charge?', parts: [], buttons });
    const typed = ama.type(group, '/charge 0244123456 50');
    const question = await group.waitFor(/Charge\?/);
    const { next, received } = waiters(started);
    await next();
    return { ...started, ama, kofi, group, typed, question, next, received };
  };

  it('brings verb and id, who pressed, and the command it belongs to', async () => {
    const { kofi, group, typed, question, next } = await setUp();
    kofi.press(question, 'Charge GHS 50.00');
    const event = await next();
    expect(event).toMatchObject({ kind: 'press', verb: 'confirm', id: 'd1' });
    expect(event.inbound.caller).toEqual({
      platform: 'telegram',
      id: kofi.id,
      name: 'Kofi',
      conversation: { platform: 'telegram', channel: group.id, replyTo: String(typed.id) },
    });
    expect(event.inbound.pressed).toEqual({
      ref: { conversation: event.inbound.caller.conversation, message: String(question.id) },
      canBecomeCard: true,
    });
  });

  it('counts although it can no longer be acknowledged', async () => {
    const { telegram, ama, question, next } = await setUp();
    const description =
      'Bad Request: query is too old and response timeout expired or query ID is invalid';
    telegram.failNext('answerCallbackQuery', { kind: 'refuse', code: 400, description });
    ama.press(question, 'Charge GHS 50.00');
    expect(await next()).toMatchObject({ kind: 'press' });
  });

  it('replaces its message', async () => {
    const { ama, group, question, inbound } = await setUp();
    inbound.onPress = (event) => event.surface.replace({ title: 'Done', parts: [] });
    ama.press(question, 'Charge GHS 50.00');
    expect(await group.waitFor(/Done/)).toBe(question);
    expect(question.buttons).toEqual([]);
  });

  it('answers anew where its message cannot be replaced', async () => {
    const { ama, group, question, inbound } = await setUp();
    inbound.onPress = async (event) => {
      group.deleteMessage(question);
      await event.surface.replace({ title: 'Done', parts: [] });
    };
    ama.press(question, 'Charge GHS 50.00');
    const anew = await group.waitFor(/Done/);
    expect(anew).not.toBe(question);
  });

  it('counts only where the message still has the button', { tags: ['T67'] }, async () => {
    const { ama, question, inbound, received } = await setUp();
    const typed = question.text;
    const voids = [
      ama.press(question, 'Charge GHS 50.00', { inaccessible: true }),
      ama.pressData(question, 'forged'),
      ama.pressData(question, 'confirm:d1:extra'),
    ];
    for (const press of voids)
      await eventually(() =>
        expect(press).toMatchObject({ answer: expect.stringMatching(NOT_THERE), isAlert: true }),
      );
    const presses = () => received().filter(({ kind }) => kind === 'press');
    expect([presses(), question.text]).toEqual([[], typed]);
    inbound.onPress = (event) => event.surface.replace({ title: 'Done', parts: [] });
    ama.press(question, 'Charge GHS 50.00');
    await eventually(() => expect(question.text).toBe('Done'));
    const late = ama.press(question, 'Charge GHS 50.00', { version: 0 });
    await eventually(() => expect(late.answer).toMatch(NOT_THERE));
    expect(presses()).toHaveLength(1);
  });

  it('is handled once, however often it is delivered', { tags: ['F56'] }, async () => {
    const { telegram, ama, question, next, received } = await setUp();
    const press = ama.press(question, 'Charge GHS 50.00');
    await next();
    telegram.redeliver(press.updateId);
    ama.press(question, 'Charge GHS 50.00');
    await next();
    expect(received().filter(({ kind }) => kind === 'press')).toHaveLength(2);
  });

  it('says that nothing is certain when it fails inside', async () => {
    const { ama, group, question, inbound } = await setUp();
    inbound.onPress = async () => {
      throw new Error('broken');
    };
    ama.press(question, 'Charge GHS 50.00');
    expect((await group.waitFor(/Something went wrong/)).text).toMatch(/may have worked/);
  });
});

describe('an answer', () => {
  const answering = async (answer: (event: Inbound) => Promise<void>) => {
    const started = await startedBot(inFastTime());
    const ama = started.telegram.person('Ama Mensah');
    started.inbound.onCommand = answer;
    return { ...started, ama };
  };
  const say = (event: Inbound) => event.surface.say({ title: 'Hello', parts: [] });

  it('replies to what was typed, in the same topic', async () => {
    const { telegram, ama } = await answering(say);
    const forum = telegram.forum('Shop', [ama]);
    const topic = forum.topic('Monday');
    const typed = ama.type(forum, '/charge', { topic });
    expect(await forum.waitFor(/Hello/)).toMatchObject({ topicId: topic, replyTo: typed });
  });

  it('waits out a short 429 once', async () => {
    const { telegram, ama } = await answering(say);
    const chat = telegram.privateChat(ama);
    telegram.failNext('sendMessage', { kind: 'rateLimit', retryAfterSeconds: 1 });
    await ama.ask(chat, '/charge', /Hello/);
    expect(telegram.calls('sendMessage')).toHaveLength(2);
  });

  it('is given up when Telegram asks for a long time, and the loss is logged', async () => {
    const { telegram, ama, logged } = await answering(say);
    telegram.failNext('sendMessage', { kind: 'rateLimit', retryAfterSeconds: 60 });
    ama.type(telegram.privateChat(ama), '/charge');
    await eventually(() => expect(logged()).toContain('did not reach Telegram'));
  });

  it('follows a group to its new id', async () => {
    const { telegram, ama, moves } = await answering(say);
    const group = telegram.group('Sales', [ama]);
    ama.type(group, '/charge');
    const moved = group.migrate();
    expect((await moved.waitFor(/Hello/)).replyTo).toBeUndefined();
    expect(moves).toContainEqual([group.id, moved.id]);
  });

  it('asks a form question by question, through whoever keeps the answers', async () => {
    const form = { command: 'charge', title: 'Charge', submitLabel: 'Charge', fields: [] };
    const { telegram, ama, asked } = await answering((event) =>
      event.surface.ask(form, { amount: '5' }),
    );
    ama.type(telegram.privateChat(ama), '/charge');
    await eventually(() => expect(asked).toEqual([{ form, answers: { amount: '5' } }]));
  });
});

/** The waits between the messages of a group pass quickly, for the bot and for Telegram alike. */
const NOT_THERE = /^This button is no longer there/;

const inFastTime = () => {
  const clock = new FastClock();
  return { clock, simulator: { now: () => clock.now() } };
};

/** `next` waits for the next event that reached the handler. */
const waiters = ({ inbound }: StartedBot) => {
  let seen = 0;
  return {
    received: () => inbound.seen,
    next: async (): Promise<Seen> => {
      const event = await eventually(() => inbound.seen[seen] ?? expect.fail('nothing came'));
      seen += 1;
      return event;
    },
  };
};
