import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import { type Rig, startRig, type Transport } from './bot-rig.ts';
import { chargeForm } from './charge-form.ts';
import { done } from './confirmation.ts';

describe.each<Transport>(['socket', 'http'])('inbound over %s', (transport) => {
  let rig: Rig;
  let ama: Rig['ama'];
  let inbound: Rig['inbound'];
  beforeEach(async () => {
    rig = await startRig(transport);
    ({ ama, inbound } = rig);
  });

  describe('forms', () => {
    beforeEach(() => {
      inbound.onCommand = ({ surface }) =>
        surface.ask(chargeForm, { number: '0244123456', network: 'VOD' });
      inbound.onSubmit = ({ surface }) => surface.say(done);
    });
    const opened = async () => {
      await ama.slash('sales', '/charge');
      return ama.modal();
    };

    it('opens a modal filled in as far as the answers go, and submits it', async () => {
      const modal = await ama.form('sales', '/charge 0244123456');
      expect(modal.view.title.text).toBe('Charge a customer');
      const result = await ama.submit(modal, { Amount: ' 50 ' });
      expect(result.kind).toBe('closed');
      const event = (await inbound.reached(2)).at(-1);
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
      expect(inbound.seen).toHaveLength(1);
    });

    it('keeps the form open when checking it fails', async () => {
      const modal = await opened();
      const broken = () => {
        throw new Error('boom');
      };
      const fields = chargeForm.fields.map((field) => ({ ...field, check: broken }));
      inbound.forms.set('charge', { ...chargeForm, fields });
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
      expect(inbound.seen).toHaveLength(1);
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
      expect(inbound.seen).toHaveLength(1);
    });

    it('closes a modal that is none of ours and hands over nothing', async () => {
      const modal = await opened();
      const view = { ...modal.view, callback_id: 'another' };
      expect((await ama.submit({ ...modal, view }, { amount: '5' })).kind).toBe('closed');
      expect(inbound.seen).toHaveLength(1);
    });

    it('uses a trigger once: a second question gets the button', async () => {
      inbound.onCommand = async ({ surface }) => {
        await surface.ask(chargeForm, {});
        await surface.ask(chargeForm, {});
      };
      await ama.form('sales', '/charge');
      await ama.ephemeral(/Open the form/);
      expect(rig.slack.calls('views.open')).toHaveLength(1);
    });

    it('answers a submission privately in the channel, else directly', async () => {
      await ama.submit(await ama.form('board', '/charge'), { amount: '5' });
      await rig.slack.message('@ama', /Requested/);
    });

    it('offers a button for a mention, which opens the modal with what was typed', async () => {
      const thread = await ama.write('sales', 'Who pays for lunch?');
      await ama.mention('sales', 'charge 0244123456', { thread });
      await ama.press(await ama.ephemeral(/Open the form/), 'Open the form');
      await ama.submit(await ama.modal(), { amount: '7' });
      const event = (await inbound.reached(2)).at(-1);
      expect(event).toMatchObject({
        kind: 'submit',
        answers: { number: '0244123456', amount: '7', network: 'VOD' },
      });
      expect(event?.inbound.caller.conversation.thread).toBe(thread);
    });

    it('offers the button when the modal could not be opened in time', async () => {
      rig.slack.fail('views.open', { kind: 'error', error: 'expired_trigger_id' }, 1);
      await ama.press(await ama.ask('sales', '/charge', /Open the form/), 'Open the form');
      expect((await ama.modal()).view.title.text).toBe('Charge a customer');
    });

    it('opens the form of any button that asks for one', async () => {
      const card: Card = {
        title: 'Once more?',
        parts: [],
        buttons: [{ kind: 'press', label: 'Fill in', verb: 'form.open', id: 'charge' }],
      };
      inbound.onCommand = ({ surface }) => surface.say(card);
      await ama.press(await ama.ask('sales', '/charge', /Once more/), 'Fill in');
      await ama.modal();
      expect(inbound.seen).toHaveLength(1);
    });
  });
});
