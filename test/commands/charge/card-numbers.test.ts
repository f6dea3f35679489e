import { beforeEach, describe, expect, it } from 'vitest';
import { RIGHTS } from '../../../src/commands/all-commands.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { checkAnswers } from '../../../src/commands/forms/form.ts';
import type { Inbound, Surface } from '../../../src/commands/inbound.ts';
import type { Change } from '../../../src/core/records/records.ts';
import { observedStore } from '../../../src/core/telemetry/observer.ts';
import { ama, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { showingTo } from '../../support/shown-in-chat.ts';

const CARD = '4111 1111 1111 1111';
const REFUSAL = /^Please check \| Never type card numbers in chat; delete that message\./;

let desk: Desk;
let stored: Change[];

beforeEach(async () => {
  const clock = new ManualClock();
  stored = [];
  const store = observedStore(await openStore(), (change) => {
    stored.push(change);
    return () => {};
  });
  desk = openDesk(store, clock);
});

/** What a person is shown for an event. */
const shown = async (handle: (inbound: Inbound) => Promise<unknown>): Promise<string[]> => {
  const cards: Card[] = [];
  const surface: Surface = showingTo(
    (card) => void cards.push(card),
    (form, answers) => desk.engine.router.steps.begin({ caller, surface }, form, answers),
  );
  const caller = { ...ama, conversation: shop };
  await handle({ caller, eventId: 'event', surface });
  return cards.map(cardText);
};

const expectNothingOfIt = () => {
  expect(stored).toEqual([]);
  expect(desk.gateway.checked).toEqual([]);
};

describe('a card number', () => {
  it.each([...RIGHTS.keys()])('typed behind /%s goes nowhere', { tags: ['T15'] }, async (name) => {
    for (const words of [CARD, `slack:U0KOJO ${CARD}`, `0244123456 50 for ${CARD}, 12/28`])
      expect(await shown((event) => desk.engine.router.command(event, name, words))).toEqual([
        expect.stringMatching(REFUSAL),
      ]);
    expectNothingOfIt();
  });

  it('typed with no command, or with one that does not exist, is not read back', async () => {
    const typed = [
      ['4111', '1111 1111 1111'],
      ['4111111111111111', ''],
      ['pay', `it with ${CARD}`],
    ] as const;
    for (const [name, words] of typed)
      expect(await shown((event) => desk.engine.router.command(event, name, words))).toEqual([
        expect.stringMatching(REFUSAL),
      ]);
    expectNothingOfIt();
  });

  it('typed when nobody asked for anything is refused, so the person hears of it', async () => {
    let wasAnswered = false;
    const said = await shown(async (event) => {
      wasAnswered = await desk.engine.router.text(event, `my card is ${CARD}`);
    });
    expect([wasAnswered, said]).toEqual([true, [expect.stringMatching(REFUSAL)]]);
    expectNothingOfIt();
  });

  it.each(['charge', 'lookup', 'status', 'sms', 'audit'])(
    'in any field of the form of /%s is named beside it, and is not submitted',
    { tags: ['T15'] },
    async (name) => {
      const form = desk.engine.router.formOf(name);
      expect(form?.fields.length).toBeGreaterThan(0);
      for (const field of form?.fields ?? []) {
        const answers = { pay: 'card', [field.name]: `line one\n${CARD}` };
        expect(form && checkAnswers(form, answers)[field.name]).toMatch(/^Never type card numbers/);
        expect(await shown((event) => desk.engine.router.submit(event, name, answers))).toEqual([
          expect.stringMatching(REFUSAL),
        ]);
      }
      expectNothingOfIt();
    },
  );

  it.each([
    ['charge', ['0244123456', '50', 'auto']],
    ['sms', ['0244123456']],
    ['lookup', []],
    ['status', []],
    ['audit', []],
  ] as const)('as any answer to the questions of /%s is not kept', async (name, answers) => {
    const { router } = desk.engine;
    await shown((event) => router.command(event, name, ''));
    for (const answer of [...answers, undefined]) {
      const before = stored.length;
      expect(await shown((event) => router.text(event, CARD))).toEqual([
        expect.stringMatching(REFUSAL),
      ]);
      expect(stored).toHaveLength(before);
      if (answer !== undefined) await shown((event) => router.text(event, answer));
    }
    expect(JSON.stringify(stored)).not.toMatch(/4111|1111/);
  });

  it('in a list of recipients is seen between the numbers, which alone are none', async () => {
    const typed = `0244123456, ${CARD}, 0201234567 We open at 8`;
    expect(await shown((event) => desk.engine.router.command(event, 'sms', typed))).toEqual([
      expect.stringMatching(REFUSAL),
    ]);
    expectNothingOfIt();
    const numbers = '02 44 12 34 56\n02 01 23 45 67\n02 01 23 45 68';
    const form = desk.engine.router.formOf('sms');
    expect(form && checkAnswers(form, { numbers, text: 'We open at 8' })).toEqual({});
  });
});
