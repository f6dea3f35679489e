import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '../../../src/core/runtime/errors.ts';
import { FastClock } from '../../support/fast-clock.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { waitFor } from '../../support/slack/wait-for.ts';
import { type Rig, startRig } from './bot-rig.ts';

describe('Socket Mode', () => {
  let rig: Rig;
  const unhandled: unknown[] = [];
  const note = (reason: unknown) => unhandled.push(reason);
  beforeEach(() => {
    unhandled.length = 0;
    process.on('unhandledRejection', note);
  });
  afterEach(async () => {
    await rig.stop();
    // Rejections are reported after the microtasks that follow them.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', note);
    expect(unhandled).toEqual([]);
  });

  const connection = (count: number) =>
    waitFor(
      `connection ${count}`,
      () =>
        rig.slack.socket.connects >= count && rig.bot.notReady() === undefined ? true : undefined,
      () => `${rig.slack.socket.connects} ${rig.bot.notReady()}`,
    );

  const works = async () => {
    const before = rig.inbound.seen.length;
    const ack = await rig.ama.slash('sales', '/help');
    expect(ack.ok).toBe(true);
    await waitFor('the command', () => (rig.inbound.seen.length > before ? true : undefined));
  };

  it('connects, is ready, and asks once who it is', async () => {
    rig = await startRig('socket');
    expect(rig.bot.notReady()).toBeUndefined();
    expect(rig.bot.handle).toBeUndefined();
    await works();
    await works();
    expect(rig.slack.calls('auth.test')).toHaveLength(1);
  });

  it('takes up a new connection at once when Slack refreshes it', async () => {
    // Time stands still, so whoever waits for it waits for ever.
    rig = await startRig('socket', { clock: new ManualClock() });
    rig.slack.socket.refresh();
    await connection(2);
    await works();
  });

  it('takes up a new connection when the old one breaks', async () => {
    rig = await startRig('socket');
    for (let count = 2; count < 5; count += 1) {
      rig.slack.socket.cut();
      await connection(count);
    }
    await works();
  });

  it('outlives an outage without crashing, and says meanwhile that it is not connected', async () => {
    rig = await startRig('socket', { clock: new FastClock(20) });
    await rig.slack.goOffline();
    await waitFor('the loss', () => rig.bot.notReady());
    expect(rig.bot.notReady()).toBe('Slack: not connected');
    await waitFor('some attempts', () =>
      rig.log.entries.filter(({ message }) => message === 'no connection to Slack').length > 3
        ? true
        : undefined,
    );
    await rig.slack.comeBack();
    await connection(2);
    await works();
  });

  it.each([
    ['refuses the token', { kind: 'error', error: 'invalid_auth' }],
    ['answers 500', { kind: 'http', status: 500 }],
    ['asks for patience', { kind: 'rateLimited', retryAfterSeconds: 1 }],
    ['cuts the connection', { kind: 'cut before' }],
    ['answers with a page', { kind: 'garbage' }],
  ] as const)('survives a reconnect at which Slack %s', async (_, fault) => {
    rig = await startRig('socket', { clock: new FastClock(20) });
    rig.slack.fail('apps.connections.open', fault, 3);
    rig.slack.socket.refresh();
    await connection(2);
    await works();
  });

  it('gives up a connection that never says hello, and takes another', async () => {
    rig = await startRig('socket', { clock: new FastClock(100), start: false });
    rig.slack.socket.silent = true;
    const started = rig.bot.start();
    await waitFor('a silent connection', () => (rig.slack.socket.connects > 0 ? true : undefined));
    rig.slack.socket.silent = false;
    await started;
    await connection(2);
    await works();
  });

  it('ignores what it does not understand', async () => {
    rig = await startRig('socket');
    rig.slack.socket.sendRaw('no JSON');
    rig.slack.socket.sendRaw('null');
    rig.slack.socket.sendRaw('{"type":"something_new"}');
    rig.slack.socket.sendRaw('{"type":"events_api","payload":{}}');
    rig.slack.socket.sendRaw('{"type":"interactive","payload":{"type":"block_actions"}}');
    await works();
  });

  it('refuses to start with an app token that Slack does not accept', async () => {
    const transport = { kind: 'socket', appToken: 'xapp-wrong' } as const;
    rig = await startRig('socket', { bot: { transport }, start: false });
    await expect(rig.bot.start()).rejects.toThrow(StartError);
    await expect(rig.bot.start()).rejects.toThrow(/SLACK_APP_TOKEN .*invalid_auth/);
    expect(rig.bot.notReady()).toBeDefined();
  });

  it('starts while Slack cannot be reached, and connects when it can', async () => {
    rig = await startRig('socket', { clock: new FastClock(50), start: false });
    await rig.slack.goOffline();
    await rig.bot.start();
    expect(rig.bot.notReady()).toBeDefined();
    await rig.slack.comeBack();
    await connection(1);
    await works();
  });

  it('stops in the middle of an outage, and does not come back', async () => {
    rig = await startRig('socket', { clock: new FastClock(20) });
    await rig.slack.goOffline();
    await waitFor('the loss', () => rig.bot.notReady());
    await rig.bot.stop();
    const calls = rig.slack.calls('apps.connections.open').length;
    await rig.slack.comeBack();
    expect((await rig.ama.slash('sales', '/help')).ok).toBe(false);
    expect(rig.slack.calls('apps.connections.open')).toHaveLength(calls);
    expect(rig.slack.socket.connected).toBe(0);
  });

  it('stops although the other side does not say goodbye', async () => {
    rig = await startRig('socket', { clock: new FastClock(20) });
    rig.slack.socket.freeze();
    await rig.bot.stop();
  });

  it('waits when Slack asks for patience with an answer, and gives it then', async () => {
    rig = await startRig('socket', { clock: new FastClock(50) });
    rig.inbound.onCommand = ({ surface }) => surface.say({ title: 'Here you are', parts: [] });
    rig.slack.fail('chat.postEphemeral', { kind: 'rateLimited', retryAfterSeconds: 5 }, 2);
    await rig.ama.mention('sales', 'help');
    await rig.ama.ephemeral(/Here you are/);
    expect(rig.slack.calls('chat.postEphemeral')).toHaveLength(3);
  });

  it('carries out nothing that it could not acknowledge', { tags: ['F57'] }, async () => {
    rig = await startRig('socket');
    // Sent, and the connection is gone before the acknowledgement can be.
    const ack = rig.ama.slash('sales', '/charge');
    rig.slack.socket.cut();
    await ack;
    await connection(2);
    await works();
    expect(rig.inbound.commands.filter((each) => each === 'help')).toHaveLength(1);
  });
});
