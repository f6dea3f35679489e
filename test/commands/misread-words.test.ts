import fc from 'fast-check';
import { beforeEach, describe, expect, it } from 'vitest';
import { COMMAND_NAMES } from '../../src/commands/all-commands.ts';
import type { Card } from '../../src/commands/cards/card.ts';
import { firstWord } from '../../src/commands/inbound.ts';
import type { Person } from '../../src/core/values/conversation.ts';
import { ama } from '../support/a-payment.ts';
import { cardText } from '../support/card-text.ts';
import { type Desk, openDesk } from '../support/desk.ts';
import { hostileText } from '../support/hostile-text.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openStore } from '../support/open-store.ts';
import { smsSettings } from '../support/sms-templates.ts';

/** Words that each command cannot read; none: it takes no words, or answers any with what can be typed. */
const MISREAD: Readonly<Record<string, readonly string[]>> = {
  charge: ['0244123456 5o', '024412 50', 'Adwoa 50', '0244123456 50 visa mtn'],
  bulk: [],
  lookup: ['024412', '0244123456 glo', '0231234567'],
  status: ['!!', '?'],
  sms: ['024412 Hello', '@nothing 0244123456'],
  balance: [],
  payments: ['31 Feb'],
  customer: ['12', 'Adwoa'],
  report: ['moon', 'by moon', 'week by'],
  export: ['moon'],
  close: ['week', 'moon'],
  today: [],
  audit: ['12', '01JD2M4X9QK7T3V'],
  notify: ['loud'],
  access: [],
  suspend: ['@kofi lost the phone'],
  reinstate: ['@kofi'],
  help: [],
  whoami: [],
};

const AWKWARD = [
  ...Object.values(MISREAD).flat(),
  ...['0244123456', '+2348031234567', '0209999999 x', '1-15 Nov', 'May', '"', '@', '-', '1 200'],
  ...fc.sample(hostileText, { numRuns: 60, seed: 20261121 }),
];

let desk: Desk;
beforeEach(async () => {
  const clock = new ManualClock(Date.parse('2026-11-22T16:00:00Z'));
  const settings = { currency: 'GHS', country: 'GH', timeZone: 'Africa/Accra', ...smsSettings() };
  desk = openDesk(await openStore(), clock, undefined, undefined, undefined, { settings });
});

/** Each is typed by another person: questions to the payment service are counted by person. */
const writer = (words: string): Person => ({ ...ama, id: `U0${AWKWARD.indexOf(words)}` });
const typed = (command: string, words: string): Promise<Card[]> =>
  desk.type(writer(words), command, words);

describe('words that a command does not understand', () => {
  it('are named here for every command', () => {
    expect(Object.keys(MISREAD)).toEqual(COMMAND_NAMES);
  });

  it.each(
    Object.entries(MISREAD).flatMap(([command, misread]) =>
      misread.map((words) => [command, words] as const),
    ),
  )('open its form behind Correct it: /%s %s', async (name, words) => {
    const [card, ...others] = await typed(name, words);
    expect([card?.title, others]).toEqual(['Please check', []]);
    await desk.press(writer(words), card, 'Correct it');
    expect([name, `${name}-words`]).toContain(desk.asked.at(-1)?.form.command);
  });

  it.each([...COMMAND_NAMES])('are none of those that help shows for /%s', async (name) => {
    const [help] = await desk.type(ama, 'help', name);
    const examples = (help?.parts ?? []).flatMap((part) =>
      part.kind === 'example' ? [part.text.slice(1)] : [],
    );
    expect(examples).not.toEqual([]);
    for (const example of examples) {
      const { word, rest } = firstWord(example);
      const titles = (await desk.type(ama, word, rest)).map(({ title }) => title);
      expect([example, ...titles]).not.toContain('Please check');
    }
  });

  it.each([...COMMAND_NAMES])('never get an answer without Correct it from /%s', async (name) => {
    for (const words of AWKWARD) {
      const misread = (await typed(name, words)).filter(({ title }) => title === 'Please check');
      for (const card of misread)
        expect([words, card.buttons?.at(-1)?.label, cardText(card)]).toContain('Correct it');
    }
  });
});
