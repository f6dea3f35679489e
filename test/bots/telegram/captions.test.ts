import { describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { OutgoingFile } from '../../../src/commands/cards/outgoing-file.ts';
import type { FileDelivery, Inbound } from '../../../src/commands/inbound.ts';
import type { SimPress } from '../../support/telegram/account-methods.ts';
import { newBot } from './started-bot.ts';

const picture: OutgoingFile = {
  name: 'report.png',
  content: new Blob([new Uint8Array([0x89, 0x50, 0xff, 0x00])], { type: 'image/png' }),
  title: 'Today',
  altText: '7 completed, GHS 1,240.00',
};

const card: Card = {
  title: 'Report, today',
  parts: [{ kind: 'text', text: '7 completed · Ama & <Co>' }],
  buttons: [{ kind: 'press', label: 'CSV', verb: 'csv', id: 'd1' }],
};

const setUp = async (options: { started?: boolean } = {}) => {
  const started = await newBot({ simulator: { flood: false } });
  await started.bot.start();
  const { telegram, inbound } = started;
  const ama = telegram.person('Ama Mensah');
  const own = telegram.privateChat(ama, options);
  const group = telegram.group('Sales', [ama]);
  /** What comes of the card and the picture, asked for in the group. */
  const whisper = async (shown: Card, act: () => void = () => ama.type(group, '/report')) => {
    const sent = Promise.withResolvers<FileDelivery | undefined>();
    const answer = async ({ surface }: Inbound) =>
      sent.resolve(await surface.whisperPicture?.(shown, picture));
    inbound.onCommand = answer;
    inbound.onPress = answer;
    act();
    return sent.promise;
  };
  return { ...started, ama, own, group, whisper };
};

describe('a picture with a card in Telegram', () => {
  it('is one message in the private chat, with the words, marks and buttons of the card', async () => {
    const { own, group, whisper, telegram, bot } = await setUp();
    expect(await whisper(card)).toEqual({ ok: true });
    await bot.stop();
    const [message, ...more] = own.fromBot;
    expect(more).toEqual([]);
    expect(message?.text).toBe('Report, today\n\n7 completed · Ama & <Co>');
    expect(message?.marked('bold')).toEqual(['Report, today']);
    expect(message?.buttons).toEqual([['CSV']]);
    expect(message?.content.file?.name).toBe('report.png');
    expect(group.fromBot.map(({ text }) => text)).toEqual(['Sent to you privately.']);
    expect(telegram.ledger.flatMap(({ unknownParams }) => unknownParams)).toEqual([]);
  });

  it('is told of in the answer to the press that asked for it', async () => {
    const { inbound, ama, group, whisper, bot } = await setUp();
    inbound.onCommand = ({ surface }) => surface.say({ ...card, title: 'Days' });
    const days = await ama.ask(group, '/report', /Days/);
    const presses: SimPress[] = [];
    await whisper(card, () => presses.push(ama.press(days, 'CSV')));
    await bot.stop();
    expect(presses.map(({ answer }) => answer)).toEqual(['Sent to you privately.']);
    expect(group.fromBot).toEqual([days]);
  });

  it.each([
    [1_024, true],
    [1_025, false],
  ])('with %s characters is sent: %s', async (length, isSent) => {
    const { own, whisper } = await setUp();
    const text = 'x'.repeat(length - 'Report, today\n\n'.length);
    const parts = [{ kind: 'text', text }] as const;
    expect(await whisper({ ...card, parts })).toEqual(isSent ? { ok: true } : undefined);
    expect(own.fromBot).toHaveLength(isSent ? 1 : 0);
  });

  it('is not sent before the person pressed Start, which is said once by what follows', async () => {
    const { group, whisper, bot } = await setUp({ started: false });
    expect(await whisper(card)).toMatchObject({
      ok: false,
      remedy: expect.stringMatching(/press Start/),
    });
    await bot.stop();
    expect(group.fromBot).toEqual([]);
  });
});
