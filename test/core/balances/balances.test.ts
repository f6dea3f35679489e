import { describe, expect, it } from 'vitest';
import { NO_TEXTS } from '../../../src/commands/sms/templates.ts';
import type { BalanceOutcome } from '../../../src/core/gateway/gateway.ts';
import { cardText, textOf } from '../../support/card-text.ts';
import { startPostgres } from '../../support/postgres.ts';
import { embeddedPremises, premisesOn, ShopInHand } from '../../support/shop-in-hand.ts';

const QUARTER_MS = 15 * 60_000;
const DAY_MS = 24 * 3_600_000;

const postgres = await startPostgres();

const holding = (sms: string, payout = '900', collection = '10.5'): BalanceOutcome => ({
  kind: 'balances',
  answer: {},
  sms,
  payout,
  collection,
});

const LIMITS = { sms: 100, payout: { amountMinor: 50_000, currency: 'GHS' } };

describe.each(premisesOn(postgres))('with %s', (_store, premises) => {
  const open = async () => {
    const shop = await ShopInHand.open(await premises(), { alertBelow: LIMITS });
    const asked: number[] = [];
    const says: { now: BalanceOutcome } = { now: holding('996') };
    shop.gateway.onBalance = () => {
      asked.push(shop.clock.now());
      return says.now;
    };
    return { shop, asked, says };
  };

  it('the balances are asked at the start and every 15 minutes, also when no answer came', async () => {
    const { shop, asked, says } = await open();
    await shop.quiet();
    const startMs = shop.clock.now();
    says.now = { kind: 'noAnswer', answer: {}, reason: 'too busy' };
    await shop.pass(4 * QUARTER_MS + 1_000);
    const delays = asked.map((ms) => ms - startMs).filter((ms) => ms > 0);
    expect(delays.length).toBeGreaterThanOrEqual(3);
    expect(delays.length).toBeLessThanOrEqual(5);
    await shop.stop();
    asked.length = 0;
    await shop.start();
    await shop.pass(1_000);
    expect(asked).toHaveLength(1);
  });

  it('the operators are told once of a balance that is low, over restarts, and once that it has recovered', async () => {
    const { shop, says } = await open();
    await shop.pass(1_000);
    expect(shop.alerts()).toEqual([]);
    says.now = holding('99', '499.99');
    await shop.pass(2 * QUARTER_MS);
    const told = ['The SMS balance is low: 99', 'The payout balance is low: GHS 499.99'];
    expect(shop.alerts().sort()).toEqual(told.toSorted());
    await shop.stop();
    await shop.start();
    says.now = holding('98', '1');
    await shop.pass(2 * QUARTER_MS);
    expect(shop.alerts()).toHaveLength(2);
    says.now = holding('', 'unclear');
    await shop.pass(2 * QUARTER_MS);
    expect(shop.alerts()).toHaveLength(2);
    says.now = holding('105', '0');
    await shop.pass(2 * QUARTER_MS);
    expect(shop.alerts().slice(2)).toEqual(['The SMS balance has recovered: 105']);
    says.now = holding('7', '0');
    await shop.pass(2 * QUARTER_MS);
    expect(shop.alerts().slice(3)).toEqual(['The SMS balance is low: 7']);
  });

  it.each([
    ['99', '104', '499.99', '524.99'],
    ['99.9', '104.9', '499.99', '500.00'],
  ])(
    'balances that hover between %s and %s, and %s and %s, are told as low once',
    async (...at) => {
      const { shop, says } = await open();
      const [lowSms = '', sms = '', lowPayout = '', payout = ''] = at;
      for (let quarter = 0; quarter < 48; quarter++) {
        says.now = quarter % 2 === 0 ? holding(lowSms, lowPayout) : holding(sms, payout);
        await shop.pass(QUARTER_MS);
      }
      expect(shop.alerts()).toHaveLength(2);
      says.now = holding('105', '525.00');
      await shop.pass(QUARTER_MS);
      expect(shop.alerts().slice(2).sort()).toEqual([
        'The SMS balance has recovered: 105',
        'The payout balance has recovered: GHS 525.00',
      ]);
    },
  );

  it('/balance says when it was asked and has the end of yesterday beside it', async () => {
    const { shop, says } = await open();
    await shop.pass(1_000);
    says.now = holding('990', '850', '20');
    await shop.pass(DAY_MS);
    says.now = holding('980', '700.5');
    const [card] = await shop.type('/balance');
    const text = cardText(card);
    expect(text).toMatch(/SMS: 980 \(yesterday 990\)/);
    expect(text).toMatch(/Payout: GHS 700\.50 \(yesterday GHS 850\.00\)/);
    expect(text).toMatch(/As of \d\d:\d\d\. Yesterday at 23:\d\d\./);
    says.now = { kind: 'noAnswer', answer: {}, reason: 'too busy' };
    const [without] = await shop.type('/balance');
    expect(without?.title).toBe('The balances are not available');
    expect(cardText(without)).toMatch(/SMS: 980[\s\S]*As of \d\d/);
  });

  it('what the payment service leaves out is shown as not available', async () => {
    const { shop, says } = await open();
    says.now = { kind: 'balances', answer: {} };
    const [card] = await shop.type('/balance');
    expect(cardText(card)).toMatch(/SMS: not available[\s\S]*Collection: not available/);
  });
});

it('an earlier answer that comes late does not replace a later one', async () => {
  const shop = await ShopInHand.open(embeddedPremises());
  await shop.pass(1_000);
  const late = Promise.withResolvers<BalanceOutcome>();
  const asked = Promise.withResolvers<void>();
  shop.gateway.onBalance = () => {
    asked.resolve();
    return late.promise;
  };
  const first = shop.type('/balance');
  await asked.promise;
  shop.clock.jump(1_000);
  shop.gateway.onBalance = () => holding('5');
  await shop.type('/balance');
  late.resolve(holding('4'));
  expect(textOf(await first)).toMatch(/SMS: 5/);
});

it('two answers at the same moment are both kept, one after the other', async () => {
  const shop = await ShopInHand.open(embeddedPremises());
  shop.gateway.onBalance = () => holding('5');
  const cards = await Promise.all([shop.type('/balance'), shop.type('/balance')]);
  for (const [card] of cards) expect(cardText(card)).toMatch(/SMS: 5/);
});

it.each([
  [49, 0],
  [50, 1],
])('an SMS to %i people has the balances asked at once %i times', async (people, times) => {
  const shop = await ShopInHand.open(embeddedPremises(), {
    sms: { senderIds: ['SHOP'], texts: NO_TEXTS, merchants: [] },
  });
  shop.gateway.onSms = () => ({ kind: 'sent', messageId: 'm', status: 'sent', answer: {} });
  await shop.pass(1_000);
  let asked = 0;
  const numbers = Array.from({ length: people }, (_, index) => `02441234${10 + index}`);
  const [preview] = await shop.type(`/sms ${numbers.join(',')} Hello`);
  shop.gateway.onBalance = () => {
    asked += 1;
    return holding('5');
  };
  await shop.press(preview, 'Send');
  await shop.pass(5_000);
  expect(shop.gateway.texted).toHaveLength(1);
  expect(asked).toBe(times);
});
