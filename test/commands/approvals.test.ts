import { beforeEach, describe, expect, it } from 'vitest';
import type { Grants } from '../../src/commands/access.ts';
import type { Card } from '../../src/commands/card.ts';
import { paymentCard } from '../../src/commands/payment-card.ts';
import type { Person } from '../../src/core/conversation.ts';
import type { Store } from '../../src/core/store/store.ts';
import { ama, shop } from '../support/a-payment.ts';
import { cardText } from '../support/card-text.ts';
import { type Desk, openDesk } from '../support/desk.ts';
import { allGrants } from '../support/grants.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openStore } from '../support/open-store.ts';

const finance = { platform: 'slack', channel: 'C0FINANCE' };
const kojo = { platform: 'slack', id: 'U0KOJO', name: 'Kojo' };
const efua = { platform: 'slack', id: 'U0EFUA', name: 'Efua' };
const ghs = (cedis: number) => ({ amountMinor: cedis * 100, currency: 'GHS' });

let clock: ManualClock;
let store: Store;
let desk: Desk;
let sales: Partial<Grants>;

beforeEach(async () => {
  clock = new ManualClock();
  store = await openStore(clock);
  sales = { maxCharge: ghs(100), approve: false, approvalsIn: finance.channel };
  // Efua may approve, and so may Ama, but not what she asked for herself.
  desk = openDesk(store, clock, ({ id }) =>
    allGrants(
      id === kojo.id ? { approve: false } : id === ama.id ? { ...sales, approve: true } : {},
    ),
  );
});

const confirmed = async () => (await store.listPayments({}, { limit: 10 })).payments;
const ask = async (person: Person, words = '0244123456 500'): Promise<Card | undefined> =>
  (await desk.type(person, 'charge', words))[0];
const told = (cards: readonly Card[]): string => cards.map(cardText).join('\n');

/** What the approvers are shown. */
const asked = async (person = ama, words?: string): Promise<Card> => {
  const before = desk.posted.length;
  await desk.press(person, await ask(person, words), 'Charge');
  await desk.engine.start();
  await expect.poll(() => desk.posted.length).toBe(before + 1);
  await desk.engine.stop();
  const card = desk.posted[before]?.card;
  if (card === undefined) throw new Error('nobody was asked');
  return card;
};

describe('a charge above the limit of who asks for it', () => {
  it('is asked about where the role has its approvals, with what would be sent and the number masked', async () => {
    const [answer] = await desk.press(ama, await ask(ama), 'Charge');
    expect(answer && cardText(answer)).toMatch(/been asked where approvals are given/);
    await desk.engine.start();
    await expect.poll(() => desk.posted.length).toBe(1);
    await desk.engine.stop();
    const [question] = desk.posted;
    expect(question?.conversation).toMatchObject(finance);
    expect(question && cardText(question.card)).toMatch(
      /^ama asks to charge GHS 500\.00 .*Number: (?!024 412)[^,]*456, Paid by: MTN MoMo, Amount: GHS 500\.00/,
    );
    expect(await confirmed()).toEqual([]);
  });

  it('is asked about in the same conversation when the role names none', async () => {
    sales = { maxCharge: ghs(100) };
    await asked();
    expect(desk.posted[0]?.conversation).toEqual(shop);
  });

  it('is charged after one approval; the card names who asked, who approved, and when', async () => {
    const question = await asked();
    clock.jump(60_000);
    expect(told(await desk.press(efua, question, 'Approve', finance))).toMatch(
      /^(Confirmed|Approved)/,
    );
    const [payment] = await confirmed();
    if (payment === undefined) throw new Error('nothing was charged');
    expect(payment.conversation).toEqual(shop);
    expect(cardText(paymentCard(payment, 'UTC'))).toMatch(
      /Asked by: ama, Asked at: (.*), Approved by: Efua, Approved at: (?!\1)/,
    );
  });

  it.each([
    ['the requester, who may approve what others ask for', ama, /^Somebody else has to approve it/],
    ['somebody who may not approve', kojo, /^You cannot approve charges yet/],
    ['the same person on another platform', { ...ama, platform: 'telegram' }, /too old/],
  ])('is not approved by %s', async (_, presser, answer) => {
    const question = await asked();
    expect(told(await desk.press(presser, question, 'Approve', finance))).toMatch(answer);
    expect(told(await desk.press(presser, question, 'Refuse', finance))).toMatch(answer);
    expect(await confirmed()).toEqual([]);
    expect(told(await desk.press(efua, question, 'Approve', finance))).toMatch(
      /^(Confirmed|Approved)/,
    );
  });

  it('is decided once: of two at one moment the first counts, and the other is told', async () => {
    const question = await asked();
    const answers = await Promise.all([
      desk.press(efua, question, 'Approve', finance),
      desk.press({ ...efua, id: 'U0ABA', name: 'Aba' }, question, 'Refuse', finance),
    ]);
    expect(told(answers.flat())).toMatch(
      /Approved:[\s\S]*Already confirmed|Not approved[\s\S]*Already cancelled|Already cancelled[\s\S]*Not approved/,
    );
    expect((await confirmed()).length).toBeLessThanOrEqual(1);
  });

  it('expires with the confirmation', async () => {
    const question = await asked();
    clock.jump(600_000);
    expect(told(await desk.press(efua, question, 'Approve', finance))).toMatch(/^This has expired/);
    expect(await confirmed()).toEqual([]);
  });

  it('needs a new approval when something new came up since it was shown', async () => {
    const question = await asked();
    await desk.press(efua, await ask(efua), 'Charge');
    const [again] = await desk.press(efua, question, 'Approve', finance);
    expect(again && cardText(again)).toMatch(/asked this number for the same amount/);
    expect(await confirmed()).toHaveLength(1);
    expect(told(await desk.press(efua, question, 'Approve', finance))).toMatch(/asks to charge/);
    expect(await confirmed()).toHaveLength(1);
    expect(told(await desk.press(efua, again, 'Approve', finance))).toMatch(
      /^(Confirmed|Approved)/,
    );
  });

  it('still counts against the day of who asked for it', async () => {
    sales = { ...sales, dailyLimit: ghs(600) };
    const first = await asked();
    const second = await asked(ama, '0201234567 500');
    await desk.press(efua, first, 'Approve', finance);
    expect(told(await desk.press(efua, second, 'Approve', finance))).toContain(
      'The daily limit is GHS 600.00, and GHS 500.00 is used today.',
    );
    expect(await confirmed()).toHaveLength(1);
  });
});
