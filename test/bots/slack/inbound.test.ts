import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import { jsonScript, startScriptedHttp } from '../../support/scripted-http.ts';
import { waitFor } from '../../support/slack/wait-for.ts';
import { type Rig, startRig, type Transport } from './bot-rig.ts';
import { chargeForm } from './charge-form.ts';

const confirmation: Card = {
  title: 'Charge GHS 50.00?',
  parts: [{ kind: 'facts', facts: [{ label: 'Customer', value: 'Ama Mensah' }] }],
  buttons: [
    { kind: 'press', label: 'Charge GHS 50.00', verb: 'charge.go', id: 'd1', style: 'primary' },
    { kind: 'press', label: 'Cancel', verb: 'charge.no', id: 'd1' },
    { kind: 'link', label: 'Receipt', url: 'https://example.com/r/1' },
  ],
};
const done: Card = { title: 'Requested', parts: [] };

// One suite over both transports: whatever way Slack's requests come, the commands see the same.
describe.each<Transport>(['socket', 'http'])('inbound over %s', (transport) => {
  let rig: Rig;
  let ama: Rig['ama'];
  let kofi: Rig['kofi'];
  beforeEach(async () => {
    rig = await startRig(transport);
    ({ ama, kofi } = rig);
  });

  /** Posts the confirmation into #sales, and gives that conversation. */
  const posted = async () => {
    const channel = await rig.slack.channelId('sales');
    const conversation = { platform: 'slack', workspace: rig.slack.teamId, channel };
    await rig.bot.post({ conversation, card: confirmation, key: 'k', mayStand: false });
    return conversation;
  };

  const seen = (count: number) =>
    waitFor(
      `${count} events`,
      () => (rig.inbound.seen.length >= count ? rig.inbound.seen : undefined),
      () => JSON.stringify(rig.inbound.commands),
    );

  /** The commands that were handed over, once so many events were. */
  const commands = async (count: number): Promise<string[]> => {
    await seen(count);
    return rig.inbound.commands;
  };

  /** Types a command that is answered with the confirmation. */
  const confirmationShown = () => {
    rig.inbound.onCommand = ({ surface }) => surface.say(confirmation);
    return ama.ask('sales', '/charge', /Charge/);
  };

  it('hands over a slash command with its words, its sender and its place', async () => {
    const ack = await ama.slash('sales', '/charge', '0244123456 50 GHS');
    expect(ack).toMatchObject({ ok: true, status: 200, answer: undefined });
    const [event] = await seen(1);
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
      expect((await seen(1))[0]).toMatchObject({ kind: 'command', name: 'help', words: 'status' });
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
    rig.inbound.onCommand = ({ surface }) => surface.say(confirmation);
    await ama.slash('closed', '/charge', '0244123456 50');
    await ama.ephemeral(/Customer: Ama Mensah\n\[Charge GHS 50.00\] \[Cancel\] \[Receipt -> https/);
    expect(kofi.ephemerals()).toEqual([]);
    expect(await rig.slack.transcript('closed')).toBe('');
    expect(rig.slack.calls('chat.postMessage')).toEqual([]);
  });

  it('falls back to the channel, then to the direct channel, when the private answer fails', async () => {
    rig.inbound.onCommand = ({ surface }) => surface.say(done);
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
    rig.inbound.onCommand = ({ surface }) => surface.say(done);
    await ama.slash('sales', '/balance', '', {
      responseUrl: elsewhere.baseUrl.replace('127.0.0.1', 'localhost'),
    });
    await ama.ephemeral(/Requested/);
    expect(elsewhere.connections).toBe(0);
    expect(rig.log.entries.map(({ message }) => message)).toContain(
      'an address to answer at is not of Slack, so it was not used',
    );
  });

  it('replaces the private message whose button was pressed', async () => {
    rig.inbound.onPress = ({ surface }) => surface.replace(done);
    await ama.press(await confirmationShown(), 'Charge');
    await ama.ephemeral(/^Requested$/);
    expect(ama.ephemerals()).toHaveLength(1);
    const press = rig.inbound.seen.at(-1);
    expect(press).toMatchObject({ kind: 'press', verb: 'charge.go', id: 'd1' });
    expect(press?.inbound.caller.id).toBe(ama.id);
  });

  it('edits a pressed private message later, through the bot', async () => {
    await ama.press(await confirmationShown(), 'Charge');
    const press = (await seen(2)).at(-1);
    const pressed = press?.inbound.pressed;
    if (pressed === undefined) throw new Error('the press names no message');
    expect(pressed.canBecomeCard).toBe(false);
    expect(await rig.bot.edit(pressed.ref, done)).toMatchObject({ kind: 'delivered' });
    await ama.ephemeral(/^Requested$/);
    expect(ama.ephemerals()).toHaveLength(1);
  });

  it('gives a pressed private message up once its address is used up', async () => {
    await ama.press(await confirmationShown(), 'Charge');
    const ref = (await seen(2)).at(-1)?.inbound.pressed?.ref;
    if (ref === undefined) throw new Error('the press names no message');
    for (let edits = 0; edits < 5; edits++) await rig.bot.edit(ref, done);
    expect(await rig.bot.edit(ref, done)).toMatchObject({ kind: 'gone' });
    rig.slack.fail('response_url', { kind: 'cut before' });
    expect(await rig.bot.edit(ref, done)).toMatchObject({ kind: 'unclear' });
  });

  it('edits no private message at an address that is not of Slack', { tags: ['T20'] }, async () => {
    const elsewhere = await startScriptedHttp(jsonScript(200, { ok: true }));
    onTestFinished(() => elsewhere.stop());
    const conversation = { platform: 'slack', channel: await rig.slack.channelId('sales') };
    const message = elsewhere.baseUrl.replace('127.0.0.1', 'localhost');
    expect(await rig.bot.edit({ conversation, message }, done)).toMatchObject({ kind: 'gone' });
    expect(elsewhere.connections).toBe(0);
  });

  it('names the message of the channel whose button was pressed', async () => {
    const conversation = await posted();
    const card = await rig.slack.message('sales', /Charge/);
    await kofi.press(card, 'Charge');
    expect((await seen(1))[0]?.inbound.pressed).toEqual({
      ref: { conversation, message: card.ts },
      canBecomeCard: false,
    });
  });

  it('counts no press that the message of the channel has no button for', {
    tags: ['T67'],
  }, async () => {
    rig.inbound.onPress = ({ surface }) => surface.replace(done);
    await posted();
    const card = await rig.slack.message('sales', /Charge/);
    await kofi.forge(card, 'Charge', 'ask-access:charge');
    await kofi.ephemeral(/This button is no longer there/);
    expect(rig.inbound.seen).toEqual([]);
    expect(rig.slack.calls('chat.update')).toEqual([]);
  });

  it('answers a press beside the message when asked to say something', async () => {
    rig.inbound.onPress = ({ surface }) => surface.say(done);
    await ama.press(await confirmationShown(), 'Cancel');
    await ama.ephemeral(/Requested/);
    expect(ama.ephemerals()).toHaveLength(2);
  });

  it('updates a message of the channel whose button was pressed', async () => {
    rig.inbound.onPress = ({ surface }) => surface.replace(done);
    const conversation = await posted();
    await kofi.press(await rig.slack.message('sales', /Charge/), 'Charge');
    await rig.slack.message('sales', /^Requested$/);
    expect(rig.inbound.seen[0]?.inbound.caller).toMatchObject({ id: kofi.id, conversation });
  });

  it('does not take a message for a thread because there are answers under it', async () => {
    const conversation = await posted();
    const card = await rig.slack.message('sales', /Charge/);
    await ama.write('sales', 'a reply', { thread: card.ts });
    await ama.press(await rig.slack.message('sales', /Charge/), 'Charge');
    const [press] = await seen(1);
    expect(press?.inbound.caller.conversation).toEqual(conversation);
  });

  it('acknowledges a pressed link and hands over nothing', async () => {
    const ack = await ama.press(await confirmationShown(), 'Receipt');
    expect(ack.ok).toBe(true);
    await ama.slash('sales', '/help');
    await seen(2);
    expect(rig.inbound.seen.map(({ kind }) => kind)).toEqual(['command', 'command']);
  });

  it('tells apart presses, and knows the same press again', async () => {
    const message = await confirmationShown();
    const press = await ama.press(message, 'Charge');
    await press.again();
    await ama.press(message, 'Charge');
    const events = (await seen(4)).slice(1).map(({ inbound }) => inbound.eventId);
    expect(events[0]).toBe(events[1]);
    expect(events[2]).not.toBe(events[0]);
  });

  it('knows a redelivered command by its id and drops nothing by itself', async () => {
    const command = await ama.slash('sales', '/charge', '1');
    await command.again();
    const mention = await ama.mention('sales', 'charge 1');
    await mention.again();
    const [first, second, third, fourth] = (await seen(4)).map(({ inbound }) => inbound.eventId);
    expect(first).toMatch(/^slack:.+/);
    expect(second).toBe(first);
    expect(third).toMatch(/^slack:Ev/);
    expect(fourth).toBe(third);
  });

  it('takes a mention for a command, with or without slash, and stays in its thread', async () => {
    rig.inbound.onCommand = ({ surface }) => surface.say(done);
    const thread = await ama.write('sales', 'Who pays for lunch?');
    await ama.mention('sales', 'hello');
    await ama.mention('sales', '/PayStatus ABC', { thread });
    await ama.mention('sales', '');
    const events = await seen(3);
    expect(rig.inbound.commands).toEqual(['hello', 'status ABC', '']);
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
    rig.inbound.onCommand = ({ surface }) => surface.say(done);
    await ama.directMessage('charge 0244123456 50');
    await ama.directMessage('hello there');
    rig.inbound.onText = async () => true;
    await ama.directMessage('0244123456');
    await seen(4);
    const kinds = rig.inbound.seen.map(({ kind }) => kind);
    expect(kinds).toEqual(['command', 'text', 'command', 'text']);
    expect(rig.inbound.commands).toEqual(['charge 0244123456 50', 'hello there']);
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
    rig.inbound.onCommand = ({ surface }) => surface.say(done);
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
    const message = await confirmationShown();
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
    expect(rig.inbound.seen).toHaveLength(1);
    const logged = rig.log.entries.filter(({ message }) => message === 'refused: not granted');
    expect(logged).toHaveLength(4);
    expect(logged[0]?.fields).toMatchObject({ who: `slack:${ama.id}` });
  });

  it('acknowledges while the command hangs', { tags: ['F57'] }, async () => {
    const { promise: hanging, resolve: release } = Promise.withResolvers<void>();
    rig.inbound.onCommand = () => hanging;
    rig.inbound.onPress = () => hanging;
    rig.inbound.onSubmit = () => hanging;
    const ack = await ama.slash('sales', '/charge');
    const mention = await ama.mention('sales', 'charge');
    expect([ack.ok, mention.ok]).toEqual([true, true]);
    release();
  });

  it('waits at a stop for what is in hand, and takes nothing more', async () => {
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    rig.inbound.onCommand = async ({ surface }) => {
      await released;
      await surface.say(done);
    };
    await ama.slash('sales', '/charge');
    await seen(1);
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
    expect(rig.inbound.commands).toEqual(['charge']);
  });

  it('survives requests that make no sense', async () => {
    await ama.directMessage('charge', { event: { ts: 7, text: null } });
    await ama.slash('sales', '/help');
    expect(await commands(1)).toEqual(['help']);
  });

  describe('forms', () => {
    beforeEach(() => {
      rig.inbound.onCommand = ({ surface }) =>
        surface.ask(chargeForm, { number: '0244123456', network: 'VOD' });
      rig.inbound.onSubmit = ({ surface }) => surface.say(done);
    });
    const opened = async () => {
      await ama.slash('sales', '/charge');
      return ama.modal();
    };

    it('opens a modal filled in as far as the answers go, and submits it', async () => {
      await ama.slash('sales', '/charge', '0244123456');
      const modal = await ama.modal();
      expect(modal.view.title.text).toBe('Charge a customer');
      const result = await ama.submit(modal, { Amount: ' 50 ' });
      expect(result.kind).toBe('closed');
      const event = (await seen(2)).at(-1);
      expect(event).toMatchObject({
        kind: 'submit',
        command: 'charge',
        answers: { number: '0244123456', amount: '50', network: 'VOD' },
      });
      expect(event?.inbound.caller.conversation.channel).toBe(await rig.slack.channelId('sales'));
      expect(event?.inbound.eventId).toBe(`slack:${modal.viewId}`);
      await ama.ephemeral(/Requested/);
    });

    it('shows complaints under their fields and hands over nothing', async () => {
      const result = await ama.submit(await opened(), { number: '12', amount: '5' });
      expect(result).toMatchObject({
        kind: 'errors',
        errors: { number: 'This is not a number in Ghana.' },
      });
      expect(rig.inbound.seen).toHaveLength(1);
    });

    it('keeps the form open when checking it fails', async () => {
      const modal = await opened();
      const broken = () => {
        throw new Error('boom');
      };
      const fields = chargeForm.fields.map((field) => ({ ...field, check: broken }));
      rig.inbound.forms.set('charge', { ...chargeForm, fields });
      const result = await ama.submit(modal, { amount: '5' });
      expect(result).toMatchObject({
        kind: 'errors',
        errors: { number: expect.stringContaining('went wrong here') },
      });
    });

    it('refuses the form of a stranger', async () => {
      const modal = await opened();
      const result = await ama.fromTeam('T0STRANGER').submit(modal, { amount: '5' });
      expect(result.kind).toBe('closed');
      await ama.ephemeral(/another workspace/);
      expect(rig.inbound.seen).toHaveLength(1);
    });

    it.each([
      ['says nothing of what it is for', 'private_metadata', '{}'],
      ['was opened in another workspace', 'private_metadata', undefined],
    ])('keeps a form open that %s', async (_, name, metadata) => {
      const modal = await opened();
      const other = modal.view.private_metadata?.replace(rig.slack.teamId, 'T0OTHER');
      const view = { ...modal.view, [name]: metadata ?? other };
      const result = await ama.submit({ ...modal, view }, { amount: '5' });
      expect(result).toMatchObject({
        kind: 'errors',
        errors: { number: expect.stringContaining('out of date') },
      });
      expect(rig.inbound.seen).toHaveLength(1);
    });

    it('closes a modal that is none of ours and hands over nothing', async () => {
      const modal = await opened();
      const view = { ...modal.view, callback_id: 'another' };
      expect((await ama.submit({ ...modal, view }, { amount: '5' })).kind).toBe('closed');
      expect(rig.inbound.seen).toHaveLength(1);
    });

    it('uses a trigger once: a second question gets the button', async () => {
      rig.inbound.onCommand = async ({ surface }) => {
        await surface.ask(chargeForm, {});
        await surface.ask(chargeForm, {});
      };
      await ama.slash('sales', '/charge');
      await ama.modal();
      await ama.ephemeral(/Open the form/);
      expect(rig.slack.calls('views.open')).toHaveLength(1);
    });

    it('answers a submission privately in the channel, else directly', async () => {
      await ama.slash('board', '/charge');
      await ama.submit(await ama.modal(), { amount: '5' });
      await rig.slack.message('@ama', /Requested/);
    });

    it('offers a button for a mention, which opens the modal with what was typed', async () => {
      const thread = await ama.write('sales', 'Who pays for lunch?');
      await ama.mention('sales', 'charge 0244123456', { thread });
      await ama.press(await ama.ephemeral(/Open the form/), 'Open the form');
      await ama.submit(await ama.modal(), { amount: '7' });
      const event = (await seen(2)).at(-1);
      expect(event).toMatchObject({
        kind: 'submit',
        answers: { number: '0244123456', amount: '7', network: 'VOD' },
      });
      expect(event?.inbound.caller.conversation.thread).toBe(thread);
    });

    it('offers the button when the modal could not be opened in time', async () => {
      rig.slack.fail('views.open', { kind: 'error', error: 'expired_trigger_id' }, 1);
      await ama.slash('sales', '/charge');
      await ama.press(await ama.ephemeral(/Open the form/), 'Open the form');
      expect((await ama.modal()).view.title.text).toBe('Charge a customer');
    });

    it('opens the form of any button that asks for one', async () => {
      const card: Card = {
        title: 'Once more?',
        parts: [],
        buttons: [{ kind: 'press', label: 'Fill in', verb: 'form.open', id: 'charge' }],
      };
      rig.inbound.onCommand = ({ surface }) => surface.say(card);
      await ama.slash('sales', '/charge');
      await ama.press(await ama.ephemeral(/Once more/), 'Fill in');
      await ama.modal();
      expect(rig.inbound.seen).toHaveLength(1);
    });
  });
});
