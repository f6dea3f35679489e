import { describe, expect, it } from 'vitest';
import { closedDayOf } from '../../../src/core/records/closed-day.ts';
import type { ToldRules } from '../../../src/core/records/notify-rules.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { dayAt } from '../../../src/core/values/calendar-day.ts';
import { ama, aPayment, efua } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { startPostgres } from '../../support/postgres.ts';
import {
  type Premises,
  postgresPremises,
  premisesOn,
  ShopInHand,
} from '../../support/shop-in-hand.ts';
import { statusOf } from '../../support/stub-gateway.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FINANCE = { platform: 'slack', channel: 'C0FINANCE' };
const OSU = { platform: 'slack', channel: 'C0OSU' };
const BRANCHES: ToldRules = {
  notify: [],
  branches: [{ name: 'Osu', conversations: ['slack:C0OSU'], members: [] }],
};

/** A shop whose day is summed up at 18:00 in these conversations. */
const open = (premises: Premises, places = [FINANCE]): Promise<ShopInHand> =>
  ShopInHand.open(premises, { digest: { places, atMinutes: 18 * 60 }, told: BRANCHES });

const postgres = await startPostgres();
let ids = 0;

/** Stores a payment that needs nothing more. */
const put = async (shop: ShopInHand, changes: Partial<Payment>): Promise<string> => {
  const confirmedAtMs = shop.clock.now();
  const { due: _, ...payment } = aPayment({
    confirmedAtMs,
    settledAtMs: confirmedAtMs,
    ...changes,
  });
  const record = { ...payment, id: `P${ids++}` };
  expect(await shop.store.commit({ put: [{ kind: 'payment', record }] })).toBe(true);
  return record.id;
};

const told = (shop: ShopInHand, channel = FINANCE.channel): string[] =>
  shop.posted
    .filter(({ conversation, key }) => conversation.channel === channel && key.startsWith('digest'))
    .map(({ card }) => cardText(card));

describe.each(premisesOn(postgres))('with %s', (_store, premises) => {
  it('the day is summed up once, for one look, and a branch sees its own', {
    tags: ['T52'],
  }, async () => {
    const shop = await open(await premises(), [FINANCE, OSU]);
    shop.gateway.onBalance = () => ({ kind: 'balances', answer: {}, sms: '812', collection: '9' });
    await put(shop, { state: 'completed' });
    const givenBack = [{ id: 'b1', amountMinor: 500, by: ama, atMs: shop.clock.now() }];
    await put(shop, { state: 'completed', conversation: OSU, givenBack });
    const dollars = { amountMinor: 700, currency: 'USD' };
    await put(shop, { state: 'completed', terms: { ...aPayment().terms, amount: dollars } });
    const why = 'The customer declined or typed a wrong PIN.';
    await put(shop, { state: 'failed', reason: `${why} Ask again.` });
    await put(shop, { state: 'failed', reason: why });
    await put(shop, { state: 'failed' });
    await put(shop, { state: 'unknown' });
    await put(shop, {
      state: 'completed',
      flag: 'conflict',
      card: { conversation: FINANCE, message: '1' },
    });
    const weekAgoMs = shop.clock.now() - 7 * DAY_MS;
    await put(shop, { state: 'completed', confirmedAtMs: weekAgoMs });
    await put(shop, { state: 'completed', confirmedAtMs: weekAgoMs + 12 * HOUR_MS });
    await shop.pass(8 * HOUR_MS);
    expect(told(shop)).toEqual([]);
    await shop.pass(2 * HOUR_MS);
    const [whole = '', ...more] = told(shop);
    expect(more).toEqual([]);
    expect(whole).toMatch(/^Day so far, Thu 15 Jan until 18:00/);
    expect(whole).toContain(
      '4 completed · GHS 150.00 · USD 7.00 · GHS 5.00 given back · net GHS 145.00 · 0 pending · 3 failed · 1 unknown',
    );
    expect(whole).toContain('Thu 8 Jan until 18:00: 1 completed · GHS 50.00 · now 200 % more');
    expect(whole).toContain('Why most failed: The customer declined or typed a wrong PIN (2 of 3)');
    expect(whole).toContain(
      'Top sellers: ama GHS 150.00 + USD 7.00 · GHS 5.00 given back · net GHS 145.00',
    );
    expect(whole).toMatch(/Branches: No branch GHS 100\.00 \+ USD 7\.00, Osu GHS 50\.00/);
    expect(whole).toMatch(
      /Balances, Thu 15 Jan 1\d:\d\d: GHS 9\.00 collection · not available payout · 812 SMS/,
    );
    expect(whole).toContain('A person has to look into 2 payments.');
    expect(whole).toMatch(
      /⚠️ GHS 50\.00 · Kofi M\. · \d\d:\d\d · ama, ❓ GHS 50\.00 · Kofi M\. · \d\d:\d\d · ama/,
    );
    expect(whole).not.toMatch(/KOFI|0?244123456/);
    expect(whole.split('\n').length).toBeLessThan(25);
    const [branch = ''] = told(shop, OSU.channel);
    expect(branch).toMatch(/^Day so far of Osu[\s\S]*1 completed · GHS 50\.00/);
    expect(branch).not.toMatch(/Balances|Branches|look into/);
  });

  it('what a file brought in is apart from what people sold', async () => {
    const shop = await open(await premises());
    const terms = { ...aPayment().terms, amount: { amountMinor: 90_000, currency: 'GHS' } };
    await put(shop, { state: 'completed', requester: efua, bulk: { run: 'R1', row: 1 }, terms });
    await put(shop, { state: 'completed', requester: efua, bulk: { run: 'R1', row: 2 }, terms });
    await put(shop, { state: 'completed' });
    await shop.pass(10 * HOUR_MS);
    const [text = ''] = told(shop);
    expect(text).toContain('3 completed · GHS 1,850.00');
    expect(text).toContain('Top sellers (files apart): ama GHS 50.00');
    expect(text).toContain('From files: GHS 1,800.00');
    expect(text).not.toContain('Efua GHS');
  });

  it('a day that was owed when the process died is told once', { tags: ['F62'] }, async () => {
    const shop = await open(await premises());
    shop.dieAt('notice-begun');
    await shop.pass(10 * HOUR_MS);
    expect(told(shop)).toEqual([]);
    await shop.start();
    await shop.pass(HOUR_MS);
    expect(told(shop)).toHaveLength(1);
    await shop.stop();
    await shop.start();
    await shop.pass(HOUR_MS);
    expect(told(shop)).toHaveLength(1);
    await shop.pass(DAY_MS);
    expect(told(shop)).toHaveLength(2);
  });

  it('a missed day is told at the next start, unless it is over', { tags: ['F62'] }, async () => {
    const shop = await open(await premises());
    await shop.stop();
    shop.clock.jump(11 * HOUR_MS);
    await shop.start();
    await shop.pass(60_000);
    expect(told(shop)).toHaveLength(1);
    expect(told(shop)[0]).toMatch(/^Day so far, Thu 15 Jan until 20:00/);
    await put(shop, { state: 'completed' });
    await shop.stop();
    shop.clock.jump(DAY_MS + 6 * HOUR_MS);
    await shop.start();
    await put(shop, { state: 'completed', confirmedAtMs: shop.clock.now() - 5 * HOUR_MS });
    await shop.pass(60_000);
    expect(told(shop)).toHaveLength(1);
    await shop.pass(17 * HOUR_MS);
    expect(told(shop)[1]).toMatch(
      /Fri 16 Jan: 1 completed · GHS 50\.00 · 0 failed \(no summary then\)[\s\S]*Thu 15 Jan: 1 completed · GHS 50\.00 · 0 failed \(was 0 · GHS 0\.00 · 0\)/,
    );
  });

  it('what changes after a summary, and a correction of a closed day, are told in the next one', async () => {
    const shop = await open(await premises());
    await shop.charge();
    await shop.pass(9.5 * HOUR_MS);
    expect(told(shop)[0]).toContain('0 completed · GHS 0.00 · 1 pending');
    const closed = closedDayOf({ day: dayAt(shop.clock.now(), 'Africa/Accra') });
    const figures = { collected: [], earlyMinor: 0, lateMinor: 0, doubts: [], strays: 0 };
    const by = { platform: 'slack', id: 'U0AMA', name: 'ama' };
    const day = closed.put({ figures, by, atMs: shop.clock.now() }, undefined);
    expect(await shop.store.commit({ put: [day] })).toBe(true);
    shop.gateway.onStatus = (id) => statusOf(id, 'completed');
    await shop.pass(DAY_MS);
    const next = told(shop)[1] ?? '';
    expect(next).toContain('Thu 15 Jan: 1 completed · GHS 50.00 · 0 failed (was 0 · GHS 0.00 · 0)');
    expect(next).toContain('✅ GHS 50.00 was pending, is completed · Thu 15 Jan (closed)');
    await shop.pass(DAY_MS);
    expect(told(shop)[2]).not.toContain('Changed since');
  });

  it('a conversation that is lost has the operators told, without the sums', {
    tags: ['T52'],
  }, async () => {
    const shop = await open(await premises());
    await shop.pass(8 * HOUR_MS);
    let lost = 0;
    shop.chatSays = () => (lost++ === 0 ? 'gone' : 'delivered');
    await shop.pass(2 * HOUR_MS);
    expect(shop.alerts()).toEqual(['I cannot reach a conversation in Slack']);
    expect(shop.posted).toHaveLength(1);
  });

  it('without a conversation nothing is summed up any more', async () => {
    const place = await premises();
    const shop = await open(place);
    await shop.stop();
    const other = await ShopInHand.open(place);
    await other.pass(DAY_MS);
    expect(other.posted).toEqual([]);
    expect(await other.store.get('setting', 'digest')).toBeUndefined();
  });
});

it('two instances that share PostgreSQL tell the day once', { tags: ['F62'] }, async () => {
  const place = await postgresPremises(postgres);
  const one = await open(place);
  const other = await open(place);
  await one.pass(8 * HOUR_MS);
  const due = await one.store.get('setting', 'digest');
  place.clock.jump(HOUR_MS + 1_000);
  if (due === undefined) throw new Error('nothing is due');
  await Promise.all([one, other].map(({ engine }) => engine.stop()));
  await one.start();
  await other.start();
  // A clock that jumped while one of them posts would let the other take its lease.
  await one.quiet();
  await other.quiet();
  await one.pass(60_000);
  await other.pass(60_000);
  expect([...told(one), ...told(other)]).toHaveLength(1);
});
