import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { jsonScript, startScriptedHttp } from '../../support/scripted-http.ts';
import { type Rig, startRig, type Transport } from './bot-rig.ts';
import { confirmation, confirmationShown, done } from './confirmation.ts';

describe.each<Transport>(['socket', 'http'])('inbound over %s', (transport) => {
  let rig: Rig;
  let ama: Rig['ama'];
  let kofi: Rig['kofi'];
  let inbound: Rig['inbound'];
  beforeEach(async () => {
    rig = await startRig(transport);
    ({ ama, kofi, inbound } = rig);
  });

  /** Posts the confirmation into #sales, and gives that conversation. */
  const posted = async () => {
    const channel = await rig.slack.channelId('sales');
    const conversation = { platform: 'slack', workspace: rig.slack.teamId, channel };
    await rig.bot.post({ conversation, card: confirmation, key: 'k', mayStand: false });
    return conversation;
  };

  it('replaces the private message whose button was pressed', async () => {
    inbound.onPress = ({ surface }) => surface.replace(done);
    await ama.choose(await confirmationShown(rig), 'Charge', /^Requested$/);
    expect(ama.ephemerals()).toHaveLength(1);
    const press = inbound.seen.at(-1);
    expect(press).toMatchObject({ kind: 'press', verb: 'charge.go', id: 'd1' });
    expect(press?.inbound.caller.id).toBe(ama.id);
  });

  it('edits a pressed private message later, through the bot', async () => {
    await ama.press(await confirmationShown(rig), 'Charge');
    const press = (await inbound.reached(2)).at(-1);
    const pressed = press?.inbound.pressed;
    if (pressed === undefined) throw new Error('the press names no message');
    expect(pressed.canBecomeCard).toBe(false);
    expect(await rig.bot.edit(pressed.ref, done)).toMatchObject({ kind: 'delivered' });
    await ama.ephemeral(/^Requested$/);
    expect(ama.ephemerals()).toHaveLength(1);
  });

  it('gives a pressed private message up once its address is used up', async () => {
    await ama.press(await confirmationShown(rig), 'Charge');
    const ref = (await inbound.reached(2)).at(-1)?.inbound.pressed?.ref;
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
    expect((await inbound.reached(1))[0]?.inbound.pressed).toEqual({
      ref: { conversation, message: card.ts },
      canBecomeCard: false,
    });
  });

  it('counts no press that the message of the channel has no button for', {
    tags: ['T67'],
  }, async () => {
    inbound.onPress = ({ surface }) => surface.replace(done);
    await posted();
    const card = await rig.slack.message('sales', /Charge/);
    await kofi.forge(card, 'Charge', 'ask-access:charge');
    await kofi.ephemeral(/This button is no longer there/);
    expect(inbound.seen).toEqual([]);
    expect(rig.slack.calls('chat.update')).toEqual([]);
  });

  it('answers a press beside the message when asked to say something', async () => {
    inbound.onPress = ({ surface }) => surface.say(done);
    await ama.choose(await confirmationShown(rig), 'Cancel', /Requested/);
    expect(ama.ephemerals()).toHaveLength(2);
  });

  it('updates a message of the channel whose button was pressed', async () => {
    inbound.onPress = ({ surface }) => surface.replace(done);
    const conversation = await posted();
    await kofi.press(await rig.slack.message('sales', /Charge/), 'Charge');
    await rig.slack.message('sales', /^Requested$/);
    expect(inbound.seen[0]?.inbound.caller).toMatchObject({ id: kofi.id, conversation });
  });

  it('does not take a message for a thread because there are answers under it', async () => {
    const conversation = await posted();
    const card = await rig.slack.message('sales', /Charge/);
    await ama.write('sales', 'a reply', { thread: card.ts });
    await ama.press(await rig.slack.message('sales', /Charge/), 'Charge');
    const [press] = await inbound.reached(1);
    expect(press?.inbound.caller.conversation).toEqual(conversation);
  });

  it('acknowledges a pressed link and hands over nothing', async () => {
    const ack = await ama.press(await confirmationShown(rig), 'Receipt');
    expect(ack.ok).toBe(true);
    await ama.slash('sales', '/help');
    await inbound.reached(2);
    expect(inbound.seen.map(({ kind }) => kind)).toEqual(['command', 'command']);
  });

  it('tells apart presses, and knows the same press again', async () => {
    const message = await confirmationShown(rig);
    const press = await ama.press(message, 'Charge');
    await press.again();
    await ama.press(message, 'Charge');
    const events = (await inbound.reached(4)).slice(1).map(({ inbound }) => inbound.eventId);
    expect(events[0]).toBe(events[1]);
    expect(events[2]).not.toBe(events[0]);
  });
});
