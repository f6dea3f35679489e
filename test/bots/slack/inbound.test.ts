import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { jsonScript, startScriptedHttp } from '../../support/scripted-http.ts';
import { waitFor } from '../../support/slack/wait-for.ts';
import { type Rig, startRig, type Transport } from './bot-rig.ts';
import { confirmation, confirmationShown, done } from './confirmation.ts';

// One suite over both transports: whatever way Slack's requests come, the commands see the same.
describe.each<Transport>(['socket', 'http'])('inbound over %s', (transport) => {
  let rig: Rig;
  let ama: Rig['ama'];
  let kofi: Rig['kofi'];
  let inbound: Rig['inbound'];
  beforeEach(async () => {
    rig = await startRig(transport);
    ({ ama, kofi, inbound } = rig);
  });

  /** The commands that were handed over, once so many events were. */
  const commands = async (count: number): Promise<string[]> => {
    await inbound.reached(count);
    return inbound.commands;
  };

  it('hands over a slash command with its words, its sender and its place', async () => {
    const ack = await ama.slash('sales', '/charge', '0244123456 50 GHS');
    expect(ack).toMatchObject({ ok: true, status: 200, answer: undefined });
    const [event] = await inbound.reached(1);
    expect(event).toMatchObject({ kind: 'command', name: 'charge', words: '0244123456 50 GHS' });
    expect(event?.inbound.caller).toEqual({
      platform: 'slack',
      id: ama.id,
      name: 'ama',
      conversation: {
        platform: 'slack',
        workspace: rig.slack.teamId,
        channel: await rig.slack.channelId('sales'),
      },
    });
  });

  it.each(['paystatus', '/paystatus', 'status', '/Status'])(
    'takes /help %s for help on status',
    async (words) => {
      await ama.slash('sales', '/help', words);
      expect((await inbound.reached(1))[0]).toMatchObject({
        kind: 'command',
        name: 'help',
        words: 'status',
      });
    },
  );

  it.each([
    ['/paystatus', 'status'],
    ['/payhelp', 'help'],
    ['/help', 'help'],
  ])('knows %s as %s', async (typed, name) => {
    await ama.slash('sales', typed);
    expect(await commands(1)).toEqual([name]);
  });

  it('hands over a command that nobody knows, so that it is answered', async () => {
    const ack = await ama.slash('sales', '/nonsense', 'x', { unknownToo: true });
    expect(ack.ok).toBe(true);
    expect(await commands(1)).toEqual(['nonsense x']);
  });

  it('gives back what was typed: escaped signs, numbers and addresses made into links', async () => {
    await ama.slash('sales', '/sms', '0244123456 A & B <3 > 2');
    await ama.mention(
      'sales',
      'charge <tel:0244123456|0244123456> 50 <mailto:a@b.c|a@b.c> &lt;ok&gt;',
      { raw: true },
    );
    expect(await commands(2)).toEqual([
      'sms 0244123456 A & B <3 > 2',
      'charge 0244123456 50 a@b.c <ok>',
    ]);
  });

  it('answers a command privately', async () => {
    inbound.onCommand = ({ surface }) => surface.say(confirmation);
    await ama.slash('closed', '/charge', '0244123456 50');
    await ama.ephemeral(/Customer: Ama Mensah\n\[Charge GHS 50.00\] \[Cancel\] \[Receipt -> https/);
    expect(kofi.ephemerals()).toEqual([]);
    expect(await rig.slack.transcript('closed')).toBe('');
    expect(rig.slack.calls('chat.postMessage')).toEqual([]);
  });

  it('falls back to the channel, then to the direct channel, when the private answer fails', async () => {
    inbound.onCommand = ({ surface }) => surface.say(done);
    rig.slack.fail('response_url', { kind: 'http', status: 500 });
    await ama.ask('sales', '/balance', /Requested/);
    expect(rig.slack.calls('chat.postEphemeral')).toHaveLength(1);
    await ama.slash('board', '/balance');
    await rig.slack.message('@ama', /Requested/);
    expect(rig.log.entries.filter(({ level }) => level === 'error')).toEqual([]);
  });

  it('answers at no address but Slack’s, whatever a request names', { tags: ['T20'] }, async () => {
    const elsewhere = await startScriptedHttp(jsonScript(200, { ok: true }));
    onTestFinished(() => elsewhere.stop());
    inbound.onCommand = ({ surface }) => surface.say(done);
    await ama.slash('sales', '/balance', '', {
      responseUrl: elsewhere.baseUrl.replace('127.0.0.1', 'localhost'),
    });
    await ama.ephemeral(/Requested/);
    expect(elsewhere.connections).toBe(0);
    expect(rig.log.entries.map(({ message }) => message)).toContain(
      'an address to answer at is not of Slack, so it was not used',
    );
  });

  it('knows a redelivered command by its id and drops nothing by itself', async () => {
    const command = await ama.slash('sales', '/charge', '1');
    await command.again();
    const mention = await ama.mention('sales', 'charge 1');
    await mention.again();
    const [first, second, third, fourth] = (await inbound.reached(4)).map(
      ({ inbound }) => inbound.eventId,
    );
    expect(first).toMatch(/^slack:.+/);
    expect(second).toBe(first);
    expect(third).toMatch(/^slack:Ev/);
    expect(fourth).toBe(third);
  });

  it('takes a mention for a command, with or without slash, and stays in its thread', async () => {
    inbound.onCommand = ({ surface }) => surface.say(done);
    const thread = await ama.write('sales', 'Who pays for lunch?');
    await ama.mention('sales', 'hello');
    await ama.mention('sales', '/PayStatus ABC', { thread });
    await ama.mention('sales', '');
    const events = await inbound.reached(3);
    expect(inbound.commands).toEqual(['hello', 'status ABC', '']);
    const threads = events.map(({ inbound }) => inbound.caller.conversation.thread);
    expect(threads).toEqual([undefined, thread, undefined]);
    await waitFor('three answers', () => (ama.ephemerals().length === 3 ? true : undefined));
    const answers = rig.slack.calls('chat.postEphemeral').map(({ args }) => args.thread_ts);
    expect(answers).toEqual([undefined, thread, undefined]);
  });

  it('handles a post once that comes as a mention and as a message', async () => {
    await ama.mention('sales', 'balance', { twin: true });
    await ama.slash('sales', '/help');
    expect(await commands(2)).toEqual(['balance', 'help']);
  });

  it('takes a direct message for a command, or else for an answer', async () => {
    inbound.onCommand = ({ surface }) => surface.say(done);
    await ama.directMessage('charge 0244123456 50');
    await ama.directMessage('hello there');
    inbound.onText = async () => true;
    await ama.directMessage('0244123456');
    await inbound.reached(4);
    const kinds = inbound.seen.map(({ kind }) => kind);
    expect(kinds).toEqual(['command', 'text', 'command', 'text']);
    expect(inbound.commands).toEqual(['charge 0244123456 50', 'hello there']);
    await rig.slack.message('@ama', /Requested/);
    expect(ama.ephemerals()).toEqual([]);
  });

  it.each([
    ['an edited message', { edited: { user: 'U1', ts: '1.000000' } }],
    ['a message that was changed', { subtype: 'message_changed', hidden: true }],
    ['another bot', { bot_id: 'B0OTHER' }],
    ['itself', { user: 'U0PAYTHREAD' }],
    ['nobody', { user: undefined }],
    ['a message of a channel', { channel_type: 'channel' }],
  ])('ignores %s', async (_, event) => {
    await ama.directMessage('charge 0244123456 50', { event });
    await ama.slash('sales', '/help');
    expect(await commands(1)).toEqual(['help']);
  });

  it.each([
    ['another bot', { bot_id: 'B0OTHER', user: 'U0OTHERBOT' }],
    ['a workflow', { subtype: 'bot_message', bot_id: 'B0FLOW', user: undefined }],
    ['Slackbot, as a reminder does', { user: 'USLACKBOT' }],
    ['itself', { user: 'U0PAYTHREAD' }],
    ['nobody', { user: undefined }],
  ])('does nothing and says nothing when mentioned by %s', { tags: ['T7'] }, async (_, event) => {
    inbound.onCommand = ({ surface }) => surface.say(done);
    await ama.mention('sales', 'charge 0244123456 50', { event });
    await ama.slash('sales', '/help');
    expect(await commands(1)).toEqual(['help']);
    // Two bots that answer each other would never end.
    expect(await rig.slack.transcript('sales')).not.toContain('paythread:');
    expect(rig.slack.calls('chat.postEphemeral')).toEqual([]);
  });

  it('refuses a mention in a channel that other companies read, and says why once', {
    tags: ['T6'],
  }, async () => {
    const envelope = { is_ext_shared_channel: true };
    const mention = await ama.mention('sales', 'charge 0244123456 50', { envelope });
    await ama.ephemeral(/shared with another company[\s\S]*Nothing was done/);
    await mention.again();
    await ama.mention('sales', 'balance');
    expect(await commands(1)).toEqual(['balance']);
    expect(ama.ephemerals()).toHaveLength(1);
  });

  it('refuses strangers of other workspaces, whatever they do', { tags: ['T6'] }, async () => {
    const message = await confirmationShown(rig);
    const stranger = ama.fromTeam('T0STRANGER');
    await stranger.slash('sales', '/charge', '0244123456 50');
    await stranger.press(message, 'Charge');
    await stranger.mention('sales', 'charge 0244123456 50');
    await stranger.directMessage('charge 0244123456 50');
    await waitFor('four refusals', async () => {
      const refusals = ama.ephemerals().filter((text) => text.includes('another workspace'));
      const direct = (await rig.slack.transcript('@ama')).includes('another workspace');
      return refusals.length === 3 && direct ? true : undefined;
    });
    expect(inbound.seen).toHaveLength(1);
    const logged = rig.log.entries.filter(({ message }) => message === 'refused: not granted');
    expect(logged).toHaveLength(4);
    expect(logged[0]?.fields).toMatchObject({ who: `slack:${ama.id}` });
  });

  it('acknowledges while the command hangs', { tags: ['F57'] }, async () => {
    const { promise: hanging, resolve: release } = Promise.withResolvers<void>();
    inbound.onCommand = () => hanging;
    inbound.onPress = () => hanging;
    inbound.onSubmit = () => hanging;
    const ack = await ama.slash('sales', '/charge');
    const mention = await ama.mention('sales', 'charge');
    expect([ack.ok, mention.ok]).toEqual([true, true]);
    release();
  });

  it('waits at a stop for what is in hand, and takes nothing more', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    inbound.onCommand = async ({ surface }) => {
      await released;
      await surface.say(done);
    };
    await ama.slash('sales', '/charge');
    await inbound.reached(1);
    let stopped = false;
    const stop = rig.bot.stop().then(() => {
      stopped = true;
    });
    await waitFor('the door to be closed', async () => {
      const late = await ama.slash('sales', '/help');
      return late.ok ? undefined : true;
    });
    expect(stopped).toBe(false);
    release();
    await stop;
    expect(ama.ephemerals()).toEqual(['Requested']);
    expect(inbound.commands).toEqual(['charge']);
  });

  it('survives requests that make no sense', async () => {
    await ama.directMessage('charge', { event: { ts: 7, text: null } });
    await ama.slash('sales', '/help');
    expect(await commands(1)).toEqual(['help']);
  });
});
