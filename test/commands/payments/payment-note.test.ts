import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../../src/commands/access/grants.ts';
import type { Card } from '../../../src/commands/cards/card.ts';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import type { Person } from '../../../src/core/values/conversation.ts';
import { ama, aPayment, efua, kojo, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { storePayments } from '../../support/stored-payments.ts';

const ID = '01JD2M4X9QK7T3VB';

let { clock, store, desk } = {} as DeskInHand;
let grants: (person: Person) => Partial<Grants>;

beforeEach(async () => {
  grants = () => ({});
  ({ clock, store, desk } = await deskInHand((person) => allGrants(grants(person))));
  const { due: _, ...paid } = aPayment({ state: 'completed', settledAtMs: 2_000 });
  await storePayments(store, [{ ...paid, card: { conversation: shop, message: '1.0' } }]);
});

const stored = async (): Promise<Payment> => (await store.get('payment', ID)) ?? aPayment();
const told = (cards: readonly Card[]): string => cards.map(cardText).join('\n');
const details = async (person = ama): Promise<Card | undefined> =>
  (await desk.press(person, paymentCard(await stored(), 'UTC'), 'Details'))[0];

describe('a note on a payment', () => {
  const note = async (text: string, person = ama) => {
    await desk.press(person, await details(person), 'Note');
    return desk.submit(person, { note: text });
  };

  it('is kept with its author and its audit row, and shown in the Details', async () => {
    expect(told(await note('Comes <b>back</b> on Friday'))).toContain('The note is kept');
    expect((await stored()).notes).toMatchObject([
      { note: 'Comes <b>back</b> on Friday', by: ama, atMs: clock.now() },
    ]);
    expect(cardText(await details())).toContain(
      'Note today 09:00 by ama: Comes <b>back</b> on Friday',
    );
    expect((await store.auditOf(ID)).at(-1)).toMatchObject({ what: 'noted', who: ama });
  });

  it('shows no number of the customer in the Details, however it was written', async () => {
    await note('Call 024 412 3456 or 0244-123-456 first');
    expect(cardText(await details(kojo))).toContain('Call •••••3456 or •••••3456 first');
  });

  it('has 200 characters at most, no card number, and there are 20 at most', async () => {
    expect(told(await note('x'.repeat(201)))).toContain('200 characters at most');
    expect(told(await note('4111 1111 1111 1111'))).toMatch(/card number/i);
    for (let at = 0; at < 20; at++) await note(`note ${at}`);
    expect(told(await desk.press(ama, await details(), 'Note'))).toMatch(/has 20 notes/);
    expect(told(await desk.submit(ama, { note: 'one more' }))).toMatch(/has 20 notes/);
    expect((await stored()).notes).toHaveLength(20);
  });

  it('is not said to be kept where a note of another person took the last room meanwhile', async () => {
    for (let at = 0; at < 19; at++) await note(`note ${at}`);
    await desk.press(ama, await details(), 'Note');
    const answers = await Promise.all([
      desk.submit(ama, { note: 'the first' }),
      desk.submit(efua, { note: 'the second' }),
    ]);
    const titles = answers.flat().map(({ title }) => title);
    expect(titles.toSorted()).toEqual(['The note is kept', 'This payment has 20 notes']);
    const [kept] = answers.flat().filter(({ title }) => title === 'The note is kept');
    expect(cardText(kept)).toContain((await stored()).notes?.at(-1)?.note);
  });

  it('is written by people who may see payments, and by the requester', {
    tags: ['T90'],
  }, async () => {
    const button = await details();
    grants = () => ({ may: (right) => right !== 'payments' });
    expect(told(await desk.press(kojo, button, 'Note'))).toMatch(
      /^You cannot write notes on payments yet/,
    );
    expect(told(await desk.press(ama, button, 'Note'))).toBe('');
    expect(told(await desk.submit(kojo, { note: 'forged' }))).toMatch(/^You cannot write notes/);
    expect((await stored()).notes).toBeUndefined();
  });
});
