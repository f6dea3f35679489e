import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../src/commands/access/grants.ts';
import type { Card } from '../../src/commands/cards/card.ts';
import type { Change } from '../../src/core/records/records.ts';
import type { Store } from '../../src/core/store/store.ts';
import { observedStore } from '../../src/core/telemetry/observer.ts';
import { aForm } from '../contracts/store/records.ts';
import { ama } from '../support/a-payment.ts';
import { cardText, textOf } from '../support/card-text.ts';
import { type Desk, openDesk } from '../support/desk.ts';
import { allGrants } from '../support/grants.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openStore } from '../support/open-store.ts';

const kojo = { platform: 'slack', id: 'U0KOJO', name: 'kojo' };
const DAY_MS = 24 * 3_600_000;

let clock: ManualClock;
let store: Store;
let desk: Desk;
let grants: Grants;
let stored: Change[];

beforeEach(async () => {
  clock = new ManualClock();
  grants = allGrants();
  stored = [];
  store = observedStore(await openStore(), (change) => {
    stored.push(change);
    return () => {};
  });
  desk = openDesk(store, clock, () => grants);
});

const type = async (typed: string, eventId?: string): Promise<Card> => {
  const [command = '', ...words] = typed.slice(1).split(' ');
  const [card] = await desk.type(ama, command, words.join(' '), eventId);
  if (card === undefined) throw new Error(`${typed}: no answer`);
  return card;
};

/** The form that opens for what was typed. */
const corrected = async (typed: string) => {
  const card = await type(typed);
  expect(card.buttons?.at(-1)?.label).toBe('Correct it');
  const before = desk.asked.length;
  expect(await desk.press(ama, card, 'Correct it')).toEqual([]);
  expect(desk.asked).toHaveLength(before + 1);
  const { form, answers, annotations } = desk.asked.at(-1) ?? {};
  return { command: form?.command, answers, problems: annotations?.problems, said: cardText(card) };
};

const cardWith = (verb: string, id: string): Card => ({
  title: '',
  parts: [],
  buttons: [{ kind: 'press', label: 'x', verb, id }],
});

const NUMBER = '024 412 3456';
const NO_SENSE = 'Is "at" the network or part of the reference?';

describe('Correct it on a charge', () => {
  it.each([
    ['0244123456 5o', { number: NUMBER, amount: '5o' }, 'amount', /letter o in "5o"/],
    ['0244123456 1.5k rent', { number: NUMBER, amount: '1.5k', reference: 'rent' }, 'amount', /./],
    [
      '024412345 50 mtn Invoice 17',
      { number: '024412345', amount: 'GHS 50.00', pay: 'MTN', reference: 'Invoice 17' },
      'number',
      /too short/,
    ],
    [
      '0244123456 50 mtn telecel Invoice 17',
      { number: NUMBER, amount: 'GHS 50.00', reference: 'Invoice 17' },
      'pay',
      /two networks/,
    ],
    [
      '0201234567 50 at the shop',
      { number: '020 123 4567', amount: 'GHS 50.00', reference: 'at the shop' },
      'pay',
      NO_SENSE,
    ],
    [
      '0244123456 50 top up',
      { number: NUMBER, amount: '50', reference: 'top up' },
      'amount',
      'Is "top" a currency or part of the reference?',
    ],
    [
      '0244123456 50 20GHS rent',
      { number: NUMBER, amount: '50 20GHS', reference: 'rent' },
      'amount',
      /second amount|more than one/,
    ],
    ['0244123456 50 GHS USD', { number: NUMBER, amount: '50 GHS USD' }, 'amount', /currencies/],
    ['0244123456 USD', { number: NUMBER, amount: 'USD' }, 'amount', /How much/],
    ['0244123456 50 60', { number: NUMBER, amount: '50 60' }, 'amount', /more than one number/],
    [
      'for lunch 0244123456 50',
      { number: NUMBER, amount: 'GHS 50.00', reference: 'for lunch' },
      'reference',
      'I did not understand "for lunch".',
    ],
    ['5o 0244123456', { number: NUMBER, amount: '5o' }, 'amount', 'I did not understand "5o".'],
    [
      `0244123456 50 ${'x'.repeat(61)}`,
      { number: NUMBER, amount: 'GHS 50.00', reference: 'x'.repeat(61) },
      'reference',
      /60 characters/,
    ],
    [
      `0244123456 50 ${'x'.repeat(600)}`,
      { number: NUMBER, amount: 'GHS 50.00', reference: 'x'.repeat(600) },
      'reference',
      /60 characters/,
    ],
    ['0244123456 50 card mtn', { number: NUMBER, amount: 'GHS 50.00' }, 'pay', /not a card/],
  ])('fills in what is understood of "%s", and the rest beside its field', async (...row) => {
    const [words, answers, field, problem] = row;
    const opened = await corrected(`/charge ${words}`);
    expect(opened).toMatchObject({ command: 'charge', answers });
    expect(opened.answers).toEqual(answers);
    expect(Object.keys(opened.problems ?? {})).toEqual([field]);
    expect(opened.problems?.[field]).toEqual(
      typeof problem === 'string' ? problem : expect.stringMatching(problem),
    );
  });

  it('costs one press and the wrong part', async () => {
    await corrected('/charge 0244123456 5o telecel Invoice 17');
    expect(textOf(await desk.submit(ama, { amount: '50' }))).toMatch(
      /^Charge GHS 50\.00\?.*024 412 3456.*Telecel Cash.*Invoice 17/,
    );
  });

  it('stands again on a form that was sent with something wrong in it', async () => {
    await corrected('/charge 0244123456 5o');
    const [card] = await desk.submit(ama, { amount: 'much' });
    await desk.press(ama, card, 'Correct it');
    expect(desk.asked.at(-1)?.answers).toEqual({ number: NUMBER, amount: 'much' });
  });
});

describe('Correct it on another command', () => {
  it.each([
    ['/sms 024412 Your order is ready', { numbers: '024412', text: 'Your order is ready' }],
    ['/sms Adwoa Hello', { numbers: 'Adwoa', text: 'Hello' }],
    ['/sms 0244123456 0201234567 Hello', { numbers: '0244123456, 0201234567', text: 'Hello' }],
    ['/sms 0244123456, tomorrow', { numbers: '0244123456', text: 'tomorrow' }],
    ['/lookup 024412345 telecel', { number: '024412345', network: 'VOD' }],
    ['/lookup 0244123456 vodafoon', { number: NUMBER }],
    ['/lookup 0231234567', { number: '023 123 4567' }],
    ['/status !!', { id: '!!' }],
    ['/audit 12', { id: '12' }],
  ])('fills in what is understood of "%s"', async (typed, answers) => {
    const { said, ...opened } = await corrected(typed);
    expect(opened.command).toBe(typed.slice(1).split(' ')[0]);
    expect(opened.answers).toEqual(answers);
    expect(Object.values(opened.problems ?? {})).toHaveLength(1);
    expect(said).toMatch(/^Please check/);
  });

  it('reads as many words as may be typed, in order', async () => {
    const ones = Array.from({ length: 4_000 }, () => '1');
    const { answers } = await corrected(`/sms ${ones.join(' ')}`);
    expect(answers?.['numbers']?.replaceAll(',', '')).toBe(ones.join(' '));
  });

  it('stands under the command that was meant, with the words behind the wrong one', async () => {
    const { command, answers, problems, said } = await corrected('/chrage 0244123456 50 rent');
    expect(said).toMatch(/^Did you mean \/charge\?/);
    expect({ command, answers }).toEqual({
      command: 'charge',
      answers: { number: NUMBER, amount: 'GHS 50.00', reference: 'rent' },
    });
    expect(problems).toEqual({});
  });

  it.each([
    ['/customer 12', { number: '12' }],
    ['/payments 31 Feb', { words: '31 Feb' }],
    ['/report by moon', { words: 'by moon' }],
    ['/export moon', { words: 'moon' }],
    ['/close week', { words: 'week' }],
    ['/notify loud', { words: 'loud' }],
    ['/suspend @kofi lost the phone', { words: '@kofi lost the phone' }],
    ['/reinstate @kofi', { words: '@kofi' }],
    ['/sms @nothing 0244123456', { words: '@nothing 0244123456' }],
  ])('has what was typed of "%s" in it, and why it will not do', async (typed, answers) => {
    const { command, answers: filled, problems, said } = await corrected(typed);
    expect(command).toMatch(typed.slice(1).split(' ')[0] ?? '');
    expect(filled).toEqual(answers);
    expect(Object.keys(problems ?? {})).toEqual(Object.keys(answers));
    expect(said).toMatch(/^Please check/);
    expect(said).toContain(Object.values(problems ?? {})[0]);
  });

  it('does the command with the words that were put right', async () => {
    await corrected('/payments 31 Feb');
    expect((await desk.submit(ama, { words: 'today' }))[0]?.title).toMatch(/^No payments today/);
    await corrected('/custmer 12');
    const [none] = await desk.submit(ama, { number: '0244123456' });
    expect(cardText(none)).toMatch(/no payment of 024 412 3456/);
    await corrected('/sms @nothing 0244123456');
    expect(textOf(await desk.submit(ama, { words: '0244123456 Hello' }))).toMatch(/Hello/);
  });

  it('asks for the network of a number that is of none, also where a form left it out', async () => {
    for (const lookUp of [
      () => desk.type(ama, 'lookup', '0231234567'),
      () => desk.submit(ama, {}),
    ]) {
      const [card] = await lookUp();
      expect(cardText(card)).toBe(
        'Please check | I cannot tell the network from this number. Add the network.',
      );
      await desk.press(ama, card, 'Correct it');
    }
    const [found] = await desk.submit(ama, { network: 'MTN' });
    expect(found?.title).toBe('023 123 4567 on MTN MoMo');
  });

  it('says where an id is found, and beside its field what an id looks like', async () => {
    const { said, problems } = await corrected('/status !!');
    expect(said).toBe(
      'Please check | That is not a transaction id. It has only letters and digits. You find it in the Details of a payment.',
    );
    expect(problems).toEqual({ id: 'A transaction id has letters and digits only, 40 at most.' });
  });

  it('has the words behind a misspelt command that has no fields', async () => {
    const opened = await corrected('/paymnets failed');
    expect(opened).toMatchObject({ command: 'payments-words', answers: { words: 'failed' } });
  });
});

describe('the button Correct it', () => {
  const wrong = '/charge 0244123456 5o';

  it('fits into 64 bytes and works after a day but not forever', async () => {
    const card = await type(`${wrong} ${'x'.repeat(400)}`);
    const [button] = card.buttons ?? [];
    if (button?.kind !== 'press') throw new Error('no button');
    expect(`${button.verb}:${button.id}`.length).toBeLessThanOrEqual(64);
    await desk.engine.start();
    clock.jump(DAY_MS - 60_000);
    await clock.advance(1_000);
    expect(await desk.press(ama, card, 'Correct it')).toEqual([]);
    await clock.advance(120_000);
    await expect
      .poll(async () => (await desk.press(ama, card, 'Correct it')).map(cardText))
      .toEqual([expect.stringMatching(/^This button is too old/)]);
    await desk.engine.stop();
  });

  it('is for the person alone who typed', { tags: ['T5'] }, async () => {
    const card = await type(wrong);
    const said = await desk.press(kojo, card, 'Correct it');
    expect(said.map(({ title }) => title)).toEqual(['Only ama can press this']);
    expect(desk.asked).toEqual([]);
  });

  it('opens nothing once the right to the command is gone', async () => {
    const card = await type(wrong);
    grants = allGrants({ may: (name) => name !== 'charge' });
    const said = await desk.press(ama, card, 'Correct it');
    expect(said.map(({ title }) => title)).toEqual(['You cannot charge yet']);
    expect(desk.asked).toEqual([]);
  });

  it('is one form when the command is delivered twice', async () => {
    await type(wrong, 'once');
    await type(wrong, 'once');
    const forms = stored.flatMap(({ put = [] }) => put.map(({ record }) => record.id));
    expect(new Set(forms).size).toBe(1);
  });

  it.each(['correct', 'correct:', 'correct:../x', 'correct:draft0000001', 'correct:0.1.2'])(
    'forged as %s does nothing',
    async (value) => {
      const [verb = '', id = ''] = value.split(':');
      const said = await desk.press(ama, cardWith(verb, id), 'x');
      expect(said.map(({ title }) => title)).toEqual(['This button is too old']);
    },
  );

  it('does not open a form that is being filled in question by question', async () => {
    const record = aForm();
    await store.commit({ put: [{ kind: 'form', record }] });
    const said = await desk.press(ama, cardWith('correct', record.id), 'x');
    expect(said.map(({ title }) => title)).toEqual(['This button is too old']);
  });

  it('never stands under a card number, and nothing of it is stored', {
    tags: ['T15'],
  }, async () => {
    for (const typed of [
      '/charge 4111 1111 1111 1111 5o',
      '/chrage 0244123456 4111111111111111',
      '/sms 4111111111111111 Hello',
    ])
      expect((await type(typed)).buttons).toBeUndefined();
    expect(JSON.stringify(stored)).not.toMatch(/4111|1111/);
  });
});

describe('digits with a space between them', () => {
  const labels = (card: Card | undefined) => card?.buttons?.map(({ label }) => label);

  it.each([
    ['1 200', ['GHS 1,200.00', 'GHS 1.00, reference 200']],
    ['1\u202f200.50 rice', ['GHS 1,200.50', 'GHS 1.00, reference 200.50']],
    ['USD50 117', ['USD 50,117.00', 'USD 50.00, reference 117']],
    ['50 60', ['GHS 50.00, reference 60']],
  ])('%j are a choice of what they can mean, beside Correct it', async (amount, meanings) => {
    const card = await type(`/charge 0244123456 ${amount}`);
    expect(labels(card)).toEqual([...meanings, 'Correct it']);
  });

  it.each([
    ['GHS 1,200.00', /Charge GHS 1,200\.00\?.*Reference: rent/],
    ['GHS 1.00, reference 200', /Charge GHS 1\.00\?.*Reference: 200 rent/],
  ])(
    'are charged as %s after one press, with a confirmation of its own',
    async (label, question) => {
      const card = await type('/charge 0244123456 1 200 rent');
      const [asked] = await desk.press(ama, card, label);
      expect(cardText(asked)).toMatch(question);
      expect(labels(asked)?.at(-1)).toBe('Cancel');
    },
  );

  it('mean nothing to another person, nor to a forged or an old button', async () => {
    const card = await type('/charge 0244123456 1 200');
    expect(textOf(await desk.press(kojo, card, 'GHS 1,200.00'))).toMatch(/Only .* can press this/);
    for (const id of [
      '',
      'x.0',
      `${card.buttons?.flatMap((b) => ('id' in b ? [b.id] : []))[0]?.slice(0, -1)}9`,
    ]) {
      const [gone] = await desk.press(ama, cardWith('reading', id), 'x');
      expect(cardText(gone)).toMatch(/no longer|gone|Type the command again/i);
    }
  });

  it('are no choice where another word is not understood either', async () => {
    expect(labels(await type('/charge 02441234 1 200'))).toEqual(['Correct it']);
  });
});
