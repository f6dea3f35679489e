import { describe, expect, it } from 'vitest';
import type { SmsOutcome } from '../../../src/core/gateway/gateway.ts';
import { cardText } from '../../support/card-text.ts';
import { allGrants } from '../../support/grants.ts';
import { ACCEPTED, openTextingShop } from '../../support/texting-shop.ts';

const kojo = { platform: 'slack', id: 'U0KOJO', name: 'kojo' };
const REFUSED: SmsOutcome = { kind: 'refused', reason: 'Unknown number.', answer: {} };
const BUSY: SmsOutcome = { kind: 'rateLimited', answer: {}, retryAfterMs: 20_000 };
const numbers = (count: number) =>
  Array.from({ length: count }, (_, at) => `0244${String(100_000 + at)}`).join(',');

/** Sends an SMS to so many people; the answers to its requests come in this order, and are yes afterwards. */
const sent = async (count: number, ...answers: readonly SmsOutcome[]) => {
  const { shop } = await openTextingShop();
  const waiting = [...answers];
  shop.gateway.onSms = () => waiting.shift() ?? ACCEPTED;
  const [question] = await shop.type(`/sms ${numbers(count)} We open at 8.`);
  await shop.press(question, 'Send');
  const report = () => shop.posted.find(({ key }) => key.includes('.sms.'));
  return { shop, report };
};

describe('the report on an SMS', () => {
  it('is one message that is edited while it goes out', async () => {
    const { shop, report } = await sent(500, ACCEPTED, ACCEPTED, BUSY);
    await shop.pass(10_000);
    const titles = () => shop.edited.map(({ title }) => title);
    expect(report()?.card.title).toMatch(/SMS "We open at 8\.": \d+ of 500 sent/);
    expect(titles()).toEqual(['SMS "We open at 8.": 100 of 500 sent']);
    await shop.pass(30_000);
    expect(titles().at(-1)).toBe('SMS "We open at 8.": 500 of 500 sent');
    expect(shop.posted.filter(({ key }) => key.includes('.sms.'))).toHaveLength(1);
  });

  it('is edited every five seconds at most', async () => {
    const { shop } = await sent(700);
    let asked = 0;
    shop.gateway.onSms = () => (asked++ % 2 === 0 ? { ...BUSY, retryAfterMs: 2_000 } : ACCEPTED);
    await shop.pass(60_000);
    // Fourteen requests, each two seconds after the one before.
    expect(shop.gateway.texted).toHaveLength(28);
    expect(shop.edited.at(-1)?.title).toContain('700 of 700');
    expect(shop.edited.length).toBeGreaterThan(3);
    expect(shop.edited.length).toBeLessThanOrEqual(28 / 5 + 1);
  });

  it('is told whole when the process died in between', async () => {
    const { shop, report } = await sent(200, ACCEPTED, BUSY);
    await shop.pass(1_000);
    shop.die();
    await shop.start();
    await shop.pass(60_000);
    const last = shop.edited.at(-1) ?? report()?.card;
    expect(last?.title).toBe('SMS "We open at 8.": 200 of 200 sent');
    expect(shop.gateway.texted).toHaveLength(5);
    expect(shop.posted.filter(({ key }) => key.includes('.sms.'))).toHaveLength(1);
  });

  it('has the details in private: who was refused, with whole numbers for the requester', async () => {
    const { shop, report } = await sent(60, ACCEPTED, REFUSED);
    await shop.pass(10_000);
    const card = shop.edited.at(-1) ?? report()?.card;
    expect(cardText(card)).toContain('50 of 60 sent | Not sent to 10 people. Unknown');
    const own = (await shop.press(card, 'Details')).map(cardText).join();
    expect(own).toMatch(/Refused\. Unknown number\. 024 410 0050, 024 410 0051/);
    const others = (await shop.press(card, 'Details', kojo)).map(cardText).join();
    expect(others).toMatch(/Refused\. Unknown number\. 024 \*\*\* 0050/);
    shop.grants = allGrants({ may: () => false });
    expect((await shop.press(card, 'Details', kojo)).map(({ title }) => title)).toEqual([
      'You cannot send SMS yet',
    ]);
    await shop.pass(25 * 3_600_000);
    expect((await shop.press(card, 'Details')).map(cardText).join()).toContain('for a day');
  });
});

describe('/sms @template', () => {
  const preview = async (words: string) => {
    const { shop, texts } = await openTextingShop();
    const [card] = await shop.type(`/sms ${words}`);
    return { shop, card, said: cardText(card), texts };
  };

  it('asks with the filled-in text and its cost, and sends it once confirmed', async () => {
    const { shop, card, said, texts } = await preview('@Ready 0244123456, 0201234567');
    expect(said).toContain('Send this SMS to 2 people?');
    expect(said).toContain('Your order is ready. Adjoa Stores');
    expect(said).toContain('Costs 2 SMS (1 for each person).');
    expect(texts()).toEqual([]);
    await shop.press(card, 'Send 2 SMS');
    await shop.pass(1_000);
    expect(texts()).toEqual(['Your order is ready. Adjoa Stores']);
  });

  it.each([
    [
      '@receipt 0244123456',
      /@receipt needs \{name\}, \{amount\}, \{reference\}\. Press the button on the payment card/,
    ],
    [
      '@nothing 0244123456',
      /There is no template "@nothing"\. Use one of @receipt, @reminder, @link, @ready\./,
    ],
    ['@ 0244123456', /There is no template/],
    ['@ready 0244123456 and more', /A template brings its own text/],
    ['@ready 77', /too short|not a|digits/i],
  ])('%s is refused with a sentence', async (words, sentence) => {
    const { shop, said, texts } = await preview(words);
    expect(said).toMatch(sentence);
    await shop.pass(1_000);
    expect(texts()).toEqual([]);
  });
});
