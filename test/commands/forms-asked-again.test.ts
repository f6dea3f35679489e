import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../../src/commands/cards/card.ts';
import type { Annotations, Answers } from '../../src/commands/forms/form.ts';
import type { Inbound, Surface } from '../../src/commands/inbound.ts';
import { ama, shop } from '../support/a-payment.ts';
import { cardText } from '../support/card-text.ts';
import { type Desk, openDesk } from '../support/desk.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openStore } from '../support/open-store.ts';
import { showingTo } from '../support/shown-in-chat.ts';

let desk: Desk;
let last: Card | undefined;
let events = 0;

beforeEach(async () => {
  desk = openDesk(await openStore(), new ManualClock());
  last = undefined;
});

const inChat = (): Inbound => {
  const caller = { ...ama, conversation: shop };
  const surface: Surface = showingTo(
    (card) => {
      last = card;
    },
    (...asked) => desk.engine.router.steps.begin({ caller, surface }, ...asked),
  );
  return { caller, eventId: `event ${events++}`, surface };
};

const shown = (): string => cardText(last);

/** What is shown when the form of `/charge` is asked for in a chat without modals. */
const ask = async (answers: Answers, annotations?: Annotations): Promise<string> => {
  const form = desk.engine.router.formOf('charge');
  if (form === undefined) throw new Error('no form');
  await inChat().surface.ask(form, answers, annotations);
  return shown();
};

const say = async (text: string): Promise<string> => {
  await desk.engine.router.text(inChat(), text);
  return shown();
};

const press = async (label: string, card = last): Promise<string> => {
  const button = card?.buttons?.find((each) => each.label === label);
  if (button?.kind !== 'press') throw new Error(`no button ${label} on ${shown()}`);
  await desk.engine.router.press(inChat(), button.verb, button.id);
  return shown();
};

describe('a form with a problem, asked question by question', () => {
  it('asks that question alone, with the problem above it, and then goes on', async () => {
    const asked = await ask(
      { number: '0244123456', amount: '5o' },
      { problems: { amount: '"5o" is not an amount.' } },
    );
    expect(asked).toMatch(/"5o" is not an amount\. \| Amount\?/);
    expect(await say('50')).toMatch(/^Charge GHS 50\.00\?.*024 412 3456/);
  });

  it('asks what was left out as well, and nothing that may be left out', async () => {
    expect(await ask({ number: '0244' }, { problems: { number: 'Too short.' } })).toMatch(
      /Too short\. \| Customer number\?/,
    );
    expect(await say('0244123456')).toMatch(/Amount\?/);
    expect(shown()).not.toContain('Too short');
    expect(await say('50')).toMatch(/^Charge GHS 50\.00\?/);
  });

  it('asks a question that its condition would leave out', async () => {
    const problems = { pay: 'I see two networks.' };
    expect(await ask({ number: '0244123456', amount: '50' }, { problems })).toMatch(
      /I see two networks\. \| Paid by\?/,
    );
    expect(await press('Telecel Cash')).toMatch(/Telecel Cash/);
  });
});

describe('a placeholder in a form asked question by question', () => {
  it('is shown beside its question, also after a wrong answer, and is no answer', async () => {
    const placeholders = { amount: 'Last time GHS 50.00' };
    expect(await ask({ number: '0244123456' }, { placeholders })).toMatch(
      /Amount\? \| Last time GHS 50\.00/,
    );
    expect(await say('much')).toMatch(/Amount\? \| Last time GHS 50\.00/);
    expect(await say('70')).toMatch(/^Charge GHS 70\.00\?/);
  });
});

describe('suggestions in a form asked question by question', () => {
  const choices = [
    { value: '+233244123456', label: 'Adwoa M. 024 *** 3456' },
    { value: 'forgotten-7f3a9c21b04d', label: 'forgotten' },
  ];
  const suggestions = { number: { label: 'Recent', other: 'Another number', choices } };

  it('stand under the question, and a press answers it', async () => {
    await ask({ amount: '50' }, { suggestions });
    expect(last?.buttons?.map(({ label }) => label)).toEqual([
      'Adwoa M. 024 *** 3456',
      'forgotten',
      'Another number',
      'Cancel',
    ]);
    expect(await press('Adwoa M. 024 *** 3456')).toMatch(/^Charge GHS 50\.00\?.*024 412 3456/);
  });

  it('leave the answer free: it may be typed, with or without the press that says so', async () => {
    await ask({ amount: '50' }, { suggestions });
    expect(await say('0201234567')).toMatch(/^Charge GHS 50\.00\?.*020 123 4567/);
    await ask({ amount: '50' }, { suggestions });
    await press('Another number');
    expect(last?.buttons?.map(({ label }) => label)).toEqual(['Cancel']);
    expect(await say('0201234567')).toMatch(/^Charge GHS 50\.00\?.*020 123 4567/);
  });

  it('are never counted: a short answer is the answer that was typed', async () => {
    const amounts = { label: 'Or', other: 'Another', choices: [{ value: '20', label: '20' }] };
    await ask({ number: '0244123456' }, { suggestions: { amount: amounts } });
    expect(await say('1')).toMatch(/^Charge GHS 1\.00\?/);
  });

  it('of a customer who was forgotten answer nothing', async () => {
    await ask({ amount: '50' }, { suggestions });
    expect(await press('forgotten')).toMatch(/^This question is closed/);
  });
});

describe('a form that is asked for with every answer in it', () => {
  const answers = { number: '0244123456', amount: 'GHS 50.00', reference: 'Invoice 17' };

  it('asks which answer is to change, and then for that one alone', async () => {
    expect(await ask(answers)).toMatch(/What should change\?.*Amount: GHS 50\.00/);
    expect(await press('Amount')).toMatch(/Amount\?/);
    expect(await say('60')).toMatch(/^Charge GHS 60\.00\?.*024 412 3456.*Invoice 17/);
  });

  it('lets a question that was left out be answered', async () => {
    await ask({ number: '0244123456', amount: '50' });
    await press('Reference');
    expect(await say('Invoice 18')).toMatch(/^Charge GHS 50\.00\?.*Invoice 18/);
  });

  it('takes no plain words for an answer before a question is picked', async () => {
    await ask({ number: '0244123456', amount: '50' });
    expect(await desk.engine.router.text(inChat(), 'Invoice 18')).toBe(false);
  });

  it('asks for the network of a new number that shows none', async () => {
    await ask(answers);
    await press('Customer number');
    expect(await say('0511234567')).toMatch(/does not show its network/);
    expect(await press('AT Money')).toMatch(/^Charge GHS 50\.00\?.*AT Money/);
  });

  it('answers the press on an old one', async () => {
    await ask(answers);
    const old = last;
    await ask(answers);
    expect(await press('Amount', old)).toMatch(/^This question is closed/);
  });

  it('ends with Cancel', async () => {
    await ask(answers);
    expect(await press('Cancel')).toMatch(/^Cancelled/);
  });
});
