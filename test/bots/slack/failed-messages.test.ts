import { beforeEach, describe, expect, it } from 'vitest';
import { SlackBot } from '../../../src/bots/slack/slack-bot.ts';
import { RateLimiter } from '../../../src/core/cluster/rate-limiter.ts';
import type { Delivery } from '../../../src/core/values/conversation.ts';
import { silentLog } from '../../support/silent-log.ts';
import type { Fault } from '../../support/slack/faults.ts';
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
});
