import { beforeEach, describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { newTransactionId } from '../../../src/core/values/transaction-id.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import { cardText, factOf } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../../support/desk.ts';

const kojo = { platform: 'slack', id: 'U0KOJO', name: 'kojo' };

let { clock, store, desk } = {} as DeskInHand;

beforeEach(async () => {
  ({ clock, store, desk } = await deskInHand());
});

/** A payment of theirs that ended long ago; the next one is newer. */
const paid = async (
  customerNumber: string,
  customerName?: string,
  requester: Person = ama,
): Promise<void> => {
  clock.jump(1_000);
  const { due: _, terms, ...payment } = aPayment({ requester, state: 'completed' });
  const { customerName: __, ...others } = terms;
  const record: Payment = {
    ...payment,
    id: newTransactionId(clock.now()),
    terms: { ...others, customerNumber, ...(customerName === undefined ? {} : { customerName }) },
  };
  await store.commit({ put: [{ kind: 'payment', record }] });
};

const number = (at: number): string => `+23324412${String(1000 + at)}`;
const charge = (words: string, who: Person = ama): Promise<Card[]> =>
  desk.type(who, 'charge', words);
const suggested = (): string[] | undefined =>
  desk.asked.at(-1)?.annotations?.suggestions?.['number']?.choices.map(({ label }) => label);
const text = (cards: readonly Card[]): string => cards.map(cardText).join('\n');

describe('/charge alone', () => {
  it('suggests the five customers whom the person charged last, masked, each once', async () => {
    for (const at of [1, 2, 3, 4, 5, 6, 7]) await paid(number(at), `AMA CUSTOMER${at}`);
    await paid(number(5), 'AMA CUSTOMER5');
    await charge('');
    expect(suggested()).toEqual([5, 7, 6, 4, 3].map((at) => `Ama C. 024 *** ${1000 + at}`));
  });

  it('suggests nobody whom only others charged, and nobody who was forgotten', async () => {
    await paid('+233201234567', 'KOFI MENSAH', kojo);
    await paid('forgotten-7f3a9c21b04d', 'forgotten');
    await charge('');
    expect(suggested()).toBeUndefined();
  });

  it('names a customer whom only an older look-up named, and one without a name by the number', async () => {
    await paid(number(1), 'ADWOA MENSAH');
    await paid(number(1));
    await paid(number(2));
    await charge('50');
    expect(suggested()).toEqual(['024 *** 1002', 'Adwoa M. 024 *** 1001']);
    expect((await desk.submit(ama, { number: number(1) }))[0]?.title).toBe('Charge GHS 50.00?');
  });
});

describe('/charge with a part of a name', () => {
  beforeEach(async () => {
    await paid('+233244123456', 'ADWOA MENSAH');
    await paid('+233201234567', 'KOFI ADWOA OSEI');
    await paid('+233261234567', 'ÉSI ƐTƆ');
  });

  it.each([
    ['Mensah 50', 'GHS 50.00', '024 412 3456'],
    ['adwoa mensah 50', 'GHS 50.00', '024 412 3456'],
    ['MENS USD 5 Invoice 17', 'USD 5.00', '024 412 3456'],
    ['esi eto 50', 'GHS 50.00', '026 123 4567'],
    ['Ésí 50', 'GHS 50.00', '026 123 4567'],
  ])('asks to confirm "%s", with the number it belongs to', async (words, amount, customer) => {
    const [question] = await charge(words);
    expect(question?.title).toBe(`Charge ${amount}?`);
    expect(factOf(question, 'Number')).toBe(customer);
  });

  it('asks for the amount that was left out, and for nothing else', async () => {
    expect(await charge('Mensah')).toEqual([]);
    expect(desk.asked.at(-1)?.answers).toEqual({ number: '024 412 3456' });
  });

  it('is a choice when several customers have it; the pick is confirmed like any other', async () => {
    const [choice] = await charge('Adwoa 50 Invoice 17');
    expect(cardText(choice)).toBe('Which Adwoa? | You have 2 recent customers called "Adwoa".');
    expect(choice?.buttons?.map(({ label }) => label)).toEqual([
      'Kofi O. 020 *** 4567',
      'Adwoa M. 024 *** 3456',
      'Another number',
    ]);
    const [question] = await desk.press(ama, choice, 'Adwoa M.');
    expect(cardText(question)).toMatch(/^Charge GHS 50\.00\?.*024 412 3456.*Invoice 17/);
    expect(desk.gateway.sent).toEqual([]);
  });

  it('leaves another number open, with the rest filled in', async () => {
    const [choice] = await charge('Adwoa 50 Invoice 17');
    await desk.press(ama, choice, 'Another number');
    expect(desk.asked.at(-1)?.answers).toEqual({ amount: 'GHS 50.00', reference: 'Invoice 17' });
  });

  it('is a choice for the person alone who typed it', { tags: ['T5'] }, async () => {
    const [choice] = await charge('Adwoa 50');
    for (const label of ['Kofi O.', 'Another number'])
      expect(text(await desk.press(kojo, choice, label))).toMatch(/^Only ama can press this/);
  });

  it('finds nobody among the customers of others, says the name as it was typed and offers Correct it', async () => {
    const [card] = await charge('Mensah 50 rent', kojo);
    expect(cardText(card)).toBe(
      'Please check | I found no "Mensah" among your recent customers. Type the number.',
    );
    await desk.press(kojo, card, 'Correct it');
    const { answers, annotations } = desk.asked.at(-1) ?? {};
    expect(answers).toEqual({ number: 'Mensah', amount: 'GHS 50.00', reference: 'rent' });
    expect(annotations?.problems).toEqual({
      number: 'I found no "Mensah" among your recent customers. Type the number.',
    });
  });

  it('is filled in as the number when something else is wrong', async () => {
    const [card] = await charge('Mensah 5o');
    await desk.press(ama, card, 'Correct it');
    expect(desk.asked.at(-1)?.answers).toEqual({ number: '024 412 3456', amount: '5o' });
    const [several] = await charge('Adwoa 5o');
    await desk.press(ama, several, 'Correct it');
    expect(desk.asked.at(-1)?.annotations?.problems).toMatchObject({
      number: 'You have 2 recent customers called "Adwoa".',
    });
  });

  it('answers a forged or stale pick with a sentence', async () => {
    const [choice] = await charge('Adwoa 50');
    const [button] = choice?.buttons ?? [];
    if (button?.kind !== 'press') throw new Error('no button');
    for (const id of ['', '9', '-1', 'length'].map((at) => button.id.replace(/\.0$/, `.${at}`))) {
      const forged: Card = { title: '', parts: [], buttons: [{ ...button, id }] };
      expect(text(await desk.press(ama, forged, ''))).toMatch(/^This button is too old/);
    }
  });

  it('looks no further back than the last hundred payments', async () => {
    for (let at = 0; at < 100; at++) await paid(number(7));
    expect(text(await charge('Mensah 50'))).toContain('I found no "Mensah"');
  });
});
