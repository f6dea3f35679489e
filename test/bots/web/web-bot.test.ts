import { describe, expect, it } from 'vitest';
import { web } from '../../../src/bots/web/platform.ts';
import { Revision } from '../../../src/bots/web/revision.ts';
import { WebBot } from '../../../src/bots/web/web-bot.ts';
import { plainCard } from '../../../src/commands/cards/card.ts';
import { parsePlatformId } from '../../../src/core/values/platform.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { StubInbound } from '../stub-inbound.ts';

const bot = (): WebBot =>
  new WebBot(new Revision(new ManualClock()), {
    inbound: new StubInbound(),
    askStepByStep: async () => {},
  });

const conversation = { platform: 'web', channel: 'slack-look' };
const message = (key: string, title = key) => ({
  conversation,
  card: plainCard(title),
  key,
  mayStand: false,
});

describe('a card that is posted to the practice page', () => {
  it('is there once, however often it is posted under its key, and can be edited', async () => {
    const page = bot();
    const first = await page.post(message('a'));
    expect(await page.post(message('a'))).toEqual(first);
    if (first.kind !== 'delivered') throw new Error(first.kind);
    expect(await page.edit(first.ref, plainCard('now'))).toEqual({
      kind: 'delivered',
      ref: first.ref,
    });
    expect(page.room.seenBy('esi', 'slack').map(({ said }) => said)).toEqual([plainCard('now')]);
  });

  it('goes where its conversation is, and is gone where there is none', async () => {
    const page = bot();
    await page.post(message('a'));
    expect(page.room.seenBy('ama', 'telegram')).toEqual([]);
    const nowhere = { ...conversation, channel: 'C1' };
    expect(await page.post({ ...message('b'), conversation: nowhere })).toMatchObject({
      kind: 'gone',
    });
  });

  it('is forgotten when many came after it, and an edit says so', async () => {
    const page = bot();
    const first = await page.post(message('a'));
    for (let at = 0; at < 200; at++) await page.post(message(`m${at}`));
    expect(page.room.seenBy('ama', 'slack').length).toBeLessThan(150);
    if (first.kind !== 'delivered') throw new Error(first.kind);
    expect(await page.edit(first.ref, plainCard('now'))).toMatchObject({ kind: 'gone' });
  });

  it('is shown behind the message in whose thread it is', async () => {
    const page = bot();
    const card = await page.post(message('card'));
    await page.post(message('later'));
    if (card.kind !== 'delivered') throw new Error(card.kind);
    await page.post({ ...message('outcome'), under: card.ref });
    const said = page.room.seenBy('ama', 'slack').map(({ said }) => 'title' in said && said.title);
    expect(said).toEqual(['card', 'outcome', 'later']);
  });
});

describe('the practice page', () => {
  it('is ready at once, and answers those who wait when it is stopped', async () => {
    const clock = new ManualClock();
    const revision = new Revision(clock);
    const page = new WebBot(revision, {
      inbound: new StubInbound(),
      askStepByStep: async () => {},
    });
    expect(page.notReady()).toBeUndefined();
    const change = revision.changedAfter(revision.count, 20_000);
    await page.stop();
    await change;
  });

  it('has ids for people and places, and no setting turns it on', () => {
    expect(parsePlatformId([web], 'web:ama')).toMatchObject({ kind: 'person' });
    expect(parsePlatformId([web], 'web:slack-look')).toMatchObject({ kind: 'place' });
    expect(web.settingsFrom({})).toBeUndefined();
  });
});
