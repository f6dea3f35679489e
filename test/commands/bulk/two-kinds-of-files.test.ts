import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import { ama } from '../../support/a-payment.ts';
import { textOf } from '../../support/card-text.ts';
import type { Desk } from '../../support/desk.ts';
import type { ManualClock } from '../../support/manual-clock.ts';
import { smsSettings } from '../../support/sms-templates.ts';
import { fileOf, openFileDesk, passInSteps, sundayMorning } from './file-desk.ts';

let clock: ManualClock;
let desk: Desk;

beforeEach(async () => {
  const { store, ...opened } = await sundayMorning();
  clock = opened.clock;
  desk = await openFileDesk(store, clock, undefined, { settings: smsSettings() });
});

/** The question about a file: of SMS with these words, otherwise of charges. */
const ask = async (rows: number, words: '' | 'sms @ready'): Promise<Card | undefined> => {
  const file = { name: 'dues.csv', bytes: fileOf(rows) };
  return (await desk.send(ama, file, { words })).at(-1);
};

/** What is said to a press on the buttons of this card, with another verb. */
const forged = async (card: Card | undefined, verb: string, label: string): Promise<string> => {
  const buttons = (card?.buttons ?? []).map((button) =>
    button.kind === 'press' ? { ...button, verb } : button,
  );
  return textOf(await desk.press(ama, { title: '', parts: [], buttons }, label));
};

describe('a file of SMS and one of charges', { tags: ['T51'] }, () => {
  it('have buttons of their own: the right to one is none to the other', async () => {
    const question = await ask(20, 'sms @ready');
    await desk.press(ama, question, 'Send 20 SMS');
    await desk.press(ama, await ask(20, ''), 'Charge 20');
    await passInSteps(clock, 1);
    const [sms, charges] = desk.posted.map(({ card }) => card);
    for (const [card, verb] of [
      [charges, 'sms-stop'],
      [charges, 'sms-result'],
      [sms, 'bulk-stop'],
      [sms, 'bulk-again'],
    ] as const)
      expect(await forged(card, verb, 'Stop')).toContain('This button is too old');
    expect(await forged(question, 'bulk-charge', 'Send')).toContain('Already confirmed');
    await passInSteps(clock, 120);
    expect(desk.gateway.texted.flatMap(({ recipients }) => recipients)).toHaveLength(20);
  });

  it('take no press with the button of the other kind of question', async () => {
    const sms = await ask(1, 'sms @ready');
    const charges = await ask(1, '');
    for (const verb of ['bulk-charge', 'bulk-zero', 'charge', 'send', 'approve'])
      expect(await forged(sms, verb, 'Send')).toMatch(/too old|Another/);
    for (const verb of ['sms-file', 'sms-zero', 'send'])
      expect(await forged(charges, verb, 'Charge')).toMatch(/too old/);
    await passInSteps(clock, 10);
    expect(desk.gateway.texted).toEqual([]);
    expect(desk.gateway.sent).toEqual([]);
  });
});
