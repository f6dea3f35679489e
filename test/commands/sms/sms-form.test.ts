import { beforeEach, describe, expect, it } from 'vitest';
import { choicesOf, fieldsOfModal, hintOf } from '../../../src/commands/forms/form.ts';
import { ama, shop } from '../../support/a-payment.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { smsSettings } from '../../support/sms-templates.ts';

const merchant = (name: string, ...senderIds: readonly string[]) => ({
  name,
  nickname: name,
  senderIds,
  conversations: [`${shop.platform}:C0${name.toUpperCase()}`],
});
const place = (channel: string) => ({ ...shop, channel });

let desk: Desk;

beforeEach(async () => {
  const merchants = [merchant('osu', 'OSU'), merchant('tema', 'TEMA', 'TEMA2')];
  const settings = { currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra' } as const;
  desk = openDesk(await openStore(), new ManualClock(), () => allGrants(), undefined, undefined, {
    settings: { ...settings, ...smsSettings(), senderIds: ['OSU', 'TEMA', 'TEMA2'], merchants },
  });
});

/** What the form that was asked last says of senders; undefined: it does not ask for one. */
const senders = (): { hint: string | undefined; choices: readonly string[] } | undefined => {
  const { form, answers = {}, annotations } = desk.asked.at(-1) ?? {};
  if (form === undefined) throw new Error('no form was asked');
  const field = fieldsOfModal(form, answers, annotations?.problems).find(
    ({ name }) => name === 'sender',
  );
  // The same where questions are asked one by one.
  expect(form.fields.find(({ name }) => name === 'sender')?.when?.(answers)).toBe(
    field !== undefined,
  );
  return (
    field && {
      hint: hintOf(field, answers),
      choices: choicesOf(field, answers).map(({ value }) => value),
    }
  );
};

describe('the SMS form of several merchants', () => {
  const ofTema = { hint: 'Leave empty for TEMA', choices: ['TEMA', 'TEMA2'] };

  it('offers the senders of the merchant in whose conversation it is asked', async () => {
    await desk.type(ama, 'sms', '', 'e1', place('C0TEMA'));
    expect(senders()).toEqual(ofTema);
    const answers = { ...desk.asked.at(-1)?.answers, numbers: '0244123456', text: 'Ready' };
    const [preview] = await desk.submit(ama, { ...answers, sender: 'TEMA2' }, place('C0TEMA'));
    expect(JSON.stringify(preview)).toContain('TEMA2');
    await desk.type(ama, 'sms', '', 'e2', place('C0OSU'));
    expect(senders()).toBeUndefined();
  });

  it('offers them also where it is asked to correct what was typed', async () => {
    const [misread] = await desk.type(ama, 'sms', '12 Ready', 'e1', place('C0TEMA'));
    await desk.press(ama, misread, 'Correct it', place('C0TEMA'));
    expect(senders()).toEqual(ofTema);
  });

  it('asks for none where it is not known yet for whom it is', async () => {
    const home = { ...shop, channel: ama.id };
    const button = { kind: 'press', label: 'Send SMS', verb: 'new-sms', id: ama.id } as const;
    await desk.press(ama, { title: '', parts: [], buttons: [button] }, 'Send SMS', home);
    expect(senders()).toBeUndefined();
    const answers = { numbers: '0244123456', text: 'Ready' };
    const [preview] = await desk.submit(ama, answers, place('C0TEMA'));
    expect(JSON.stringify(preview)).toContain('TEMA');
  });
});
