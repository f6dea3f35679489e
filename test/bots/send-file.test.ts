import { openAsBlob, readdirSync } from 'node:fs';
import { readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import type { BotParts } from '../../src/bots/platform.ts';
import { TerminalBot } from '../../src/bots/terminal/terminal-bot.ts';
import { messageView } from '../../src/bots/web/message-view.ts';
import { PEOPLE } from '../../src/bots/web/people.ts';
import { Revision } from '../../src/bots/web/revision.ts';
import { WebBot } from '../../src/bots/web/web-bot.ts';
import { plainCard } from '../../src/commands/cards/card.ts';
import type { OutgoingFile } from '../../src/commands/cards/outgoing-file.ts';
import type { FileDelivery, Inbound } from '../../src/commands/inbound.ts';
import type { Clock } from '../../src/core/runtime/clock.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import { ManualClock } from '../support/manual-clock.ts';
import type { Fault } from '../support/slack/faults.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startRig } from './slack/bot-rig.ts';
import { StubInbound } from './stub-inbound.ts';
import { newBot } from './telegram/started-bot.ts';

/** Larger than what a socket or a pipe takes at once. */
const ROWS = `number,amount\r\n${'0244123456,50.00\r\n'.repeat(20_000)}`;

const csv = async (): Promise<OutgoingFile> => {
  const path = join(await tempFolder(), 'on-disk.csv');
  await writeFile(path, ROWS);
  const content = await openAsBlob(path, { type: 'text/csv; charset=utf-8' });
  return { name: 'payments.csv', content, title: 'Payments of today' };
};

const picture: OutgoingFile = {
  name: 'report.png',
  content: new Blob([new Uint8Array([0x89, 0x50, 0xff, 0x00])], { type: 'image/png' }),
  title: 'Today',
  altText: '7 completed, GHS 1,240.00',
};

/** The beginning of a picture, with its size. */
const pngOf = (width: number, height: number): ArrayBuffer => {
  const head = new DataView(new ArrayBuffer(24));
  head.setUint32(0, 0x89504e47);
  head.setUint32(16, width);
  head.setUint32(20, height);
  return head.buffer;
};

const progress = ['100,000 payments so far', '200,000 payments so far'];

/** A clock on which a wait is over at once. */
const noWaits: Clock = {
  now: () => systemClock.now(),
  monotonic: () => systemClock.monotonic(),
  sleep: async () => {},
};

describe('a file sent in Slack', () => {
  const inSlack = async (file: OutgoingFile, ...faults: [string, Fault, number?][]) => {
    const rig = await startRig('http', { clock: noWaits });
    for (const fault of faults) rig.slack.fail(...fault);
    const sent = Promise.withResolvers<FileDelivery>();
    rig.inbound.onCommand = async ({ surface }) => sent.resolve(await surface.sendFile(file));
    await rig.ama.slash('sales', '/charge', 'x');
    return { ...rig, delivery: await sent.promise };
  };

  it('is in the direct chat of whoever asked, whole, without the token on its way', async () => {
    const { slack, delivery } = await inSlack(await csv());
    expect(delivery).toEqual({ ok: true });
    const shared = await slack.file('@ama', /^payments\.csv$/);
    expect(shared.title).toBe('Payments of today');
    expect(shared.bytes.toString()).toBe(ROWS);
    expect(slack.calls('upload')[0]?.args).not.toHaveProperty('authorization');
    expect(await slack.transcript('sales')).toBe('');
  });

  it('has words for readers who do not see a picture', async () => {
    const { slack } = await inSlack(picture);
    const shared = await slack.file('@ama', /report\.png/);
    expect(shared).toMatchObject({ altText: picture.altText, type: 'image/png' });
    expect([...shared.bytes]).toEqual([0x89, 0x50, 0xff, 0x00]);
  });

  it('waits as long as Slack asks, and is shared once', async () => {
    const { slack, delivery } = await inSlack(
      picture,
      ['files.getUploadURLExternal', { kind: 'rateLimited', retryAfterSeconds: 2 }, 1],
      ['files.completeUploadExternal', { kind: 'rateLimited', retryAfterSeconds: 2 }, 1],
    );
    expect(delivery).toEqual({ ok: true });
    expect(slack.calls('upload')).toHaveLength(1);
  });

  it.each([
    ['files.getUploadURLExternal', { kind: 'error', error: 'missing_scope' }, /files:write/],
    [
      'files.getUploadURLExternal',
      { kind: 'error', error: 'file_uploads_disabled' },
      /workspace administrator/,
    ],
    [
      'files.getUploadURLExternal',
      { kind: 'error', error: 'storage_limit_reached' },
      /workspace administrator/,
    ],
    ['files.completeUploadExternal', { kind: 'error', error: 'channel_not_found' }, /try again/],
    ['files.completeUploadExternal', { kind: 'error', error: 'file_not_found' }, /try again/],
    ['files.completeUploadExternal', { kind: 'cut after' }, /Look into our private chat/],
    ['upload', { kind: 'http', status: 503 }, /try again/],
    ['conversations.open', { kind: 'rateLimited', retryAfterSeconds: 1 }, /try again/],
  ] as const)(
    'is not sent when %s fails, and the person is told what to do',
    async (method, fault, words) => {
      const { delivery } = await inSlack(picture, [method, fault]);
      expect(delivery).toMatchObject({ ok: false, remedy: expect.stringMatching(words) });
    },
  );

  it('comes after how far it is: one message in the direct chat, edited', async () => {
    const rig = await startRig('http', { clock: noWaits });
    const done = Promise.withResolvers<void>();
    rig.inbound.onCommand = async ({ surface }) => {
      for (const title of progress) await surface.sayProgress(plainCard(title));
      done.resolve();
    };
    await rig.ama.slash('sales', '/export', '');
    await done.promise;
    expect(await rig.slack.transcript('@ama')).toMatch(/^[^\n]*200,000 payments so far\s*$/);
    expect(await rig.slack.transcript('sales')).toBe('');
  });

  it('does not go to an address that is not of Slack', { tags: ['T20'] }, async () => {
    const rig = await startRig('http', { clock: noWaits });
    // This server would take it, by a name that is not the settings'.
    rig.slack.uploadsTo = new URL(rig.slack.apiUrl.replace('127.0.0.1', 'localhost')).origin;
    const sent = Promise.withResolvers<FileDelivery>();
    rig.inbound.onCommand = async ({ surface }) => sent.resolve(await surface.sendFile(picture));
    await rig.ama.slash('sales', '/charge', 'x');
    expect(await sent.promise).toMatchObject({ ok: false });
    expect(rig.slack.calls('upload')).toEqual([]);
  });
});

describe('a file sent in Telegram', () => {
  const inTelegram = async (options: { started?: boolean } = {}) => {
    const started = await newBot({ simulator: { flood: false } });
    await started.bot.start();
    const ama = started.telegram.person('Ama Mensah');
    const chat = started.telegram.privateChat(ama, options);
    const group = started.telegram.group('Sales', [ama]);
    const send = async (file: OutgoingFile) => {
      const sent = Promise.withResolvers<FileDelivery>();
      started.inbound.onCommand = async ({ surface }) => sent.resolve(await surface.sendFile(file));
      ama.type(group, '/export');
      return sent.promise;
    };
    return { ...started, ama, chat, group, send };
  };

  it('is in the private chat, whole and by its name, and not in the group', async () => {
    const { chat, group, send } = await inTelegram();
    expect(await send(await csv())).toEqual({ ok: true });
    const content = chat.fromBot[0]?.content;
    expect(content?.text).toBe('Payments of today');
    expect(content?.file?.name).toBe('payments.csv');
    expect(await content?.file?.text()).toBe(ROWS);
    expect(group.fromBot).toEqual([]);
  });

  it('comes after how far it is: one message in the private chat, edited', async () => {
    const { telegram, chat, group, inbound, ama, bot } = await inTelegram();
    const done = Promise.withResolvers<void>();
    inbound.onCommand = async ({ surface }) => {
      for (const title of progress) await surface.sayProgress(plainCard(title));
      done.resolve();
    };
    ama.type(group, '/export');
    await done.promise;
    await bot.stop();
    expect(chat.fromBot.map(({ text }) => text)).toEqual(['200,000 payments so far']);
    expect(telegram.calls('sendMessage')).toHaveLength(1);
    expect(group.fromBot).toEqual([]);
  });

  it('is shown as a picture when it is one, with what it shows in words', async () => {
    const { telegram, chat, send } = await inTelegram();
    await send(picture);
    expect(telegram.calls('sendPhoto')).toHaveLength(1);
    expect(chat.fromBot[0]?.text).toBe(picture.altText);
  });

  it.each([
    ['it is too narrow for a picture', new Blob([pngOf(100, 2_001)], { type: 'image/png' }), 1],
    [
      'it is larger than a picture may be',
      new Blob([new Uint8Array(10_000_001)], { type: 'image/png' }),
      0,
    ],
  ])('is a file to open where %s', async (_when, content, tried) => {
    const { telegram, chat, send } = await inTelegram();
    expect(await send({ ...picture, content })).toEqual({ ok: true });
    expect(telegram.calls('sendPhoto')).toHaveLength(tried);
    expect(telegram.calls('sendDocument')).toHaveLength(1);
    expect(chat.fromBot).toHaveLength(1);
  });

  it('waits as long as Telegram asks', async () => {
    const { telegram, chat, send } = await inTelegram();
    telegram.failNext('sendDocument', { kind: 'rateLimit', retryAfterSeconds: 1 });
    expect(await send(await csv())).toEqual({ ok: true });
    expect(await chat.fromBot[0]?.content.file?.text()).toBe(ROWS);
  });

  it('cannot be sent before the person pressed Start, and says so', async () => {
    const { send } = await inTelegram({ started: false });
    expect(await send(picture)).toMatchObject({
      ok: false,
      remedy: expect.stringMatching(/press Start\. https:\/\/t\.me\//),
    });
  });

  it('is not sent twice when the answer is lost', async () => {
    const { telegram, chat, send } = await inTelegram();
    telegram.failNext('sendPhoto', { kind: 'cutAfter' });
    expect(await send(picture)).toMatchObject({
      ok: false,
      remedy: expect.stringMatching(/Look into our private chat/),
    });
    expect(chat.fromBot).toHaveLength(1);
  });

  it('is not begun when it is larger than Telegram takes', async () => {
    const { telegram, send } = await inTelegram();
    const content = new Blob([new Uint8Array(50_000_001)]);
    expect(await send({ ...picture, content })).toMatchObject({
      ok: false,
      remedy: expect.stringMatching(/50 MB/),
    });
    expect(telegram.calls('sendDocument')).toEqual([]);
  });
});

describe('a file sent in the terminal', () => {
  const carriedOut = async (inbound: StubInbound, output: PassThrough, filesFolder: string) => {
    const input = Readable.from(['/export\n']);
    const parts = { input, output, inbound, commands: [], filesFolder, userName: 'ama' };
    const bot = new TerminalBot(parts as unknown as BotParts);
    await bot.start();
    await bot.inputEnded;
  };

  const inTerminal = async (file: OutgoingFile, filesFolder: string) => {
    const inbound = new StubInbound();
    const delivery = Promise.withResolvers<FileDelivery>();
    inbound.onCommand = async ({ surface }: Inbound) =>
      delivery.resolve(await surface.sendFile(file));
    await carriedOut(inbound, new PassThrough(), filesFolder);
    return delivery.promise;
  };

  it('is where it says, and for the eyes of this user alone', async () => {
    const folder = join(await tempFolder(), 'files');
    const path = join(folder, 'payments.csv');
    expect(await inTerminal(await csv(), folder)).toEqual({ ok: true, savedAs: path });
    expect(await readFile(path, 'utf8')).toBe(ROWS);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  it('is not there until all of it is, and what a killed process left is gone after the next start', {
    tags: ['F60'],
  }, async () => {
    const folder = await tempFolder();
    await writeFile(join(folder, 'payments-1.csv.half'), 'number');
    await writeFile(join(folder, 'payments-0.csv'), ROWS);
    const seen: string[][] = [];
    const stream = () => {
      seen.push(readdirSync(folder));
      return picture.content.stream();
    };
    await inTerminal({ ...picture, content: { type: 'image/png', size: 4, stream } }, folder);
    const whole = ['payments-0.csv', 'report.png'];
    expect(seen.map((names) => names.filter((name) => !name.endsWith('.half')))).toEqual([
      ['payments-0.csv'],
    ]);
    expect(readdirSync(folder).sort()).toEqual(whole);
  });

  it('prints how far it is', async () => {
    const inbound = new StubInbound();
    inbound.onCommand = async ({ surface }: Inbound) => surface.sayProgress(plainCard('100,000'));
    const output = new PassThrough();
    await carriedOut(inbound, output, await tempFolder());
    expect(String(output.read())).toContain('100,000');
  });

  it('gets a number where there is a file of its name, which stays as it is', async () => {
    const folder = await tempFolder();
    const [path, second, third] = ['', '-2', '-3'].map((end) => join(folder, `report${end}.png`));
    await writeFile(path ?? '', 'mine');
    expect(await inTerminal(picture, folder)).toEqual({ ok: true, savedAs: second });
    expect(await inTerminal(picture, folder)).toEqual({ ok: true, savedAs: third });
    expect(await readFile(path ?? '', 'utf8')).toBe('mine');
    expect(readdirSync(folder).sort()).toEqual(['report-2.png', 'report-3.png', 'report.png']);
  });

  it('is said not to be there where it cannot be written', async () => {
    const file = join(await tempFolder(), 'taken');
    await writeFile(file, 'mine');
    expect(await inTerminal(picture, join(file, 'files'))).toMatchObject({
      ok: false,
      remedy: expect.stringMatching(/could not be written \(ENOTDIR\)\. Make room/),
    });
  });
});

describe.each(['slack', 'telegram'] as const)('a file on the practice page, as in %s', (look) => {
  it('can be taken from the page by whoever asked, and by no one else', async () => {
    const inbound = new StubInbound();
    inbound.onCommand = async ({ surface }) => {
      for (const title of progress) await surface.sayProgress(plainCard(title));
      await surface.sendFile(picture);
    };
    const page = new WebBot(new Revision(new ManualClock()), {
      inbound,
      askStepByStep: async () => {},
    });
    await page.type(PEOPLE.ama, look, '/export');
    expect(page.room.seenBy(PEOPLE.kofi.id, look).some(({ file }) => file)).toBe(false);
    const said = page.room.seenBy(PEOPLE.ama.id, look).map((each) => each.said);
    expect(said.filter((card) => 'title' in card && /so far/.test(card.title))).toEqual([
      plainCard('200,000 payments so far'),
    ]);
    const message = page.room.seenBy(PEOPLE.ama.id, look).find(({ file }) => file);
    if (message === undefined) throw new Error('no file on the page');
    expect(JSON.stringify(messageView(message, undefined))).toContain(
      '{"tag":"a","attributes":{"download":"report.png","href":"data:image/png;base64,iVD/AA=="}',
    );
  });
});
