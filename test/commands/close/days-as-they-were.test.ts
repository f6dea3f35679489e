import { expect, it } from 'vitest';
import type { Card } from '../../../src/commands/cards/card.ts';
import { NO_TEXTS } from '../../../src/commands/sms/templates.ts';
import { closedDayOf } from '../../../src/core/records/closed-day.ts';
import { dayAt } from '../../../src/core/values/calendar-day.ts';
import { shop as place } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { embeddedPremises, ShopInHand } from '../../support/shop-in-hand.ts';
import { statusOf } from '../../support/stub-gateway.ts';

const DAY_MS = 24 * 3_600_000;
const merchant = (name: string, channel: string) => ({
  ...{ name, nickname: `Adwoa Stores ${name}`, senderIds: [] },
  conversations: [`${place.platform}:${channel}`],
});
const osu = merchant('osu', place.channel);
const tema = merchant('tema', 'C0TEMA');

/** A shop that sells GHS 50 in each of two days, and becomes others in the night between them. */
const openOver = async (before: readonly object[], after: readonly object[]) => {
  const sms = (merchants: readonly object[]) =>
    ({ senderIds: [], texts: { ...NO_TEXTS, shop: 'Adwoa Stores' }, merchants }) as never;
  const shop = await ShopInHand.open(embeddedPremises(), { sms: sms(before) });
  shop.gateway.onStatus = (id) => statusOf(id, 'completed');
  shop.gateway.onBalance = () => ({ kind: 'balances', answer: {}, collection: '100' });
  await shop.charge();
  await shop.pass(DAY_MS);
  await shop.stop();
  shop.sms = sms(after);
  await shop.start();
  return shop;
};
const titles = (cards: readonly Card[]) => cards.map(({ title }) => title.replace(/:.*$/, ''));

it('a day from before there were several merchants is shown and closed as it was', {
  tags: ['F75'],
}, async () => {
  const shop = await openOver([], [osu, tema]);
  await shop.charge();
  await shop.pass(60_000);
  const cards = await shop.type('/close yesterday');
  expect(titles(cards)).toEqual(["Day's end"]);
  expect(cardText(cards[0])).toMatch(
    /Collected: GHS 50\.00 \(1 payment\)[\s\S]*Closing balance: GHS 100\.00/,
  );
  expect((await shop.press(cards[0], 'Close'))[0]?.title).toMatch(/^Day's end: .* \(closed\)$/);
  // The old account had a balance in the morning of today.
  expect(titles(await shop.type('/close'))).toEqual(["Day's end", "Day's end of osu"]);
  shop.where = { ...place, channel: 'C0OFFICE' };
  expect(titles(await shop.type('/close yesterday'))).toEqual(["Day's end"]);
  const [none, ...ours] = await shop.type('/close');
  expect(cardText(none)).toMatch(/^Day's end: [\s\S]*Collected: GHS 0\.00/);
  expect(titles(ours)).toEqual(["Day's end of osu", "Day's end of tema"]);
  expect(cardText(ours[0])).toMatch(/Collected: GHS 50\.00 \(1 payment\)/);
});

it('on the day on which the merchants came, what belongs to none has an end of its own', async () => {
  const shop = await openOver([], [osu, tema]);
  await shop.stop();
  shop.sms = { senderIds: [], texts: NO_TEXTS } as never;
  await shop.start();
  await shop.charge('0244123457 50');
  await shop.pass(60_000);
  await shop.stop();
  shop.sms = { senderIds: [], texts: NO_TEXTS, merchants: [osu, tema] } as never;
  await shop.start();
  await shop.charge('0244123458 50');
  await shop.pass(60_000);
  const [none, ofOsu] = await shop.type('/close');
  expect(none?.title).toMatch(/^Day's end: /);
  expect(cardText(none)).toMatch(/Collected: GHS 50\.00 \(1 payment\)/);
  expect(ofOsu?.title).toMatch(/^Day's end of osu: /);
  expect(cardText(ofOsu)).toMatch(/Collected: GHS 50\.00 \(1 payment\)/);
});

it('a merchant that is gone from the file keeps its days, and one without a day shows an empty one', async () => {
  const shop = await openOver([osu], [tema]);
  shop.where = { ...place, channel: 'C0OFFICE' };
  expect(titles(await shop.type('/close yesterday'))).toEqual(["Day's end of osu"]);
  shop.where = { ...place, channel: 'C0TEMA' };
  const [card, ...others] = await shop.type('/close yesterday');
  expect(others).toEqual([]);
  expect(card?.title).toMatch(/^Day's end of tema: /);
  expect(cardText(card)).toMatch(/Collected: GHS 0\.00/);
});

it('with one merchant again, a day of several is not added up into one', async () => {
  const shop = await openOver([osu], []);
  expect(titles(await shop.type('/close yesterday'))).toEqual(["Day's end of osu"]);
  await shop.charge('0244123457 50');
  await shop.pass(60_000);
  const day = dayAt(shop.clock.now(), 'Africa/Accra');
  const [today] = await shop.type('/close');
  await shop.press(today, 'Close');
  expect(await shop.store.get('setting', closedDayOf({ day }).id)).toBeDefined();
  expect(cardText(today)).toMatch(/Collected: GHS 50\.00 \(1 payment\)/);
});
