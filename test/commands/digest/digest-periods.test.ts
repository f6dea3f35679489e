import { describe, expect, it } from 'vitest';
import type { ToldRules } from '../../../src/core/records/notify-rules.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { startPostgres } from '../../support/postgres.ts';
import {
  embeddedPremises,
  type Premises,
  postgresPremises,
  ShopInHand,
} from '../../support/shop-in-hand.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FINANCE = { platform: 'slack', channel: 'C0FINANCE' };
const OSU = { platform: 'slack', channel: 'C0OSU' };
const BRANCHES: ToldRules = {
  notify: [],
  branches: [{ name: 'Osu', conversations: ['slack:C0OSU'], members: [] }],
};

const postgres = await startPostgres();
let ids = 0;

const open = (premises: Premises, places = [FINANCE]): Promise<ShopInHand> =>
  ShopInHand.open(premises, { digest: { places, atMinutes: 18 * 60 }, told: BRANCHES });

/** One that was confirmed so many days after the program's first day, a Thursday, at its time of day. */
const put = async (shop: ShopInHand, days: number, changes: Partial<Payment> = {}) => {
  const confirmedAtMs = Date.parse('2026-01-15T10:00:00Z') + days * DAY_MS;
  const ended = { confirmedAtMs, settledAtMs: confirmedAtMs };
  const { due: _, ...payment } = aPayment({ state: 'completed', ...ended, ...changes });
  const record = { ...payment, id: `P${ids++}` };
  expect(await shop.store.commit({ put: [{ kind: 'payment', record }] })).toBe(true);
};

/** Digests in words, and pictures as `picture`, in the order in which they were posted. */
const told = (shop: ShopInHand, channel = FINANCE.channel): string[] =>
  shop.posted
    .filter(({ conversation, key }) => conversation.channel === channel && key.startsWith('digest'))
    .map(({ card }) =>
      card.picture === undefined ? cardText(card) : `picture: ${card.picture.altText}`,
    );

/** From Thursday on, past 18:00 of the day that is so many days later. */
const until = (shop: ShopInHand, days: number): Promise<void> =>
  shop.pass(Date.parse('2026-01-15T18:10:00Z') + days * DAY_MS - shop.clock.now());

describe.each([
  ['the embedded store', embeddedPremises],
  ['PostgreSQL', () => postgresPremises(postgres)],
])('with %s', (_store, premises) => {
  it('a Monday tells the week that is over, beside the one before, and its picture after the words', async () => {
    const shop = await open(await premises(), [FINANCE, OSU]);
    await put(shop, 0);
    await put(shop, 1, { conversation: OSU });
    await put(shop, 2, { state: 'failed' });
    await put(shop, -7);
    await until(shop, 3);
    expect(told(shop).join()).not.toMatch(/Last week|picture/);
    await put(shop, 4);
    await until(shop, 4);
    const [words = '', picture = '', ...more] = told(shop).slice(4);
    expect(words).toContain('Last week, 12 to 18 Jan: 2 completed · GHS 100.00 · 1 failed');
    expect(words).toContain('The week before: 1 completed · GHS 50.00 · now 100 % more');
    expect(words).not.toContain('Last month');
    expect(picture).toBe('picture: Report, last week, 12 to 18 Jan 2026: GHS 100.00');
    expect(more).toEqual([]);
    const [ofBranch = '', itsPicture = ''] = told(shop, OSU.channel).slice(4);
    expect(ofBranch).toContain('Last week, 12 to 18 Jan: 1 completed · GHS 50.00 · 0 failed');
    expect(itsPicture).toBe('picture: Report, last week, 12 to 18 Jan 2026, Osu: GHS 50.00');
    await until(shop, 5);
    expect(told(shop).slice(6).join()).not.toMatch(/Last week|picture/);
  });

  it('a week says what was given back, and the net, in its words and in those of its picture', async () => {
    const shop = await open(await premises());
    const one = { id: 'g1', by: ama, atMs: 0 };
    await put(shop, 0, { givenBack: [{ ...one, amountMinor: 5_000 }] });
    await until(shop, 4);
    const [words, picture] = told(shop).slice(-2);
    const net = 'GHS 50.00 · GHS 50.00 given back · net GHS 0.00';
    expect(words).toContain(`Last week, 12 to 18 Jan: 1 completed · ${net} · 0 failed`);
    expect(picture).toBe(`picture: Report, last week, 12 to 18 Jan 2026: ${net}`);
  });

  it('the 1st tells the month, without a picture when nothing was collected', async () => {
    const shop = await open(await premises());
    await put(shop, 0, { state: 'failed' });
    await shop.stop();
    shop.clock.jump(15 * DAY_MS);
    await shop.start();
    await until(shop, 16);
    const before = told(shop).length;
    await until(shop, 17);
    const [words = '', ...more] = told(shop).slice(before);
    expect(words).toContain('Last month, 1 to 31 Jan: 0 completed · GHS 0.00 · 1 failed');
    expect(words).toContain('The month before: 0 completed · GHS 0.00');
    expect(words).not.toContain('Last week');
    expect(more).toEqual([]);
  });

  it('a Monday that was missed has its week told on the next day, once', {
    tags: ['F62'],
  }, async () => {
    const shop = await open(await premises());
    await put(shop, 0);
    await until(shop, 3);
    await shop.stop();
    shop.clock.jump(47 * HOUR_MS);
    await shop.start();
    await until(shop, 5);
    expect(told(shop).slice(-2)).toEqual([
      expect.stringContaining('Last week, 12 to 18 Jan: 1 completed · GHS 50.00'),
      expect.stringContaining('picture: '),
    ]);
    const sofar = told(shop).length;
    await until(shop, 6);
    expect(told(shop).slice(sofar).join()).not.toContain('Last week');
  });
});
