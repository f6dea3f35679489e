import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { MessageRef } from '../../../src/core/values/conversation.ts';
import { eventually } from '../../support/eventually.ts';
import { card, outboundRig, refOf } from './outbound-rig.ts';

type Rig = Awaited<ReturnType<typeof outboundRig>>;

describe('messages to Slack', () => {
  let rig: Rig;
  let clock: Rig['clock'];
  let conversation: Rig['conversation'];
  let post: Rig['post'];
  beforeEach(async () => {
    rig = await outboundRig();
    ({ clock, conversation, post } = rig);
  });

  it('posts a card with words for notifications, no previews of links, and our mark', {
    tags: ['T9'],
  }, async () => {
    const ref = refOf(await post());
    expect(ref).toEqual({ conversation: await conversation('sales'), message: expect.any(String) });
    expect(await rig.slack.transcript('sales')).toBe(
      'paythread: Payment pending\n  Amount: GHS 50.00\n  [Check now]',
    );
    const [call] = rig.slack.calls('chat.postMessage');
    expect(call?.args).toMatchObject({
      text: 'Payment pending\nAmount: GHS 50.00',
      unfurl_links: 'false',
      unfurl_media: 'false',
      metadata: { event_type: 'paythread_message', event_payload: { key: 'card of p1' } },
    });
  });

  it('posts under a message, and under one that itself stands in a thread', async () => {
    const under = refOf(await post());
    const outcome = refOf(await post({ under, key: 'outcome', card: { ...card, title: 'Paid' } }));
    expect(outcome.conversation.thread).toBe(under.message);
    const later = refOf(
      await post({ under: outcome, key: 'later', card: { ...card, title: 'Later' } }),
    );
    expect(later.conversation.thread).toBe(under.message);
    expect(await rig.slack.transcript('sales')).toMatch(
      /^paythread: Payment[\s\S]*\n {4}paythread: Paid/,
    );
  });

  it('keeps card and outcome in the thread where the command was typed', async () => {
    const thread = await rig.ama.write('sales', 'Lunch?');
    const there = await conversation('sales', thread);
    const ref = refOf(await post({ conversation: there }));
    const outcome = refOf(await post({ conversation: there, under: ref, key: 'outcome' }));
    expect([ref.conversation.thread, outcome.conversation.thread]).toEqual([thread, thread]);
  });

  it('finds the direct channel when a person is named in the place of a channel', async () => {
    const { id } = rig.kofi;
    const direct = { platform: 'slack', channel: id };
    const under = refOf(await post());
    const ref = refOf(await post({ conversation: direct, under, key: 'direct' }));
    expect(ref.conversation).toEqual({
      platform: 'slack',
      channel: await rig.slack.channelId('@kofi'),
    });
    // Not under the card of another channel, and the direct channel is looked up once.
    expect(rig.slack.calls('chat.postMessage')).toHaveLength(2);
    await post({ conversation: direct, key: 'again' });
    expect(rig.slack.calls('conversations.open')).toHaveLength(1);
    expect((await rig.bot.edit(ref, { ...card, title: 'Edited' })).kind).toBe('delivered');
    expect(await rig.slack.transcript('@kofi')).toContain('Edited');
  });

  it('edits a card, twice the same too', { tags: ['F58'] }, async () => {
    const ref = refOf(await post());
    const edited: Card = { title: 'Payment completed', tone: 'good', parts: [] };
    expect(await rig.bot.edit(ref, edited)).toEqual({ kind: 'delivered', ref });
    expect(await rig.bot.edit(ref, edited)).toEqual({ kind: 'delivered', ref });
    expect(await rig.slack.transcript('sales')).toBe('paythread: ✅ Payment completed');
  });

  it('posts beside a thread whose parent was deleted', { tags: ['F54'] }, async () => {
    const under = refOf(await post());
    await rig.slack.deleteMessage(await rig.slack.message('sales', /pending/));
    const ref = refOf(await post({ under, key: 'outcome', card: { ...card, title: 'Paid' } }));
    expect(ref.conversation.thread).toBeUndefined();
    expect(await rig.slack.transcript('sales')).toMatch(/^paythread: Paid/);
  });

  describe('when it may stand there already', () => {
    it.each([
      ['in a channel', false],
      ['in a thread', true],
    ])('finds it %s instead of posting it twice', { tags: ['F51'] }, async (_, inThread) => {
      const place = inThread ? { under: refOf(await post({ key: 'parent' })) } : {};
      rig.slack.fail('chat.postMessage', { kind: 'cut after' }, 1);
      expect((await post(place)).kind).toBe('unclear');
      const before = rig.slack.calls('chat.postMessage').length;
      const found = refOf(await post({ ...place, mayStand: true }));
      expect(rig.slack.calls('chat.postMessage')).toHaveLength(before);
      expect((await rig.slack.messages('sales')).map(({ ts }) => ts)).toContain(found.message);
    });

    it('looks through long threads', async () => {
      const parent = refOf(await post({ key: 'parent' }));
      for (let count = 0; count < 250; count += 1)
        await rig.ama.write('sales', 'and so on', { thread: parent.message });
      await clock.advance(60_000);
      const standing = refOf(await post({ under: parent, key: 'outcome' }));
      const found = refOf(await post({ under: parent, key: 'outcome', mayStand: true }));
      expect(found).toEqual(standing);
    });

    it('posts it when it does not stand there', async () => {
      await post({ key: 'another' });
      refOf(await post({ mayStand: true }));
      expect(await rig.slack.messages('sales')).toHaveLength(2);
    });

    it('is not deceived by somebody else’s message with the same mark', async () => {
      const deceiver = await rig.slack.postAs('kofi', 'sales', {
        text: 'Paid',
        metadata: { event_type: 'paythread_message', event_payload: { key: 'card of p1' } },
      });
      expect(refOf(await post({ mayStand: true })).message).not.toBe(deceiver);
    });

    it('posts nothing while it cannot look', { tags: ['F51'] }, async () => {
      rig.slack.fail('conversations.history', { kind: 'http', status: 500 }, 1);
      expect((await post({ mayStand: true })).kind).toBe('unclear');
      rig.slack.fail('conversations.history', { kind: 'rateLimited', retryAfterSeconds: 3 }, 1);
      expect(await post({ mayStand: true })).toEqual({ kind: 'rateLimited', retryAfterMs: 3_000 });
      expect(rig.slack.calls('chat.postMessage')).toEqual([]);
    });

    it('posts it when it will never be allowed to look', async () => {
      rig.slack.fail('conversations.history', { kind: 'error', error: 'missing_scope' }, 1);
      refOf(await post({ mayStand: true }));
    });
  });

  it('posts three at once and then one a second in one channel, and others meanwhile', {
    tags: ['F52'],
  }, async () => {
    const kinds = async (count: number) => {
      const all: string[] = [];
      for (let each = 0; each < count; each += 1) all.push((await post({ key: `${each}` })).kind);
      return all;
    };
    expect(await kinds(4)).toEqual(['delivered', 'delivered', 'delivered', 'rateLimited']);
    const direct = { platform: 'slack', channel: rig.kofi.id };
    expect((await post({ conversation: direct })).kind).toBe('delivered');
    await clock.advance(1_000);
    // Behind the one that was refused, and waits.
    expect((await post({ key: 'later' })).kind).toBe('rateLimited');
    expect((await post({ key: '3' })).kind).toBe('delivered');
  });

  it('counts answers that somebody waits for, and holds none of them back', async () => {
    rig.inbound.onCommand = ({ surface }) => surface.say(card);
    const ama = rig.ama;
    for (let each = 0; each < 5; each += 1) await ama.directMessage('help');
    await eventually(async () => {
      const answers = (await rig.slack.messages('@ama')).filter(({ author }) => !author);
      expect(answers).toHaveLength(5);
    });
    const direct = { platform: 'slack', channel: ama.id };
    expect((await post({ conversation: direct })).kind).toBe('rateLimited');
  });

  it('shows the ends of 40 payments that end together within 30 s, whatever was edited before', {
    tags: ['F52'],
  }, async () => {
    const refs: MessageRef[] = [];
    while (refs.length < 40) {
      const posted = await post({ key: `card ${refs.length}` });
      if (posted.kind === 'delivered') refs.push(posted.ref);
      else await clock.advance(posted.kind === 'rateLimited' ? posted.retryAfterMs : 1_000);
    }
    // All of them go on a moment before, as far as that is shown.
    for (const ref of refs) await rig.bot.edit(ref, card, 'pending');
    rig.slack.fail('chat.update', { kind: 'rateLimited', retryAfterSeconds: 4 }, 1);
    const startedMs = clock.now();
    const owed = new Set(refs);
    while (owed.size > 0) {
      const waits: number[] = [];
      for (const ref of owed) {
        const edited = await rig.bot.edit(ref, { ...card, title: 'GHS 50.00 · completed' });
        if (edited.kind === 'delivered') owed.delete(ref);
        else waits.push(edited.kind === 'rateLimited' ? edited.retryAfterMs : 1_000);
      }
      if (owed.size > 0) await clock.advance(Math.min(...waits));
    }
    expect(clock.now() - startedMs).toBeGreaterThanOrEqual(4_000);
    expect(clock.now() - startedMs).toBeLessThanOrEqual(30_000);
  });

  it('shows an end before the edits that wait to show that a payment goes on', async () => {
    const ref = refOf(await post());
    const others = Array.from(
      { length: 60 },
      (_, each): MessageRef => ({ ...ref, message: `1.${each}` }),
    );
    const waiting: MessageRef[] = [];
    for (const other of others)
      if ((await rig.bot.edit(other, card, 'pending')).kind === 'rateLimited') waiting.push(other);
    expect(waiting).toHaveLength(40);
    expect((await rig.bot.edit(ref, { ...card, title: 'Paid' })).kind).toBe('delivered');
    expect(await rig.slack.transcript('sales')).toMatch(/^paythread: Paid/);
  });

  it('edits within Slack’s pace for the whole workspace', async () => {
    const ref = refOf(await post());
    const kinds: string[] = [];
    for (let each = 0; each < 41; each += 1) kinds.push((await rig.bot.edit(ref, card)).kind);
    expect(kinds.filter((kind) => kind === 'delivered')).toHaveLength(40);
    expect(kinds.at(-1)).toBe('rateLimited');
  });

  it('writes no token, number or words into the log when something fails', async () => {
    const secret: Card = { title: 'GHS 50.00', parts: [{ kind: 'text', text: '0244123456' }] };
    for (const kind of ['cut before', 'garbage'] as const) {
      rig.slack.fail('chat.postMessage', { kind }, 1);
      await post({ card: secret });
    }
    rig.slack.fail('chat.postEphemeral', { kind: 'error', error: 'invalid_blocks' });
    rig.inbound.onCommand = ({ surface }) => surface.say(secret);
    await rig.ama.mention('sales', 'charge 0244123456');
    await rig.slack.message('@ama', /50/);
    const written = JSON.stringify(rig.log.entries);
    expect(written).not.toContain('0244123456');
    expect(written).not.toContain(rig.slack.botToken);
  });
});
