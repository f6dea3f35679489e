import { expect } from 'vitest';
import { dayAt, firstOfMonth } from '../../src/core/values/calendar-day.ts';
import { monthName } from '../../src/core/values/format-time.ts';
import { EDGES, openEdge } from '../support/edges.ts';
import { eventually } from '../support/eventually.ts';
import { templateSettings } from '../support/template-settings.ts';
import { together } from '../support/together.ts';

const it = together();

const DAY_MS = 24 * 3_600_000;
const FILE = 'number,amount,reference\n0244123410,5,Room 1\n0244123411,5,Room 2\n0244123412,5,';

it.each(EDGES)(
  'in %s those of a file who have not paid are reminded, and the file is asked again for the next month',
  async (name) => {
    const settings = await templateSettings('reminder: { text: "{amount} is still due. {shop}" }');
    const efua = await openEdge(name, () => settings);
    const { clock } = efua.shop;
    efua.sendFile('dues.csv', FILE);
    await efua.press(/Charge 3 customers: GHS 15\.00\?/, 'Charge 3: GHS 15.00');
    await efua.sees(/3 of 3 · 0 paid · 3 waiting/);
    await efua.customer('0244123410', 'approved');
    for (const number of ['0244123411', '0244123412']) await efua.customer(number, 'declined');
    await efua.press(/1 of 3 paid · GHS 5\.00/, 'Remind 2');
    await efua.press(/Send 2 SMS\?/, 'Send 2 SMS');
    await efua.sees(/2 of 2 sent/);
    efua.type('/payments dues.csv');
    await efua.sees(/1 completed · GHS 5\.00 · 0 pending · 2 failed/);

    const month = firstOfMonth(firstOfMonth(dayAt(clock.now(), 'Africa/Accra')) + 31);
    await efua.restart((month + 1) * DAY_MS + 12 * 3_600_000);
    const label = `Ask these 3 again for ${monthName(month)}`;
    // The terminal has no earlier messages after a restart.
    efua.sendFile('dues.csv', FILE);
    await efua.press(/This file was charged already/, label);
    await efua.press(
      new RegExp(`${monthName(month)}: charge 3 customers\\?`),
      'Charge 3: GHS 15.00',
    );
    await eventually(async () => {
      const { payments } = await efua.shop.app.store.listPayments({}, { limit: 10 });
      expect(payments).toHaveLength(6);
    });
    for (const number of ['0244123410', '0244123411', '0244123412'])
      await efua.customer(number, 'approved');
    await efua.sees(/3 of 3 paid · GHS 15\.00/);
    const { payments } = await efua.shop.app.store.listPayments({}, { limit: 10 });
    const references = payments.map(({ id, terms }) =>
      terms.reference === id ? 'its id' : terms.reference,
    );
    const short = monthName(month).slice(0, 3);
    expect(references.toSorted()).toEqual(
      ['Room 1', `Room 1 ${short}`, 'Room 2', `Room 2 ${short}`, 'its id', 'its id'].toSorted(),
    );
  },
);

it('a button whose name has a number of its own works in the terminal after other words as well', async () => {
  const settings = await templateSettings('reminder: { text: "{amount} is still due. {shop}" }');
  const efua = await openEdge('the terminal', () => settings);
  efua.sendFile('dues.csv', FILE);
  await efua.press(/Charge 3 customers: GHS 15\.00\?/, 'Charge 3: GHS 15.00');
  await efua.sees(/3 of 3 · 0 paid · 3 waiting/);
  await efua.customer('0244123410', 'approved');
  for (const number of ['0244123411', '0244123412']) await efua.customer(number, 'declined');
  await eventually(() => expect(efua.shop.screen()).toMatch(/\[3\] Remind 2/));
  await eventually(() => expect(efua.shop.screen()).toMatch(/remind 2 1/));
  efua.type('/whoami');
  await efua.press(/You: /, 'Remind 2');
  await efua.sees(/Send 2 SMS\?/);
});
