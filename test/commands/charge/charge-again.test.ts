import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { ama, shop } from '../../support/a-payment.ts';
import { type DeskInHand, deskInHand, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { changePayment, storedPayments } from '../../support/stored-payments.ts';

const kojo = { platform: 'slack', id: 'U0KOJO', name: 'kojo' };

let { clock, store, desk } = {} as DeskInHand;

beforeEach(async () => {
  ({ clock, store, desk } = await deskInHand());
});

const confirmed = () => storedPayments(store);
/** Confirms a charge, and writes it as if this had become of it. */
const charged = async (ended: Partial<Payment>): Promise<Payment> => {
  await desk.press(ama, await ask(), 'Charge');
  return changeNewest(ended);
};
const changeNewest = async (changes: Partial<Payment>): Promise<Payment> =>
  changePayment(store, (await confirmed())[0]?.id ?? '', changes);
const ask = async (person = ama, words = '0244123456 50'): Promise<Card | undefined> =>
  (await desk.type(person, 'charge', words))[0];
const warnings = (card: Card | undefined): string[] =>
  (card?.parts ?? []).flatMap((part) => (part.kind === 'warning' ? [part.text] : []));

describe('the same charge asked twice before either was confirmed', () => {
  it('is confirmed once; the second press is asked again, with its state and time, and a link', {
    tags: ['I14'],
  }, async () => {
    const [first, second] = [await ask(ama), await ask(kojo)];
    expect(first?.title).toBe('Charge GHS 50.00?');
    expect(second?.title).toBe('Charge GHS 50.00?');
    await desk.press(ama, first, 'Charge');
    const [again] = await desk.press(kojo, second, 'Charge');
    expect(await confirmed()).toHaveLength(1);
    expect(again?.title).toBe('Charge GHS 50.00 again?');
    expect(warnings(again).join()).toMatch(
      /^Already asked: GHS 50\.00 today \d\d:\d\d\. It is being sent\. Charge again only for a second sale\./,
    );
    await desk.press(kojo, again, 'Charge GHS 50.00 again');
    expect(await confirmed()).toHaveLength(2);
  });

  it('is not confirmed by a second press of the old button: it shows the question again', {
    tags: ['F18'],
  }, async () => {
    const [first, second] = [await ask(ama), await ask(kojo)];
    await desk.press(ama, first, 'Charge');
    await desk.press(kojo, second, 'Charge');
    expect((await desk.press(kojo, second, 'Charge'))[0]?.title).toBe('Charge GHS 50.00 again?');
    expect(await confirmed()).toHaveLength(1);
  });

  it('is confirmed once however many press at the same moment', { tags: ['F17'] }, async () => {
    const cards = await Promise.all(Array.from({ length: 10 }, () => ask(kojo)));
    const answers = await Promise.all(cards.map((card) => desk.press(kojo, card, 'Charge')));
    expect(await confirmed()).toHaveLength(1);
    expect(answers.flat().filter(({ title }) => title.endsWith('again?'))).toHaveLength(9);
  });

  it('is confirmed once when two instances are asked at the same moment', {
    tags: ['F17'],
  }, async () => {
    const other = openDesk(store, clock);
    const cards = await Promise.all([ask(ama), ask(kojo)]);
    await Promise.all([desk.press(ama, cards[0], 'Charge'), other.press(kojo, cards[1], 'Charge')]);
    expect(await confirmed()).toHaveLength(1);
  });

  it('leaves other amounts and other customers alone', async () => {
    const cards = [
      await ask(ama),
      await ask(ama, '0244123456 51'),
      await ask(ama, '0201234567 50'),
    ];
    for (const card of cards) await desk.press(ama, card, 'Charge');
    expect(await confirmed()).toHaveLength(3);
  });
});

/** Kojo asks for the same, and the question says so. */
const askedAgain = async (): Promise<Card | undefined> => {
  const again = await ask(kojo);
  expect(again?.title).toBe('Charge GHS 50.00 again?');
  return again;
};
const linkTo = (url: string) => ({ kind: 'link', label: 'See the earlier charge', url });
/** 45 more payments of the same customer, a second apart. */
const othersLike = async (
  first: Omit<Payment, 'id'>,
  amountMinor: (n: number) => number,
): Promise<void> => {
  for (let n = 1; n <= 45; n++) {
    clock.jump(1_000);
    const terms = { ...first.terms, amount: { amountMinor: amountMinor(n), currency: 'GHS' } };
    const record = { ...first, id: newTransactionId(clock.now()), version: 1, terms };
    await store.commit({ put: [{ kind: 'payment', record }] });
  }
};

describe('the same charge typed after the first was confirmed', () => {
  it('warns at once, names its state and links the earlier card', { tags: ['T18'] }, async () => {
    await charged({ state: 'unknown', card: { conversation: shop, message: '1.1' } });
    const again = await askedAgain();
    expect(warnings(again).join()).toContain(
      'Still unknown: GHS 50.00 today 09:00. It may still be paid. Charge again only for a second sale.',
    );
    expect(again?.buttons).toContainEqual(linkTo('https://t.me/c/1234567890/1.1'));
  });

  it('links the newest of the earlier ones, which nobody had seen when it was asked', async () => {
    await charged({ card: { conversation: shop, message: '1.1' } });
    clock.jump(1_000);
    const [seen, other] = [await ask(kojo), await ask(ama)];
    await desk.press(ama, other, 'Charge GHS 50.00 again');
    await changeNewest({ card: { conversation: shop, message: '2.2' } });
    const [again] = await desk.press(kojo, seen, 'Charge GHS 50.00 again');
    expect(again?.buttons).toContainEqual(linkTo('https://t.me/c/1234567890/2.2'));
  });

  it.each(['failed', 'refused', 'not sent', 'completed'] as const)(
    'warns when the first is recorded as %s and the service contradicts that, however long ago',
    async (state) => {
      const { id } = await charged({ state, flag: 'conflict', settledAtMs: clock.now() });
      clock.jump(26 * 3_600_000);
      const again = await askedAgain();
      expect(warnings(again).join()).toContain(
        'In conflict: GHS 50.00 yesterday 09:00. Ask the payment service about it first.',
      );
      expect(warnings(again).join()).not.toContain(id);
      expect(warnings(await ask(kojo, '0244123456 51'))).toContain(
        `An earlier charge of GHS 50.00 to this number is ${state} (yesterday 09:00), but the payment service contradicts that.`,
      );
    },
  );

  it('says nothing of a first one that failed, was refused or was not sent', async () => {
    for (const state of ['failed', 'refused', 'not sent'] as const) {
      await charged({ state, settledAtMs: clock.now() });
      expect((await ask())?.title).toBe('Charge GHS 50.00?');
      clock.jump(1_000);
    }
  });

  it('counts the minutes since it was completed from its end: a checkout may take longer than they are', async () => {
    await charged({ state: 'pending' });
    clock.jump(1_260_000);
    await changeNewest({ state: 'completed', settledAtMs: clock.now() });
    clock.jump(60_000);
    const again = await askedAgain();
    expect(warnings(again).join()).toContain(
      'Already paid: GHS 50.00 today 09:00. Charge again only for a second sale.',
    );
    clock.jump(541_000);
    expect((await ask(kojo))?.title).toBe('Charge GHS 50.00?');
  });

  it('is found behind any number of other open charges of the same customer', async () => {
    const { id: _, ...first } = await charged({ state: 'unknown' });
    await othersLike(first, (n) => 50_00 + n);
    const again = await askedAgain();
    expect(warnings(again).join()).toContain('Still unknown: GHS 50.00');
  });

  it('finds another open amount behind any number of charges of the same one', async () => {
    const { id: _, ...first } = await charged({ state: 'unknown' });
    await othersLike(first, () => 70_00);
    expect(warnings(await ask(kojo, '0244123456 70')).join()).toContain(
      'An earlier charge of GHS 50.00 to this number is still unknown (today 09:00). It may still be paid.',
    );
  });

  it('is asked without a word once the first has ended and some minutes have passed', async () => {
    await charged({ state: 'completed' });
    expect((await ask())?.title).toBe('Charge GHS 50.00 again?');
    clock.jump(601_000);
    expect((await ask())?.title).toBe('Charge GHS 50.00?');
  });
});

describe('the daily limit', () => {
  it('holds over two instances that confirm at the same moment', { tags: ['T8'] }, async () => {
    const grants = allGrants({ dailyLimit: { amountMinor: 60_00, currency: 'GHS' } });
    const desks = [openDesk(store, clock, () => grants), openDesk(store, clock, () => grants)];
    const numbers = ['0244123451', '0244123452', '0244123453', '0244123454', '0244123455'];
    const cards = await Promise.all(numbers.map((number) => ask(ama, `${number} 50`)));
    await Promise.all(cards.map((card, i) => desks[i % 2]?.press(ama, card, 'Charge')));
    expect(await confirmed()).toHaveLength(1);
  });
});
