import { describe, expect, it } from 'vitest';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import { forget } from '../../../src/core/privacy/forget.ts';
import { eraseInFolder } from '../../../src/core/store/sqlite/open-sqlite-store.ts';
import { ama, shop } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { CustomerHistory, KOFI, kofiIn } from '../../support/customer-history.ts';
import { openDesk } from '../../support/desk.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { silentLog } from '../../support/silent-log.ts';
import { openStoreIn } from '../../support/store-folder.ts';
import { tempFolder } from '../../support/temp-folder.ts';

/** A desk whose store has forgotten Kofi, and the card of his first payment as it stands in the chat since. */
const aDesk = async () => {
  const dir = await tempFolder();
  const clock = new ManualClock();
  const before = await openStoreIn(dir, { clock });
  const { kofis } = await new CustomerHistory(before, clock).lived();
  const id = kofis[0] ?? '';
  const payment = await before.get('payment', id);
  await before.close();
  if (payment === undefined) throw new Error('no payment');
  await forget(
    eraseInFolder({ dir, log: silentLog }),
    { number: KOFI, who: { platform: 'terminal', id: 'root', name: 'root' }, isSure: true },
    clock,
  );
  const store = await openStoreIn(dir, { clock });
  return { id, store, card: paymentCard(payment, 'UTC'), desk: openDesk(store, clock) };
};

const texts = (cards: Parameters<typeof cardText>[0][]): string => cards.map(cardText).join('\n');

describe('a forgotten customer', () => {
  it('is nobody on an old card, whose button still works', async () => {
    const { desk, card } = await aDesk();
    const [details] = await desk.press(ama, card, 'Details', shop);
    const shown = texts(await desk.press(ama, details, 'Show full number', shop));
    expect(shown).toMatch(/Customer: forgotten, Number: forgotten-[0-9a-f]{12}/);
    expect(kofiIn(shown)).toEqual([]);
  });

  it('leaves a story that tells who had them forgotten', async () => {
    const { desk, id } = await aDesk();
    const shown = texts(await desk.type(ama, 'audit', id));
    expect(shown).toContain('root (terminal:root) erased the number and the name of a customer');
    expect(shown).toContain('completed');
    expect(kofiIn(shown)).toEqual([]);
  });

  it('is in no list under the number, and in every other one as a pseudonym', async () => {
    const { desk } = await aDesk();
    expect(texts(await desk.type(ama, 'payments', '0244123456'))).not.toMatch(/GHS/);
    const all = texts(await desk.type(ama, 'payments', ''));
    expect(all).toContain('GHS 50.00 · GHS 5.00 given back · Forgotten · ');
    expect(kofiIn(all)).toEqual([]);
  });

  it('can be asked about by the transaction id', async () => {
    const { desk, id } = await aDesk();
    const shown = texts(await desk.type(ama, 'status', id));
    expect(shown).toMatch(/completed · Forgotten \| MTN MoMo · forgotten-/);
  });

  it('is charged as any new one', async () => {
    const { desk, store } = await aDesk();
    const [question] = await desk.type(ama, 'charge', '0244123456 50');
    await desk.press(ama, question, 'Charge');
    const { payments } = await store.listPayments({ customerNumber: KOFI }, { limit: 5 });
    expect(payments).toMatchObject([{ state: 'confirmed' }]);
  });
});
