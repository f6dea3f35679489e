import { expect, it } from 'vitest';
import { MemoryMachine } from '../support/memory-machine.ts';
import { embeddedPremises, ShopInHand } from '../support/shop-in-hand.ts';
import { statusOf } from '../support/stub-gateway.ts';

const DAY_MS = 24 * 3_600_000;
const CHARGES_A_DAY = 10;

it('thirty busy days leave no more in memory than three do', { tags: ['I19'] }, async () => {
  const machine = new MemoryMachine();
  const shop = await ShopInHand.open(embeddedPremises(machine));
  shop.gateway.onStatus = (id) => statusOf(id, 'completed');
  const charged: string[] = [];
  const day = async (): Promise<void> => {
    for (let n = 0; n < CHARGES_A_DAY; n++) {
      const [question] = await shop.type(`/charge 02441234${n + 10} 50`);
      await shop.press(question, 'Charge');
      await shop.type(`/charge 02441234${n + 10} 70`);
      await shop.pass(DAY_MS / CHARGES_A_DAY);
    }
    charged.push(...shop.gateway.sent.slice(charged.length).map((each) => each.transactionId));
  };
  /** What a new start would read into memory, and every other record that is no payment. */
  const liveRecords = async (): Promise<number> => {
    await shop.stop();
    const count = machine.database.prepare(`
      SELECT (SELECT count(*) FROM records) + (SELECT count(*) FROM payments WHERE queue IS NOT NULL) AS live`);
    await shop.start();
    return Number(count.get()?.['live']);
  };
  const live: number[] = [];
  for (let n = 1; n <= 30; n++) {
    await day();
    if (n % 3 === 0) live.push(await liveRecords());
  }
  expect(charged).toHaveLength(30 * CHARGES_A_DAY);
  const [afterThree = 0, ...later] = live;
  for (const records of later) expect(records).toBeLessThanOrEqual(afterThree * 1.2);
  // And nothing of all that is lost.
  for (const id of [charged[0] ?? '', charged.at(-1) ?? ''])
    expect(await shop.store.get('payment', id)).toMatchObject({ state: 'completed' });
  expect(machine.fatal).toEqual([]);
});
