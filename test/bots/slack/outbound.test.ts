import { beforeEach, describe, expect, it } from 'vitest';
import type { OutgoingMessage } from '../../../src/bots/bot.ts';
import { SlackBot } from '../../../src/bots/slack/slack-bot.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { RateLimiter } from '../../../src/core/cluster/rate-limiter.ts';
import type { Conversation, Delivery, MessageRef } from '../../../src/core/values/conversation.ts';
import { eventually } from '../../support/eventually.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { silentLog } from '../../support/silent-log.ts';
import type { Fault } from '../../support/slack/faults.ts';
import { type Rig, startRig } from './bot-rig.ts';

const card: Card = {
  title: 'Payment pending',
  parts: [{ kind: 'facts', facts: [{ label: 'Amount', value: 'GHS 50.00' }] }],
  buttons: [{ kind: 'press', label: 'Check now', verb: 'status.check', id: 'p1' }],
};

describe('messages to Slack', () => {
  let rig: Rig;
  let clock: ManualClock;
  beforeEach(async () => {
    clock = new ManualClock();
    rig = await startRig('http', { pacerClock: clock });
  });

  const conversation = async (channel: string, thread?: string): Promise<Conversation> => ({
    platform: 'slack',
    workspace: rig.slack.teamId,
    channel: await rig.slack.channelId(channel),
    ...(thread === undefined ? {} : { thread }),
  });

  const post = async (message: Partial<OutgoingMessage> = {}): Promise<Delivery> =>
    rig.bot.post({
      conversation: await conversation('sales'),
      card,
      key: 'card of p1',
      mayStand: false,
      ...message,
    });

  const refOf = (delivery: Delivery): MessageRef => {
    if (delivery.kind !== 'delivered') throw new Error(JSON.stringify(delivery));
    return delivery.ref;
  };

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

  describe('when it fails', () => {
    const error = (code: string): Fault => ({ kind: 'error', error: code });
    it.each<[string, Fault, Delivery['kind']]>([
      ['is told to wait', { kind: 'rateLimited', retryAfterSeconds: 7 }, 'rateLimited'],
      ['is told to wait and not how long', { kind: 'rateLimited' }, 'rateLimited'],
      ['is told to wait in words', error('rate_limited'), 'rateLimited'],
      ['gets an error page', { kind: 'http', status: 502 }, 'unclear'],
      ['gets a page instead of an answer', { kind: 'garbage' }, 'unclear'],
      ['loses the connection before', { kind: 'cut before' }, 'unclear'],
      ['loses the connection after', { kind: 'cut after' }, 'unclear'],
      ['hears of trouble inside Slack', error('internal_error'), 'unclear'],
      ['has a token that was revoked', error('token_revoked'), 'not sent'],
      ['lacks a scope', error('missing_scope'), 'not sent'],
      ['hears a word that is not known', error('something_new'), 'not sent'],
      ['hears a word of every object', error('constructor'), 'not sent'],
      ['was thrown out', error('not_in_channel'), 'gone'],
      ['finds the channel archived', error('is_archived'), 'gone'],
      ['may not post', error('restricted_action_read_only_channel'), 'gone'],
    ])('%s: tries once and says so', { tags: ['F54'] }, async (_, fault, kind) => {
      rig.slack.fail('chat.postMessage', fault);
      expect((await post()).kind).toBe(kind);
      expect(rig.slack.calls('chat.postMessage')).toHaveLength(1);
    });

    it('posts nothing more in a channel until the wait is over', async () => {
      rig.slack.fail('chat.postMessage', { kind: 'rateLimited', retryAfterSeconds: 7 }, 1);
      expect(await post()).toEqual({ kind: 'rateLimited', retryAfterMs: 7_000 });
      expect(await post()).toEqual({ kind: 'rateLimited', retryAfterMs: 7_000 });
      expect(rig.slack.calls('chat.postMessage')).toHaveLength(1);
      await clock.advance(7_000);
      expect((await post()).kind).toBe('delivered');
    });

    it('edits nothing more in any channel until the wait is over', async () => {
      const ref = refOf(await post());
      const other = refOf(await post({ conversation: await conversation('@kofi'), key: 'other' }));
      rig.slack.fail('chat.update', { kind: 'rateLimited', retryAfterSeconds: 7 }, 1);
      const told = { kind: 'rateLimited', retryAfterMs: 7_000 };
      expect(await rig.bot.edit(ref, card)).toEqual(told);
      await clock.advance(6_999);
      for (const each of [ref, other])
        expect((await rig.bot.edit(each, card)).kind).toBe('rateLimited');
      expect(rig.slack.calls('chat.update')).toHaveLength(1);
      await clock.advance(1);
      for (const each of [ref, other])
        expect((await rig.bot.edit(each, card)).kind).toBe('delivered');
    });

    it('believes no wait without end', async () => {
      rig.slack.fail('chat.postMessage', { kind: 'rateLimited', retryAfterSeconds: 1e9 }, 1);
      expect(await post()).toEqual({ kind: 'rateLimited', retryAfterMs: 300_000 });
    });

    it('tells how to invite it where it is not a member', async () => {
      for (const channel of ['closed', 'board'])
        expect(await post({ conversation: await conversation(channel) })).toMatchObject({
          kind: 'gone',
          remedy: expect.stringContaining('/invite @Paythread'),
        });
      await rig.slack.archive('sales');
      expect(await post()).toMatchObject({ kind: 'gone', reason: 'Slack says is_archived' });
    });

    it('certainly posted nothing when nobody listens at the other end', async () => {
      await rig.slack.goOffline();
      expect(await post()).toEqual({
        kind: 'not sent',
        reason: expect.stringContaining('ECONNREFUSED'),
      });
      await rig.slack.comeBack();
    });

    it('certainly posted nothing when the name cannot be found', async () => {
      const bot = new SlackBot({
        botToken: 'xoxb-1',
        transport: { kind: 'http', signingSecret: 's' },
        apiUrl: 'http://nowhere.invalid/api/',
        homeOf: async () => ({ cards: [], approves: false }),
        linkToPayment: async () => undefined,
        inbound: rig.inbound,
        clock,
        log: silentLog,
        pacer: new RateLimiter(clock),
      });
      const message = {
        conversation: await conversation('sales'),
        card,
        key: 'k',
        mayStand: false,
      };
      expect((await bot.post(message)).kind).toBe('not sent');
    });

    it('posted nothing either when the direct channel could not be opened', async () => {
      const direct = { platform: 'slack', channel: rig.kofi.id };
      rig.slack.fail('conversations.open', { kind: 'cut after' }, 1);
      expect((await post({ conversation: direct })).kind).toBe('not sent');
      rig.slack.fail('conversations.open', error('user_not_found'), 1);
      expect((await post({ conversation: direct })).kind).toBe('gone');
    });

    it.each(['invalid_blocks', 'msg_too_long', 'msg_blocks_too_long'])(
      'says it in plain words when Slack answers %s',
      async (code) => {
        rig.slack.fail('chat.postMessage', error(code), 1);
        const ref = refOf(await post());
        expect(await rig.slack.transcript('sales')).toMatch(
          /^paythread: Payment pending\n {2}Amount/,
        );
        rig.slack.fail('chat.update', error(code), 1);
        expect(await rig.bot.edit(ref, { ...card, title: 'Paid' })).toMatchObject({
          kind: 'delivered',
        });
        expect(await rig.slack.transcript('sales')).toMatch(/^paythread: Paid/);
      },
    );

    it.each([
      'metadata_must_be_sent_from_app',
      'invalid_metadata_format',
      'invalid_metadata_schema',
      'metadata_too_large',
    ])('goes without its metadata when Slack answers %s', { tags: ['F92'] }, async (code) => {
      rig.slack.fail('chat.postMessage', error(code), 1);
      refOf(await post());
      const [refused, taken] = rig.slack.calls('chat.postMessage').map(({ args }) => args.metadata);
      expect([refused === undefined, taken]).toEqual([false, undefined]);
      expect(await rig.slack.transcript('sales')).toMatch(/^paythread: Payment pending/);
    });

    it('gives up on plain words too, and never loops', async () => {
      rig.slack.fail('chat.postMessage', error('invalid_blocks'));
      expect((await post()).kind).toBe('not sent');
      expect(rig.slack.calls('chat.postMessage')).toHaveLength(2);
    });

    it.each<[string, Delivery['kind']]>([
      ['message_not_found', 'gone'],
      ['cant_update_message', 'gone'],
      ['invalid_auth', 'not sent'],
      ['fatal_error', 'unclear'],
    ])('says of an edit that was answered %s', async (code, kind) => {
      const ref = refOf(await post());
      rig.slack.fail('chat.update', error(code));
      expect((await rig.bot.edit(ref, card)).kind).toBe(kind);
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
