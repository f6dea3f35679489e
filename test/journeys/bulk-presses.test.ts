import { expect } from 'vitest';
import { csvRows } from '../support/csv-rows.ts';
import { EDGES, openEdge } from '../support/edges.ts';
import { eventually } from '../support/eventually.ts';
import { together } from '../support/together.ts';

const it = together();
const ROWS = 12;
const FILE = [
  'number,amount',
  ...Array.from({ length: ROWS }, (_, row) => `02441234${10 + row},5`),
].join('\n');

it.each(EDGES)(
  'in %s a file of charges is paused, resumed and stopped; its result comes as a file, and what was not paid is asked again',
  async (name) => {
    const efua = await openEdge(name, () => ({ PAYMENTS_RATE: '1' }));
    const { store, sandbox } = efua.shop.app;
    /** Whom the payment service was asked to charge, in order. */
    const asked = () => sandbox?.payments().map(({ customerNumber }) => customerNumber) ?? [];
    const afterMore = (than: number) =>
      eventually(() => expect(asked().length).toBeGreaterThan(than));

    efua.sendFile('dues.csv', FILE);
    await efua.press(/Charge 12 customers: GHS 60\.00\?/, 'Charge 12: GHS 60.00');
    await afterMore(1);
    await efua.press(/Charging 12 customers/, 'Pause');
    await efua.sees(
      /Paused: 12 customers, GHS 60\.00[\s\S]*Paused by [\s\S]*customers not asked yet/,
    );
    const paused = asked().length;
    await efua.press(/Paused: 12 customers/, 'Resume');
    await afterMore(paused);
    await efua.press(/Charging 12 customers/, 'Stop');
    await efua.sees(/Stopped: 12 customers/);
    await eventually(async () => {
      const { payments } = await store.listPayments({}, { limit: ROWS });
      expect(payments.map(({ state }) => state)).toEqual(asked().map(() => 'pending'));
    });
    // In the order of the file: on a busy machine one request may overtake another.
    const [first = '', ...others] = asked().toSorted();
    expect(others.length).toBeLessThan(ROWS - 1);

    await efua.customer(first, 'approved');
    for (const number of others) await efua.customer(number, 'no money');
    await efua.sees(/1 of 12 paid[\s\S]*\d+ failed[\s\S]*Stopped by [\s\S]*customers not asked/);
    await efua.press(/Stopped: 1 of 12 paid · GHS 5\.00/, 'Result');
    const result = csvRows(await efua.file(/dues-result\.csv$/));
    expect(result.map(({ state }) => state)).toEqual([
      'completed',
      ...others.map(() => 'failed'),
      ...Array.from({ length: ROWS - asked().length }, () => 'not asked'),
    ]);

    await efua.press(/Stopped: 1 of 12 paid · GHS 5\.00/, 'Ask again');
    await efua.press(/Charge 11 customers again: GHS 55\.00\?/, 'Charge 11: GHS 55.00');
    for (let row = 1; row < ROWS; row++) await efua.customer(`02441234${10 + row}`, 'approved');
    await efua.sees(/11 of 11 paid · GHS/);
    const { payments } = await store.listPayments({ states: ['completed'] }, { limit: 100 });
    expect(new Set(payments.map(({ terms }) => terms.customerNumber)).size).toBe(ROWS);
    expect(payments).toHaveLength(ROWS);
  },
);
