import { describe, expect, it } from 'vitest';
import type { OutgoingMessage } from '../../src/bots/bot.ts';
import type { OutgoingFile } from '../../src/commands/cards/outgoing-file.ts';
import type { Clock } from '../../src/core/runtime/clock.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import type { Conversation } from '../../src/core/values/conversation.ts';
import type { Fault } from '../support/slack/faults.ts';
import { startRig } from './slack/bot-rig.ts';
import { newBot } from './telegram/started-bot.ts';

const picture: OutgoingFile = {
  name: 'report-last-week.png',
  content: new Blob([new Uint8Array([0x89, 0x50, 0xff, 0x00])], { type: 'image/png' }),
  title: 'Report, last week',
  altText: 'Report, last week: GHS 100.00',
};

const owed = (conversation: Conversation): OutgoingMessage => ({
  conversation,
  card: { title: picture.title, parts: [], picture },
  key: 'digest:2026-01-19.1.week',
  weight: 'card',
  mayStand: false,
});

/** A clock on which a wait is over at once. */
const noWaits: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic(),
  sleep: async () => {},
};

describe('a picture that is owed to a channel of Slack', () => {
  const inSlack = async (channel = 'sales', fault?: [string, Fault, number?]) => {
    const { slack, bot } = await startRig('http', { clock: noWaits });
    if (fault !== undefined) slack.fail(...fault);
    const place = { platform: 'slack', channel: await slack.channelId(channel) };
    return { slack, delivery: await bot.post(owed(place)) };
  };

  it('is shared there, with words for readers who do not see it', async () => {
    const { slack, delivery } = await inSlack();
    expect(delivery.kind).toBe('delivered');
    const shared = await slack.file('sales', /^report-last-week\.png$/);
    expect(shared).toMatchObject({ title: picture.title, altText: picture.altText });
    expect([...shared.bytes]).toEqual([0x89, 0x50, 0xff, 0x00]);
  });

  it.each([
    ['files.completeUploadExternal', { kind: 'error', error: 'not_in_channel' }, 'gone'],
    ['files.getUploadURLExternal', { kind: 'error', error: 'missing_scope' }, 'not sent'],
    ['files.completeUploadExternal', { kind: 'cut after' }, 'unclear'],
    ['files.getUploadURLExternal', { kind: 'rateLimited', retryAfterSeconds: 1 }, 'rateLimited'],
    ['upload', { kind: 'http', status: 503 }, 'unclear'],
  ] as const)('is tried again or given up as a message is when %s fails: %o', async (...fault) => {
    const [method, how, kind] = fault;
    expect((await inSlack('sales', [method, how])).delivery.kind).toBe(kind);
  });
});

it('a picture that is owed to a group of Telegram is a photo there, with its words as the caption', async () => {
  const { telegram, bot } = await newBot({ simulator: { flood: false } });
  await bot.start();
  const group = telegram.group('Finance', [telegram.person('Ama Mensah')]);
  const place = { platform: 'telegram', channel: String(group.id) };
  expect((await bot.post(owed(place))).kind).toBe('delivered');
  expect(group.fromBot.map(({ content }) => [content.text, content.file?.name])).toEqual([
    [picture.altText, picture.name],
  ]);
});
