import { describe, expect, it } from 'vitest';
import { downloadBytes } from '../../src/bots/quick-fetch.ts';
import { fileAt } from '../../src/bots/terminal/read-file.ts';
import { systemClock } from '../../src/core/runtime/clock.ts';
import type { Parsed } from '../../src/core/runtime/errors.ts';
import { serveHttp } from '../support/serve-http.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { startRig } from './slack/bot-rig.ts';
import { newBot } from './telegram/started-bot.ts';

const NOT_THERE = 'I could not get this file. Nothing was charged. Please send it again.';
const TOO_LARGE = 'This file is larger than 5 MB. Please split it into smaller files.';

/** Answers each request with this many bytes. */
const listening = async (bytes: number): Promise<{ url: string; requests: string[] }> => {
  const requests: string[] = [];
  const url = await serveHttp((request, response) => {
    requests.push(String(request.headers.authorization));
    response.end(Buffer.alloc(bytes, 'x'));
  });
  return { url: `${url}/dues.csv`, requests };
};

const told = (read: Parsed<Uint8Array>): string =>
  read.ok ? Buffer.from(read.value).toString() : read.problem.message;

describe('a file that a person sends in Slack', { tags: ['T20', 'T51'] }, () => {
  const inSlack = async () => {
    const rig = await startRig('http', { clock: systemClock });
    const reads: string[] = [];
    rig.inbound.onFile = async (_inbound, file) => void reads.push(told(await file.read()));
    return { ...rig, reads, ama: rig.ama };
  };

  it('is had with the token of the bot', async () => {
    const { ama, reads } = await inSlack();
    await ama.sendFile('@ama', 'dues.csv', 'number,amount');
    await expect.poll(() => reads).toEqual(['number,amount']);
  });

  it('is not asked for at any other host, which would get the token', async () => {
    const { ama, reads } = await inSlack();
    const { url, requests } = await listening(3);
    for (const address of [url, 'https://slack.com.example/x', 'nowhere', undefined])
      await ama.directMessage('dues.csv', {
        event: {
          subtype: 'file_share',
          files: [{ id: 'F9', name: 'dues.csv', size: 3, url_private_download: address }],
        },
      });
    await expect.poll(() => reads).toEqual([NOT_THERE, NOT_THERE, NOT_THERE, NOT_THERE]);
    expect(requests).toEqual([]);
  });

  it('is not followed to another address, and is not had when Slack has it no more', async () => {
    const { ama, slack, reads } = await inSlack();
    slack.fail('download', { kind: 'http', status: 404 });
    await ama.sendFile('@ama', 'dues.csv', 'number,amount');
    await expect.poll(() => reads).toEqual([NOT_THERE]);
    expect(slack.calls('download')).toHaveLength(1);
  });

  it('above 5 MB is not asked for', async () => {
    const { ama, slack, reads } = await inSlack();
    await ama.sendFile('@ama', 'dues.csv', Buffer.alloc(6_000_000, 'x'));
    await expect.poll(() => reads).toEqual([TOO_LARGE]);
    expect(slack.calls('download')).toEqual([]);
  });
});

describe('a file that a person sends in Telegram', { tags: ['T51'] }, () => {
  it('is had by its id, and above 5 MB it is not asked for', async () => {
    const { telegram, inbound, bot } = await newBot();
    const reads: string[] = [];
    inbound.onFile = async (_inbound, file) => void reads.push(told(await file.read()));
    await bot.start();
    const ama = telegram.person('Ama');
    const own = telegram.privateChat(ama);
    ama.sendDocument(own, 'dues.csv', 'number,amount');
    await expect.poll(() => reads).toEqual(['number,amount']);
    ama.sendDocument(own, 'dues.csv', Buffer.alloc(6_000_000, 'x'));
    await expect.poll(() => reads[1]).toBe(TOO_LARGE);
    telegram.failNext('getFile', { kind: 'refuse', code: 400, description: 'Bad Request: no' });
    ama.sendDocument(own, 'dues.csv', 'number,amount');
    await expect.poll(() => reads[2]).toBe(NOT_THERE);
    expect(telegram.calls('getFile')).toHaveLength(2);
  });

  it('in a group is for the bot with one of its commands as the caption', async () => {
    const { telegram, inbound, bot } = await newBot();
    await bot.start();
    const ama = telegram.person('Ama');
    const group = telegram.group('Dues', [ama], { privacy: false });
    ama.sendDocument(group, 'holiday.csv', 'a,b');
    ama.sendDocument(group, 'theirs.csv', 'a,b', '/bulk@another_bot');
    ama.sendDocument(group, 'dues.csv', 'number,amount', '/bulk@PaythreadBot now');
    await expect
      .poll(() => inbound.seen)
      .toMatchObject([{ kind: 'file', file: { name: 'dues.csv' }, words: 'bulk now' }]);
  });
});

describe('a file on its way', { tags: ['T51'] }, () => {
  it('with more bytes than were said is not read to its end', async () => {
    const { url } = await listening(60_000);
    const { signal } = new AbortController();
    await expect(downloadBytes(url, 50_000, signal)).rejects.toThrow();
    expect(await downloadBytes(url, 60_000, signal)).toHaveLength(60_000);
  });
});

describe('a file at a path', () => {
  it('that is a folder, or not there, is answered with a sentence', async () => {
    const folder = await tempFolder();
    expect(told(await fileAt(folder).read())).toBe(`${folder} is no file.`);
    const missing = `${folder}/no.csv`;
    expect(told(await fileAt(`"${missing}"`).read())).toBe(
      `I cannot read ${missing} (ENOENT). Nothing was charged.`,
    );
  });
});
