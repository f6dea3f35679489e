import { describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import { NO_TEXTS } from '../../../src/commands/sms/templates.ts';
import type { BalanceOutcome } from '../../../src/core/gateway/gateway.ts';
import { closedDayOf } from '../../../src/core/records/closed-day.ts';
import { dayAt, isoDate } from '../../../src/core/values/calendar-day.ts';
import { shop as place } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { allGrants } from '../../support/grants.ts';
import { startPostgres } from '../../support/postgres.ts';
import { embeddedPremises, postgresPremises, ShopInHand } from '../../support/shop-in-hand.ts';
import { statusOf } from '../../support/stub-gateway.ts';

const DAY_MS = 24 * 3_600_000;
const textOf = (card: Card | undefined): string => (card === undefined ? '' : cardText(card));

const postgres = await startPostgres();

/** A shop whose payment service holds `holds.now` cedis. */
const open = async (premises: Parameters<typeof ShopInHand.open>[0]) => {
  const shop = await ShopInHand.open(premises);
  const holds = { now: '100' };
  shop.gateway.onBalance = (): BalanceOutcome => ({
    kind: 'balances',
    answer: {},
    collection: holds.now,
  });
  shop.gateway.onStatus = (id) => statusOf(id, 'pending');
  const pays = () => {
    shop.gateway.onStatus = (id) => statusOf(id, 'completed');
  };
  const todayId = () => closedDayOf({ day: dayAt(shop.clock.now(), 'Africa/Accra') }).id;
  return { shop, holds, pays, todayId };
};

describe.each([
  ['the embedded store', embeddedPremises],
  ['PostgreSQL', () => postgresPremises(postgres)],
])('with %s', (_store, premises) => {
  it('/close explains the difference, a press closes the day, and a later change is a correction', async () => {
    const { shop, holds, pays, todayId } = await open(await premises());
    await shop.pass(DAY_MS);
    await shop.charge();
    await shop.pass(60_000);
    const [before] = await shop.type('/close');
    expect(textOf(before)).toMatch(/The balance grew by what was collected/);
    expect(textOf(before)).toMatch(/Opening balance: GHS 100\.00 \(yesterday 23:\d\d\)/);
    expect(textOf(before)).toMatch(
      /Collected: GHS 0\.00 \(0 payments\)[\s\S]*1 pending · GHS 50\.00/,
    );
    holds.now = '150';
    const [figures] = await shop.type('/close today');
    expect(textOf(figures)).toMatch(/The lines below can explain the difference/);
    expect(figures?.buttons?.map(({ label }) => label)).toEqual(['Close', 'Details 1']);
    // The figures that the first card shows are no longer true.
    const [again] = await shop.press(before, 'Close');
    expect(textOf(again)).toMatch(/The figures have changed/);
    const [closed] = await shop.press(figures, 'Close');
    expect(textOf(closed)).toMatch(/\(closed\)[\s\S]*closed this day today[\s\S]*no corrections/);
    const [late] = await shop.press(again, 'Close');
    expect(textOf(late)).toMatch(/\(closed\)/);
    const id = todayId();
    pays();
    await shop.pass(60_000);
    expect(shop.outcomes()).toEqual(['completed']);
    const rows = await shop.store.auditOf(id);
    expect(rows.map(({ what, before: was, after }) => [what, was, after])).toEqual([
      ['closed', null, id.slice('closed.'.length)],
      ['corrected', 'pending', 'completed'],
    ]);
    const [corrected] = await shop.type('/close');
    expect(textOf(corrected)).toMatch(
      /Collected: GHS 0\.00[\s\S]*Collected by now: GHS 50\.00 \(1 payment\)[\s\S]*Corrections since then:[\s\S]*GHS 50\.00 was pending, is completed/,
    );
    const [details] = await shop.press(corrected, 'Details 1');
    expect(details?.title).toBe('GHS 50.00 · completed');
  });

  it('a payment of a closed day that settles on an open one is a correction of the closed day alone', async () => {
    const { shop, holds, pays, todayId } = await open(await premises());
    await shop.charge();
    await shop.pass(60_000);
    const [figures] = await shop.type('/close');
    await shop.press(figures, 'Close');
    const closedId = todayId();
    await shop.pass(DAY_MS);
    pays();
    holds.now = '150';
    await shop.pass(2 * 3_600_000);
    expect((await shop.store.auditOf(closedId)).map(({ what }) => what)).toEqual([
      'closed',
      'corrected',
    ]);
    expect(await shop.store.auditOf(todayId())).toEqual([]);
  });
});

it('a balance that nothing explains is named, and one that is missing is not compared', async () => {
  const { shop, holds } = await open(embeddedPremises());
  const [none] = await shop.type('/close');
  expect(textOf(none)).toMatch(/do not have both balances[\s\S]*Opening balance: not available/);
  await shop.pass(DAY_MS);
  holds.now = '93.5';
  const [low] = await shop.type('/close');
  expect(textOf(low)).toMatch(/The balance is GHS 6\.50 too low[\s\S]*Difference: GHS -6\.50/);
  holds.now = '101';
  const [high] = await shop.type('/close');
  expect(textOf(high)).toMatch(/The balance is GHS 1\.00 too high/);
  const [dayBefore] = await shop.type('/close yesterday');
  expect(textOf(dayBefore)).not.toMatch(/The day is not over/);
});

it('what came before and after the balances, several in doubt and unknown callbacks have a line each', async () => {
  const { shop, pays } = await open(embeddedPremises());
  pays();
  await shop.pass(DAY_MS - (shop.clock.now() % DAY_MS) - 5 * 60_000);
  await shop.charge();
  await shop.pass(10 * 60_000);
  const [early] = await shop.type('/close');
  expect(textOf(early)).toMatch(/GHS 50\.00 was paid after the opening balance, the day before/);
  const [late] = await shop.type('/close yesterday');
  expect(textOf(late)).toMatch(/GHS 50\.00 was paid after the closing balance/);
  shop.gateway.onStatus = (id) => statusOf(id, 'pending');
  for (let at = 0; at < 10; at++) await shop.charge(`02441234${at + 10} 5`);
  await shop.engine.callbacks.receive('01JD2M4X9QK7T3VB', '{}', 'application/json');
  const [many] = await shop.type('/close');
  expect(textOf(many)).toMatch(/10 pending · GHS 50\.00[\s\S]*1 callback without a payment here/);
  expect(textOf(many)).toMatch(/2 more\. \/payments lists them/);
  expect(many?.buttons).toHaveLength(9);
});

it.each(['last week', 'mondey', '2026-02-31', '1-15 Nov', 'tomorrow'])(
  '/close %s closes nothing, and has days as buttons',
  async (words) => {
    const { shop } = await open(embeddedPremises());
    await shop.pass(DAY_MS);
    const [card] = await shop.type(`/close ${words}`);
    expect(card?.title).toBe('Please check');
    expect(card?.buttons?.map(({ label }) => label)).toEqual(['Today', 'Yesterday']);
    const [yesterday] = await shop.press(card, 'Yesterday');
    expect(yesterday?.title).toBe("Day's end: 15 Jan 2026");
  },
);

it('/close Monday is the day of the newest Monday', async () => {
  const { shop } = await open(embeddedPremises());
  await shop.pass(DAY_MS);
  const [card] = await shop.type('/close Monday');
  expect(card?.title).toBe("Day's end: 12 Jan 2026");
});

it('each merchant has a day of its own, which a conversation of another does not show', async () => {
  const merchantOf = (name: string, channel: string) => ({
    ...{ name, nickname: name, senderIds: [] },
    conversations: [`${place.platform}:${channel}`],
  });
  const merchants = [merchantOf('osu', place.channel), merchantOf('tema', 'C0TEMA')];
  const shop = await ShopInHand.open(embeddedPremises(), {
    sms: { senderIds: [], texts: NO_TEXTS, merchants },
  });
  shop.gateway.onBalance = () => ({ kind: 'balances', answer: {}, collection: '100' });
  await shop.charge();
  await shop.pass(60_000);
  const cards = await shop.type('/close');
  expect(cards.map(({ title }) => title)).toEqual([expect.stringMatching(/^Day's end of osu: /)]);
  shop.where = { ...place, channel: 'C0OFFICE' };
  const [osu, tema] = await shop.type('/close');
  expect(textOf(osu)).toMatch(/of osu[\s\S]*1 pending/);
  expect(textOf(tema)).toMatch(/of tema/);
  expect(textOf(tema)).not.toMatch(/pending/);
  const [closed] = await shop.press(osu, 'Close');
  expect(closed?.title).toMatch(/^Day's end of osu: .* \(closed\)$/);
  const forged = osu?.buttons?.map((button) =>
    button.kind === 'press' ? { ...button, id: button.id.replace('osu', 'nowhere') } : button,
  );
  const [refused] = await shop.press(
    { ...closed, title: '', parts: [], buttons: forged ?? [] },
    'Close',
  );
  expect(refused?.title).not.toMatch(/closed/);
  shop.gateway.onStatus = (id) => statusOf(id, 'completed');
  await shop.pass(60_000);
  const day = dayAt(shop.clock.now(), 'Africa/Accra');
  const whats = async (merchant: string) =>
    (await shop.store.auditOf(closedDayOf({ day, merchant }).id)).map(({ what }) => what);
  expect(await whats('osu')).toEqual(['closed', 'corrected']);
  expect(await whats('tema')).toEqual([]);
});

it('a forged press, and one without the right, close nothing', async () => {
  const { shop, todayId } = await open(embeddedPremises());
  await shop.quiet();
  const [figures] = await shop.type('/close');
  const button = { kind: 'press', label: 'Close', verb: 'close' } as const;
  const pressed = async (id: string) =>
    (await shop.press({ title: '', parts: [], buttons: [{ ...button, id }] }, 'Close'))[0];
  expect((await pressed('nonsense'))?.title).toBe('Please check');
  expect((await pressed('2099-01-01.x'))?.title).toBe('Please check');
  expect(textOf(await pressed(''))).toMatch(/The figures have changed/);
  shop.grants = allGrants({ may: (command) => command !== 'close' });
  const [refusal] = await shop.press(figures, 'Close');
  expect(textOf(refusal)).toMatch(/You cannot close days/);
  expect(await shop.store.get('setting', todayId())).toBeUndefined();
  shop.grants = allGrants();
  await Promise.all([shop.press(figures, 'Close'), shop.press(figures, 'Close')]);
  expect((await shop.store.auditOf(todayId())).map(({ what }) => what)).toEqual(['closed']);
  expect(isoDate(dayAt(shop.clock.now(), 'Africa/Accra'))).toBe(todayId().slice(7));
});
