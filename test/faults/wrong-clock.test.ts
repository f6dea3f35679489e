import { describe, expect, it } from 'vitest';
import type { Card } from '../../src/commands/cards/card.ts';
import type { BalanceOutcome } from '../../src/core/gateway/gateway.ts';
import type { Payment } from '../../src/core/records/payment.ts';
import { allGrants } from '../support/grants.ts';
import { startPostgres } from '../support/postgres.ts';
import { embeddedPremises, postgresPremises, ShopInHand } from '../support/shop-in-hand.ts';
import { smsSettings } from '../support/sms-templates.ts';
import { statusOf } from '../support/stub-gateway.ts';

const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const FINANCE = { platform: 'slack', channel: 'C0FINANCE' };

const postgres = await startPostgres();

const holding = (sms: string): BalanceOutcome => ({ kind: 'balances', answer: {}, sms });

describe.each([
  ['the embedded store', embeddedPremises],
  ['PostgreSQL', () => postgresPremises(postgres)],
])('with %s, a wall clock that is ahead for three minutes', (_store, premises) => {
  const open = async (options: Parameters<typeof ShopInHand.open>[1] = {}) => {
    const shop = await ShopInHand.open(await premises(), options);
    /** No battery: the clock is ahead, and the network sets it right three minutes later. */
    const whileAhead = async (byMs: number, meanwhile: () => Promise<unknown> = async () => {}) => {
      shop.clock.set(byMs);
      await meanwhile();
      await shop.pass(3 * MINUTE_MS);
      shop.clock.set(-byMs);
      // Every worker looks for work by itself in this time.
      await shop.clock.advance(30 * SECOND_MS);
      await shop.quiet();
    };
    const payment = async (): Promise<Payment> => {
      const [newest] = (await shop.store.listPayments({}, { limit: 1 })).payments;
      if (newest === undefined) throw new Error('no payment');
      return newest;
    };
    const digests = (): string[] =>
      shop.posted
        .filter(({ conversation }) => conversation.channel === FINANCE.channel)
        .map(({ card }) => card.title);
    return { shop, whileAhead, payment, digests };
  };

  it.each([
    ['a month', 30 * DAY_MS],
    ['60 days', 60 * DAY_MS],
    ['six years', 6 * 365 * DAY_MS],
  ])('by %s delays no balance, no alert and no summary', { tags: ['F77'] }, async (_, byMs) => {
    const { shop, whileAhead, digests } = await open({
      alertBelow: { sms: 10 },
      digest: { places: [FINANCE], atMinutes: 18 * 60 },
    });
    shop.gateway.onBalance = () => holding('500');
    await shop.pass(26 * HOUR_MS);
    expect(digests()).toHaveLength(1);
    await whileAhead(byMs);
    const told = digests().length;
    shop.gateway.onBalance = () => holding('5');
    await shop.pass(20 * MINUTE_MS);
    expect(shop.alerts()).toEqual(['The SMS balance is low: 5']);
    await shop.pass(3 * DAY_MS);
    expect(digests().slice(told)).toHaveLength(3);
  });

  it('in the evening has the day that it named summed up when it comes', {
    tags: ['F77'],
  }, async () => {
    const { shop, whileAhead, digests } = await open({
      digest: { places: [FINANCE], atMinutes: 18 * 60 },
    });
    await shop.pass(9.5 * HOUR_MS);
    await whileAhead(3 * DAY_MS);
    expect(digests()).toHaveLength(2);
    await shop.pass(3 * DAY_MS);
    expect(digests().map((title) => title.replace('Day so far, ', ''))).toEqual([
      'Thu 15 Jan until 18:00',
      // At some moment of the three minutes: how soon depends on how fast the database answers.
      expect.stringMatching(/^Sun 18 Jan until 18:3[0-3]$/),
      'Fri 16 Jan until 18:00',
      'Sat 17 Jan until 18:00',
      'Sun 18 Jan until 18:00',
    ]);
  });

  it('gives no payment up, calls nobody, and delays no outcome', { tags: ['F78'] }, async () => {
    const { shop, whileAhead, payment } = await open();
    await shop.charge();
    await shop.pass(20 * SECOND_MS);
    await whileAhead(60 * DAY_MS);
    expect(await payment()).toMatchObject({ state: 'pending' });
    expect((await payment()).flag).toBeUndefined();
    shop.gateway.onStatus = (id) => statusOf(id, 'completed');
    await shop.pass(2 * MINUTE_MS);
    expect(await payment()).toMatchObject({ state: 'completed' });
  });

  it('still has a person called for what was sent meanwhile, and given up in its time', {
    tags: ['F78'],
  }, async () => {
    const { shop, whileAhead, payment } = await open();
    await whileAhead(60 * DAY_MS, () => shop.charge());
    expect((await payment()).flag).toBeUndefined();
    await shop.pass(2 * HOUR_MS);
    expect(await payment()).toMatchObject({ flag: 'needs a person', overdue: 'half an hour' });
    await shop.pass(26 * HOUR_MS);
    expect(await payment()).toMatchObject({ overdue: 'a day' });
    await shop.pass(50 * HOUR_MS);
    expect(await payment()).toMatchObject({ overdue: 'given up' });
  });

  it('leaves no question open for longer than a question is', { tags: ['F77'] }, async () => {
    const { shop, whileAhead } = await open();
    let question: Card | undefined;
    await whileAhead(60 * DAY_MS, async () => {
      [question] = await shop.type('/charge 0244123456 50');
    });
    await shop.pass(11 * MINUTE_MS);
    const [answer] = await shop.press(question, 'Charge');
    expect(answer?.title).toBe('Too late');
    expect(shop.gateway.sent).toEqual([]);
  });

  it('has a requester told that nobody approved in time', { tags: ['F77'] }, async () => {
    const { shop, whileAhead } = await open();
    shop.grants = allGrants({ maxCharge: { amountMinor: 1_000, currency: 'GHS' } });
    await whileAhead(60 * DAY_MS, async () => {
      const [question] = await shop.type('/charge 0244123456 50');
      await shop.press(question, 'Charge');
    });
    await shop.pass(11 * MINUTE_MS);
    expect(shop.posted.at(-1)?.card.title).toMatch(/^Too late/);
  });

  it('sends the receipts that were to wait for the morning of a day to come', {
    tags: ['F77'],
  }, async () => {
    const { shop, whileAhead, payment } = await open({ sms: smsSettings({ receipt: 'always' }) });
    shop.gateway.onStatus = (id) => statusOf(id, 'completed');
    await whileAhead(60 * DAY_MS + 12 * HOUR_MS, async () => {
      await shop.charge();
      await shop.pass(30 * SECOND_MS);
      expect((await payment()).state).toBe('completed');
      expect(shop.gateway.texted).toEqual([]);
    });
    expect(shop.gateway.texted).toHaveLength(1);
  });

  it('lets Check now be pressed again', { tags: ['F77'] }, async () => {
    const { shop, whileAhead } = await open();
    await shop.charge();
    await shop.pass(20 * SECOND_MS);
    const card = shop.edited.at(-1);
    await whileAhead(60 * DAY_MS, () => shop.press(card, 'Check now'));
    const asked = shop.gateway.checked.length;
    await shop.press(card, 'Check now');
    expect(shop.gateway.checked.length).toBeGreaterThan(asked);
  });
});
