import { describe, expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import { NO_TEXTS } from '../../../src/commands/sms/templates.ts';
import type { BalanceOutcome } from '../../../src/core/gateway/gateway.ts';
import { closedDayOf } from '../../../src/core/records/closed-day.ts';
import { dayAt, isoDate } from '../../../src/core/values/calendar-day.ts';
import { shop as place } from '../../support/a-payment.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { allGrants } from '../../support/grants.ts';
import { startPostgres } from '../../support/postgres.ts';
import { embeddedPremises, premisesOn, ShopInHand } from '../../support/shop-in-hand.ts';
import { statusOf } from '../../support/stub-gateway.ts';

const DAY_MS = 24 * 3_600_000;

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

/** What the audit trail has of a day. */
const whats = async ({ store }: ShopInHand, id: string): Promise<string[]> =>
  (await store.auditOf(id)).map(({ what }) => what);
const labels = (card: Card | undefined) => card?.buttons?.map(({ label }) => label);

describe.each(premisesOn(postgres))('with %s', (_store, premises) => {
  it('/close explains the difference, a press closes the day, and a later change is a correction', {
    tags: ['F75'],
  }, async () => {
    const { shop, holds, pays, todayId } = await open(await premises());
    await shop.pass(DAY_MS);
    await shop.charge();
    await shop.pass(60_000);
    const [before] = await shop.type('/close');
    expect(cardText(before)).toMatch(/The balance grew by what was collected/);
    expect(cardText(before)).toMatch(/Opening balance: GHS 100\.00 \(yesterday 23:\d\d\)/);
    expect(cardText(before)).toMatch(
      /Collected: GHS 0\.00 \(0 payments\)[\s\S]*1 pending · GHS 50\.00/,
    );
    holds.now = '150';
    const [figures] = await shop.type('/close today');
    expect(cardText(figures)).toMatch(/The lines below can explain the difference/);
    expect(labels(figures)).toEqual(['1', 'Close before the day is over']);
    expect(cardText(figures)).toContain(
      'The day is not over. Later sales are listed as after closing.',
    );
    // The figures that the first card shows are no longer true.
    const [again] = await shop.press(before, 'Close');
    expect(cardText(again)).toMatch(/The figures have changed/);
    const [closed] = await shop.press(figures, 'Close');
    expect(cardText(closed)).toMatch(/\(closed\)[\s\S]*closed this day today[\s\S]*no corrections/);
    expect(textOf(await shop.press(again, 'Close'))).toMatch(/\(closed\)/);
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
    expect(cardText(corrected)).toMatch(
      /Collected: GHS 0\.00[\s\S]*Collected by now: GHS 50\.00 \(1 payment\)[\s\S]*Corrections since then:[\s\S]*GHS 50\.00 was pending, is completed/,
    );
    expect((await shop.press(corrected, '1'))[0]?.title).toBe('GHS 50.00 completed');
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
    expect(await whats(shop, closedId)).toEqual(['closed', 'corrected']);
    expect(await shop.store.auditOf(todayId())).toEqual([]);
  });
});

const toMidnight = (shop: ShopInHand, minutesBefore: number) =>
  shop.pass(DAY_MS - (shop.clock.now() % DAY_MS) - minutesBefore * 60_000);

describe('the verdict', () => {
  it('is that money is missing where the difference is 0.00 and an early payment never came', {
    tags: ['T64'],
  }, async () => {
    const { shop, holds, pays } = await open(embeddedPremises());
    pays();
    await toMidnight(shop, 5);
    await shop.charge();
    await shop.pass(10 * 60_000);
    expect(textOf(await shop.type('/close'))).toMatch(
      /The balance is GHS 50\.00 too low[\s\S]*Difference: GHS 0\.00/,
    );
    holds.now = '150';
    expect(textOf(await shop.type('/close'))).toMatch(/The lines below can explain the difference/);
    holds.now = '149';
    expect(textOf(await shop.type('/close'))).toMatch(/The balance is GHS 1\.00 too low/);
  });

  it('takes a payment for its whole amount or not at all', { tags: ['T64'] }, async () => {
    const { shop, holds } = await open(embeddedPremises());
    await shop.pass(DAY_MS);
    await shop.charge('0244123456 2000');
    await shop.pass(60_000);
    holds.now = '137.5';
    expect(textOf(await shop.type('/close'))).toMatch(
      /The balance is GHS 37\.50 too high[\s\S]*1 pending · GHS 2,000\.00/,
    );
    await shop.charge('0244123457 37.5');
    await shop.pass(60_000);
    expect(textOf(await shop.type('/close'))).toMatch(/The lines below can explain the difference/);
  });

  it('tries twenty payments one by one, and of more says what they can explain at most', async () => {
    const { shop, holds } = await open(embeddedPremises());
    await shop.pass(DAY_MS);
    for (let at = 10; at < 30; at++) await shop.charge(`02441234${at} 10`);
    holds.now = '113';
    expect(textOf(await shop.type('/close'))).toMatch(
      /The balance is GHS 3\.00 too high[\s\S]*20 pending · GHS 200\.00/,
    );
    await shop.charge('0244123440 10');
    const [more] = await shop.type('/close');
    expect(cardText(more)).toMatch(/The lines below can explain up to GHS 210\.00\./);
    holds.now = '315';
    expect(textOf(await shop.type('/close'))).toMatch(/The balance is GHS 5\.00 too high/);
    holds.now = '95';
    expect(textOf(await shop.type('/close'))).toMatch(/The balance is GHS 5\.00 too low/);
  });

  it('has a payment of the day before that is still open among what can explain it', async () => {
    const { shop, holds } = await open(embeddedPremises());
    await toMidnight(shop, 30);
    await shop.charge();
    await shop.pass(45 * 60_000);
    holds.now = '150';
    const [card] = await shop.type('/close');
    expect(cardText(card)).toMatch(
      /The lines below can explain the difference[\s\S]*1 pending · GHS 50\.00/,
    );
    expect(labels(card)).toContain('1');
  });

  it('explains on both days what was paid before midnight and heard of after it', {
    tags: ['F74'],
  }, async () => {
    const { shop, holds, pays } = await open(embeddedPremises());
    await shop.pass(DAY_MS);
    await toMidnight(shop, 110);
    await shop.charge();
    await shop.pass(90 * 60_000);
    holds.now = '150';
    pays();
    await shop.pass(85 * 60_000);
    expect(textOf(await shop.type('/close'))).toMatch(
      /The lines below can explain the difference[\s\S]*1 asked the day before, completed this day · GHS 50\.00/,
    );
    expect(textOf(await shop.type('/close yesterday'))).toMatch(
      /The lines below can explain the difference[\s\S]*1 open at the end of this day, completed later · GHS 50\.00/,
    );
    // The same money is not there: it is missing on one of the two days.
    holds.now = '100';
    expect(textOf(await shop.type('/close'))).toMatch(/The balance is GHS 50\.00 too low/);
  });

  it('names what settles while the balance is asked, and blames it for nothing', {
    tags: ['F74'],
  }, async () => {
    const { shop, holds, pays } = await open(embeddedPremises());
    await shop.pass(DAY_MS);
    await shop.charge();
    await shop.pass(2_000);
    const [payment] = (await shop.store.listPayments({}, { limit: 1 })).payments;
    // Of the answer, which comes two seconds later, it is not known whether the payment is in it.
    const askedMeanwhile = async (collection: string) => {
      shop.gateway.onBalance = async () => {
        shop.clock.jump(1_000);
        pays();
        await shop.type(`/status ${payment?.id}`);
        shop.clock.jump(1_000);
        return { kind: 'balances', answer: {}, collection };
      };
      return textOf(await shop.type('/close'));
    };
    holds.now = '149';
    expect(await askedMeanwhile('149')).toMatch(
      /The balance is GHS 1\.00 too low[\s\S]*1 still open while I asked for the closing balance: uncertain · GHS 50\.00/,
    );
    expect(await askedMeanwhile('150')).toMatch(/The balance grew by what was collected/);
  });
});

it('sales after a day was closed are listed as after closing, and are no corrections', {
  tags: ['F75'],
}, async () => {
  const { shop, pays, todayId } = await open(embeddedPremises());
  await shop.charge();
  await shop.pass(60_000);
  await shop.press((await shop.type('/close'))[0], 'Close');
  pays();
  await shop.pass(60_000);
  await shop.charge('0244123457 20');
  shop.gateway.onStatus = (id) =>
    statusOf(id, 'completed', {
      amount: id === shop.gateway.sent.at(-1)?.transactionId ? '20.00' : '50.00',
    });
  await shop.pass(60_000);
  expect(shop.outcomes()).toEqual(['completed', 'completed']);
  expect(await whats(shop, todayId())).toEqual(['closed', 'corrected']);
  const [card] = await shop.type('/close');
  expect(cardText(card)).toMatch(
    /Collected by now: GHS 70\.00 \(2 payments\)[\s\S]*After closing: GHS 20\.00 \(1 payment\)[\s\S]*Corrections since then/,
  );
  expect(cardText(card)).not.toMatch(/GHS 20\.00 was/);
});

it('a change of a payment that was open at the end of several closed days corrects each of them', async () => {
  const { shop, pays } = await open(embeddedPremises());
  await shop.charge();
  await shop.pass(DAY_MS);
  await shop.pass(DAY_MS);
  const today = dayAt(shop.clock.now(), 'Africa/Accra');
  const ids = [today - 2, today - 1].map((day) => closedDayOf({ day }).id);
  for (const id of ids)
    await shop.press((await shop.type(`/close ${id.slice('closed.'.length)}`))[0], 'Close');
  pays();
  await shop.pass(2 * 3_600_000);
  for (const id of ids) expect(await whats(shop, id)).toEqual(['closed', 'corrected']);
});

it('a balance that nothing explains is named, and one that is missing is not compared', async () => {
  const { shop, holds } = await open(embeddedPremises());
  const [none] = await shop.type('/close');
  expect(cardText(none)).toMatch(
    /no balance from before today\. I can compare from tomorrow\.[\s\S]*Opening balance: not available/,
  );
  await shop.pass(DAY_MS);
  holds.now = '93.5';
  const [low] = await shop.type('/close');
  expect(cardText(low)).toMatch(/The balance is GHS 6\.50 too low[\s\S]*Difference: GHS -6\.50/);
  holds.now = '101';
  expect(textOf(await shop.type('/close'))).toMatch(/The balance is GHS 1\.00 too high/);
  expect(textOf(await shop.type('/close yesterday'))).not.toMatch(/The day is not over/);
});

it('what came before and after the balances, several in doubt and unknown callbacks have a line each', async () => {
  const { shop, pays } = await open(embeddedPremises());
  pays();
  await toMidnight(shop, 5);
  await shop.charge();
  await shop.pass(10 * 60_000);
  const [early] = await shop.type('/close');
  expect(cardText(early)).toMatch(/GHS 50\.00 was paid after the opening balance, the day before/);
  const [late] = await shop.type('/close yesterday');
  expect(cardText(late)).toMatch(/GHS 50\.00 was paid after the closing balance/);
  shop.gateway.onStatus = (id) => statusOf(id, 'pending');
  for (let at = 0; at < 10; at++) await shop.charge(`02441234${at + 10} 5`);
  await shop.engine.callbacks.receive('01JD2M4X9QK7T3VB', '{}', 'application/json');
  const [many] = await shop.type('/close');
  expect(cardText(many)).toMatch(
    /10 pending · GHS 50\.00[\s\S]*1 payment that the payment service reported is missing here/,
  );
  expect(cardText(many)).toMatch(/2 more\. \/payments lists them/);
  expect(many?.buttons).toHaveLength(9);
});

it.each(['last week', 'mondey', '2026-02-31', '1-15 Nov', 'tomorrow'])(
  '/close %s closes nothing, and has days as buttons',
  async (words) => {
    const { shop } = await open(embeddedPremises());
    await shop.pass(DAY_MS);
    const [card] = await shop.type(`/close ${words}`);
    expect(card?.title).toBe('Please check');
    expect(labels(card)).toEqual(['Today', 'Yesterday', 'Correct it']);
    expect((await shop.press(card, 'Yesterday'))[0]?.title).toBe("Day's end: 15 Jan 2026");
  },
);

it('/close Monday is the day of the newest Monday', async () => {
  const { shop } = await open(embeddedPremises());
  await shop.pass(DAY_MS);
  expect((await shop.type('/close Monday'))[0]?.title).toBe("Day's end: 12 Jan 2026");
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
  expect(cardText(osu)).toMatch(/of osu[\s\S]*1 pending/);
  expect(cardText(tema)).toMatch(/of tema/);
  expect(cardText(tema)).not.toMatch(/pending/);
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
  const of = (merchant: string) => whats(shop, closedDayOf({ day, merchant }).id);
  expect(await of('osu')).toEqual(['closed', 'corrected']);
  expect(await of('tema')).toEqual([]);
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
  expect(cardText(await pressed(''))).toMatch(/The figures have changed/);
  shop.grants = allGrants({ may: (command) => command !== 'close' });
  expect(textOf(await shop.press(figures, 'Close'))).toMatch(/You cannot close days/);
  expect(await shop.store.get('setting', todayId())).toBeUndefined();
  shop.grants = allGrants();
  await Promise.all([shop.press(figures, 'Close'), shop.press(figures, 'Close')]);
  expect(await whats(shop, todayId())).toEqual(['closed']);
  expect(isoDate(dayAt(shop.clock.now(), 'Africa/Accra'))).toBe(todayId().slice(7));
});
