import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { ChargeDraft } from '../../../src/core/records/draft.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama, kojo } from '../../support/a-payment.ts';
import { cardText, factOf } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../../support/desk.ts';
import { draftOn } from '../../support/draft-on.ts';
import { storedPayments } from '../../support/stored-payments.ts';

let { clock, store, desk } = {} as DeskInHand;

beforeEach(async () => {
  ({ clock, store, desk } = await deskInHand());
});

const all = () => storedPayments(store);
/** What answers a press on a card. */
const pressed = async (by: Person, card: Card | undefined, label: string): Promise<string> =>
  (await desk.press(by, card, label)).map(cardText).join();

describe('Change on a question', () => {
  it('ends it at once, and opens the form filled in', async () => {
    const [question] = await desk.type(ama, 'charge', '0244123456 50 Invoice 17');
    expect(question?.buttons?.map(({ label }) => label)).toEqual([
      'Charge GHS 50.00',
      'Change',
      'Cancel',
    ]);
    expect(await pressed(ama, question, 'Change')).toBe('Changed | Nothing was charged.');
    expect(desk.asked).toMatchObject([
      { answers: { number: '024 412 3456', amount: 'GHS 50.00', reference: 'Invoice 17' } },
    ]);
    for (const label of ['Charge', 'Cancel', 'Change'])
      expect(await pressed(ama, question, label)).toMatch(
        /^Already changed \| By ama, today .* Nothing was charged\./,
      );
    expect(await all()).toEqual([]);
    expect((await desk.submit(ama, { amount: '60' }))[0]?.title).toBe('Charge GHS 60.00?');
  });

  it('loses nothing where the form is closed: the same is asked again, once', async () => {
    const [question] = await desk.type(ama, 'charge', '0244123456 50 Invoice 17');
    const [changed] = await desk.press(ama, question, 'Change');
    expect(await pressed(kojo, changed, 'Ask again')).toMatch(/^Only ama can press this/);
    const [again] = await desk.press(ama, changed, 'Ask again');
    const [same] = await desk.press(ama, changed, 'Ask again');
    expect(again).toEqual(same);
    await desk.press(ama, again, 'Charge');
    expect(await pressed(ama, changed, 'Ask again')).toMatch(/^Already confirmed/);
    expect(await all()).toMatchObject([{ terms: { reference: 'Invoice 17' } }]);
  });

  it('is recorded in the audit trail', async () => {
    const [question] = await desk.type(ama, 'charge', '0244123456 50');
    await desk.press(ama, question, 'Change');
    const { paymentId } = (await draftOn(store, question)) as ChargeDraft;
    expect((await store.auditOf(paymentId)).at(-1)).toMatchObject({
      what: 'changed',
      before: 'open',
      after: 'changed',
      who: ama,
      button: 'change',
    });
  });

  it('is not for others', { tags: ['T7'] }, async () => {
    const [question] = await desk.type(ama, 'charge', '0244123456 50');
    expect(await pressed(kojo, question, 'Change')).toMatch(/^Only ama can press this/);
    await desk.press(ama, question, 'Charge');
    expect(await all()).toHaveLength(1);
  });
});

describe('Ask again on a question whose time was over', () => {
  const late = async (words = '0244123456 50 Invoice 17') => {
    const [question] = await desk.type(ama, 'charge', words);
    clock.jump(600_000);
    const [tooLate] = await desk.press(ama, question, 'Charge');
    return { question, tooLate };
  };

  it('asks with the same terms and a new transaction id, once', async () => {
    const { question, tooLate } = await late();
    expect(cardText(tooLate)).toBe('Too late | This was open for 10 minutes. Nothing was charged.');
    const [again] = await desk.press(ama, tooLate, 'Ask again');
    const [same] = await desk.press(ama, tooLate, 'Ask again');
    expect(again?.title).toBe('Charge GHS 50.00?');
    expect(factOf(again, 'Reference')).toBe('Invoice 17');
    expect(again).toEqual(same);
    await desk.press(ama, again, 'Charge');
    expect(await pressed(ama, question, 'Charge')).toMatch(/^Too late/);
    expect(await pressed(ama, tooLate, 'Ask again')).toMatch(/^Already confirmed/);
    expect(await all()).toMatchObject([{ terms: { reference: 'Invoice 17' } }]);
  });

  it('is for the person who asked', async () => {
    const { tooLate } = await late();
    expect(await pressed(kojo, tooLate, 'Ask again')).toMatch(/^Only ama can press this/);
  });
});
