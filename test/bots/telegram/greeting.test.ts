import { expect, it } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { startedBot } from './started-bot.ts';

it('a group to which the bot is added is greeted once, however often it is told and added again', async () => {
  const clock = new ManualClock();
  const { telegram, inbound } = await startedBot({ clock, simulator: { now: () => clock.now() } });
  const ama = telegram.person('Ama Mensah');
  const group = telegram.group('Sales', [ama]);
  group.kickBot();
  const update = group.addBot(ama.account);
  const greeting = await group.waitFor(/Hello, I am Paythread/);
  expect(greeting.text).toContain('/charge 0244123456 50');
  telegram.redeliver(update);
  group.addBot(ama.account);
  ama.type(group, '/help');
  await eventually(() => expect(inbound.seen).toHaveLength(1));
  await clock.advance(30_000);
  expect(group.fromBot).toEqual([greeting]);
});

it('a private chat, a channel and a new right of the bot are not greeted', async () => {
  const { telegram, inbound } = await startedBot();
  const ama = telegram.person('Ama Mensah');
  const group = telegram.group('Sales', [ama]);
  const chats = [telegram.privateChat(ama), telegram.channel('News')];
  for (const chat of chats) chat.addBot(ama.account);
  group.promoteBot(ama.account);
  ama.type(group, '/help');
  await eventually(() => expect(inbound.seen).toHaveLength(1));
  expect([...chats, group].flatMap((chat) => chat.fromBot)).toEqual([]);
});

it('a group that lets the bot in with fewer rights is greeted as well', async () => {
  const { telegram } = await startedBot();
  const ama = telegram.person('Ama Mensah');
  const group = telegram.group('Sales', [ama]);
  group.kickBot();
  group.addBot(ama.account, 'restricted');
  await group.waitFor(/Hello, I am Paythread/);
});
