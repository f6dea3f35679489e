import { beforeEach, expect, it } from 'vitest';
import { closedDayOf } from '../../../src/core/records/closed-day.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { dayAt } from '../../../src/core/values/calendar-day.ts';
import { ama, aPayment, kojo } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { type DeskInHand, deskInHand } from '../../support/desk.ts';
import { storePayments } from '../../support/stored-payments.ts';

const [PAID1, PAID2, FAILED] = [
  '01JD2M4X9QK7T3V1',
  '01JD2M4X9QK7T3V2',
  '01JD2M4X9QK7T3V3',
] as const;

let { clock, store, desk } = {} as DeskInHand;

const paid = (id: string, cedis: number, changes: Partial<Payment> = {}): Partial<Payment> => {
  const terms = { ...aPayment().terms, amount: { amountMinor: cedis * 100, currency: 'GHS' } };
  const confirmedAtMs = clock.now();
  return { id, state: 'completed', terms, confirmedAtMs, settledAtMs: confirmedAtMs, ...changes };
};

/** Writes down what was given back, as a person does. */
const giveBack = async (id: string, amount: string) => {
  const [list] = await desk.type(ama, 'payments', id);
  await desk.press(ama, (await desk.press(ama, list, '1'))[0], 'Given back');
  expect(textOf(await desk.submit(ama, { amount, reason: 'Broken' }))).toMatch(/^Written down/);
};

beforeEach(async () => {
  ({ clock, store, desk } = await deskInHand());
  await storePayments(store, [
    paid(PAID1, 100),
    paid(PAID2, 40, { requester: kojo }),
    paid(FAILED, 7, { state: 'failed' }),
  ]);
});

it('nothing is said of what was given back where nothing was', async () => {
  for (const command of ['payments', 'report', 'close'])
    expect(textOf(await desk.type(ama, command, ''))).not.toMatch(/given back|net/i);
});

it('lists, reports and the end of a day say what was collected, what was given back, and the net', async () => {
  await giveBack(PAID1, '30');
  await giveBack(PAID1, '5.50');
  const net = /2 completed · GHS 140\.00 · GHS 35\.50 given back · net GHS 104\.50/;
  const list = textOf(await desk.type(ama, 'payments', ''));
  expect(list).toMatch(net);
  expect(list).toMatch(/✅ GHS 100\.00 · GHS 35\.50 given back · /);
  expect(list.match(/given back/g)).toHaveLength(2);
  expect(textOf(await desk.type(ama, 'customer', '0244123456'))).toMatch(net);
  const report = textOf(await desk.type(ama, 'report', 'today by person'));
  expect(report).toMatch(net);
  expect(report).toContain('ama · GHS 100.00 · GHS 35.50 given back · net GHS 64.50 · 1 of 2');
  expect(report).toContain('Kojo · GHS 40.00 · 1 of 1 completed');
  expect(textOf(await desk.type(ama, 'close', ''))).toContain(
    'Collected: GHS 140.00 (2 payments) · GHS 35.50 given back · net GHS 104.50',
  );
});

it('a given back of a closed day is a correction of it, and its figures stay as they were closed', {
  tags: ['F75'],
}, async () => {
  clock.jump(1_000);
  const [open] = await desk.type(ama, 'close', '');
  const [closed] = await desk.press(ama, open, 'Close');
  expect(cardText(closed)).toContain('There are no corrections.');
  clock.jump(24 * 3_600_000);
  await giveBack(PAID1, '30');
  const [day] = await desk.type(ama, 'close', 'yesterday');
  const text = cardText(day);
  expect(text).toContain('Collected: GHS 140.00 (2 payments), Closing');
  expect(text).toContain(
    'Collected by now: GHS 140.00 (2 payments) · GHS 30.00 given back · net GHS 110.00',
  );
  expect(text).toMatch(/GHS 100\.00 was completed, is completed, GHS 30\.00 given back/);
  const { id } = closedDayOf({ day: dayAt(clock.now(), 'Africa/Accra') - 1 });
  expect((await store.auditOf(id)).at(-1)).toMatchObject({ what: 'corrected', who: ama });
});

it('a given back corrects only the day of the outcome, which counts it', async () => {
  const midnight = Date.parse('2026-11-24T00:00:00Z');
  const NIGHT = '01JD2M4X9QK7T3V4';
  const minutes = (many: number) => midnight + many * 60_000;
  clock.jump(minutes(2) - clock.now());
  await storePayments(store, [
    paid(NIGHT, 100, { confirmedAtMs: minutes(-2), settledAtMs: minutes(2) }),
  ]);
  const days = [-1, 0].map((at) => closedDayOf({ day: dayAt(midnight, 'Africa/Accra') + at }));
  clock.jump(24 * 3_600_000);
  for (const day of ['23 Nov', '24 Nov'])
    await desk.press(ama, (await desk.type(ama, 'close', day))[0], 'Close');
  clock.jump(24 * 3_600_000);
  const corrected = () =>
    Promise.all(
      days.map(async ({ id }) =>
        (await store.auditOf(id))
          .filter(({ what }) => what === 'corrected')
          .map((row) => row.after),
      ),
    );
  await giveBack(NIGHT, '20');
  expect(await corrected()).toEqual([[], ['completed, GHS 20.00 given back']]);
});

it('an export has the sum of a payment in a column of its own', async () => {
  await giveBack(PAID1, '30');
  await giveBack(PAID1, '5.50');
  await desk.type(ama, 'export', 'today');
  const text = await desk.files[0]?.content.text();
  const [header = '', ...lines] = text?.split('\r\n') ?? [];
  const at = header.split(',').indexOf('given_back');
  const cells = lines.filter((line) => line !== '').map((line) => line.split(','));
  expect(new Map(cells.map((line) => [line[2], line[at]]))).toEqual(
    new Map([
      [PAID1, '35.50'],
      [PAID2, ''],
      [FAILED, ''],
    ]),
  );
});
