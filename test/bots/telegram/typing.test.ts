import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startedBot } from './started-bot.ts';

const setUp = async () => {
  const clock = new ManualClock();
  const started = await startedBot({ clock, simulator: { now: () => clock.now(), flood: false } });
  const { telegram, inbound } = started;
  const ama = telegram.person('Ama Mensah');
  const lookup = Promise.withResolvers<void>();
  inbound.onCommand = async (event) => {
    await lookup.promise;
    await event.surface.say({ title: 'Charge?', parts: [] });
  };
  const actions = () => telegram.calls('sendChatAction');
  return { ...started, clock, ama, lookup, actions };
};

it('a look-up that takes longer than half a second shows that the bot is typing, in its topic', async () => {
  const { telegram, clock, ama, lookup, inbound, actions } = await setUp();
  const forum = telegram.forum('Shop', [ama]);
  const topic = forum.topic('Monday');
  ama.type(forum, '/charge 0244123456 50', { topic });
  await eventually(() => expect(inbound.seen).toHaveLength(1));
  await clock.advance(499);
  expect(actions()).toEqual([]);
  await clock.advance(1);
  await eventually(() => expect(actions()).toHaveLength(1));
  expect(actions()[0]).toMatchObject({
    status: 200,
    unknownParams: [],
    params: { chat_id: forum.record.id, action: 'typing', message_thread_id: topic },
  });
  await eventually(() => expect(clock.sleeping).toBeGreaterThan(0));
  await clock.advance(4_500);
  await eventually(() => expect(actions()).toHaveLength(2));
  lookup.resolve();
  await forum.waitFor(/Charge\?/);
  await clock.advance(60_000);
  expect(actions()).toHaveLength(2);
});

it('a quick answer shows no typing', async () => {
  const { telegram, clock, ama, lookup, actions } = await setUp();
  const own = telegram.privateChat(ama);
  lookup.resolve();
  await ama.ask(own, '/charge 0244123456 50', /Charge\?/);
  await clock.advance(60_000);
  expect(actions()).toEqual([]);
});

it('typing that Telegram refuses delays no answer and is not tried again', async () => {
  const { telegram, clock, ama, lookup, inbound, actions } = await setUp();
  const own = telegram.privateChat(ama);
  telegram.failNext('sendChatAction', { kind: 'rateLimit', retryAfterSeconds: 30 });
  ama.type(own, '/charge 0244123456 50');
  await eventually(() => expect(inbound.seen).toHaveLength(1));
  await clock.advance(500);
  await eventually(() => expect(actions()).toHaveLength(1));
  lookup.resolve();
  await own.waitFor(/Charge\?/);
  await clock.advance(60_000);
  expect(actions()).toHaveLength(1);
});
