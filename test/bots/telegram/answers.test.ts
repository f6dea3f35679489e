import { describe, expect, it } from 'vitest';
import type { Inbound } from '../../../src/commands/inbound.ts';
import { eventually } from '../../support/eventually.ts';
import { inFastTime, startedBot } from './started-bot.ts';

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
