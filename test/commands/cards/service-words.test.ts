import { beforeEach, describe, expect, it } from 'vitest';
import { paymentCard } from '../../../src/commands/cards/payment-card.ts';
import { nameFor } from '../../../src/commands/cards/visibility.ts';
import type { NoAnswer, StatusOutcome } from '../../../src/core/gateway/gateway.ts';
import { ama, aPayment } from '../../support/a-payment.ts';
import { cardText } from '../../support/card-text.ts';
import { type Desk, openDesk } from '../../support/desk.ts';
import { allGrants } from '../../support/grants.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';

const NUMBER = '0244123456';
let desk: Desk;
let isAdmin: boolean;

beforeEach(async () => {
  isAdmin = false;
  const clock = new ManualClock();
  desk = openDesk(await openStore(), clock, () => allGrants({ admin: isAdmin }));
});

const typed = async (command: string, words: string): Promise<string> =>
  (await desk.type(ama, command, words)).map(cardText).join('\n');

describe('what the payment service writes', () => {
  const status = (changes: Partial<Extract<StatusOutcome, { kind: 'status' }>>): StatusOutcome => ({
    kind: 'status',
    status: 'unrecognised',
    word: 'pending',
    answer: { code: '000' },
    ...changes,
  });

  it.each<[string, StatusOutcome]>([
    ['status', status({ word: `paid by ${NUMBER}` })],
    ['amount', status({ amount: `50 from ${NUMBER}` })],
    ['date', status({ paymentDate: `today, +233 24 412 3456` })],
    ['reason', { kind: 'noAnswer', answer: { message: NUMBER }, reason: 'No answer came.' }],
  ])('about an id that is not ours shows no number in full: %s', async (_where, outcome) => {
    desk.gateway.onStatus = () => outcome;
    const shown = await typed('status', 'FOREIGN-77');
    expect(shown).toMatch(/^(Paythread did not start this payment|I have no payment with this id)/);
    expect(shown).toContain('•••••3456');
    expect(shown.replace(/[ .-]/g, '')).not.toMatch(/0?244123456/);
  });

  it('about an id that nobody knows says so once, without its code', async () => {
    desk.gateway.onStatus = () => ({
      kind: 'noStatus',
      answer: { code: '067', message: 'Transaction not found' },
    });
    expect(await typed('status', 'FOREIGN-77')).toBe(
      'I have no payment with this id | The payment service does not know it either. Check the id. | Transaction: FOREIGN-77',
    );
  });

  it('is no number in full where the id itself is one', async () => {
    desk.gateway.onStatus = () => ({ kind: 'noStatus', answer: {} });
    expect(await typed('status', NUMBER)).not.toContain(NUMBER);
  });

  it('is no number in full where a name should be, for others who read it', () => {
    expect(nameFor('others too', NUMBER)).not.toContain('244123456');
    expect(nameFor('others too', `Wallet ${NUMBER}`)).not.toContain('244123456');
  });
});

describe('an answer that is no help', () => {
  const CODED: Extract<NoAnswer, { kind: 'refused' }> = {
    kind: 'refused',
    answer: { code: '033', message: 'Wrong wallet' },
    reason: 'The payment service refused: "Wrong wallet" (code 033).',
  };
  const FORBIDDEN: NoAnswer = {
    ...CODED,
    answer: { code: '403', message: 'Forbidden' },
    reason:
      'The payment service does not allow this to our account. The owner has to check what the account may do.',
  };
  const said = async (outcome: NoAnswer): Promise<string[]> => {
    Object.assign(desk.gateway, { lookUpAccount: async () => outcome });
    desk.gateway.onStatus = () => outcome;
    desk.gateway.onBalance = () => outcome;
    return [
      await typed('lookup', NUMBER),
      await typed('charge', `${NUMBER} 50`),
      await typed('status', 'FOREIGN-77'),
      await typed('balance', ''),
    ];
  };

  it('names no settings of the owner’s to people who sell', async () => {
    for (const text of await said(FORBIDDEN)) {
      expect(text).toContain('Payments are down now. Ask the owner.');
      expect(text).not.toMatch(/our account|The owner has to|Forbidden/);
    }
  });

  it('tells an administrator in the balances what to put right', async () => {
    isAdmin = true;
    desk.gateway.onBalance = () => FORBIDDEN;
    expect(await typed('balance', '')).toContain('The owner has to check what the account may do');
  });

  it('shows them no codes', async () => {
    for (const text of await said(CODED)) {
      expect(text).toContain('The payment service refused: "Wrong wallet".');
      expect(text).not.toContain('033');
    }
    for (const text of await said({
      kind: 'noAnswer',
      answer: { code: '064' },
      reason: 'The payment service gave no clear answer (HTTP 500) (code 064).',
    })) {
      expect(text).toContain('The payment service gave no clear answer.');
      expect(text).not.toMatch(/500|064/);
    }
  });

  it('about a wallet that is not there shows no code either', async () => {
    const answer = { code: '045', message: 'No such wallet' };
    Object.assign(desk.gateway, { lookUpAccount: async () => ({ kind: 'notFound', answer }) });
    for (const text of [await typed('lookup', NUMBER), await typed('charge', `${NUMBER} 50`)]) {
      expect(text).toContain('The payment service says: "No such wallet".');
      expect(text).not.toContain('045');
    }
  });

  it('of a charge is said in their words, on its card', () => {
    const cardOf = (answer: object, reason: string) =>
      cardText(paymentCard(aPayment({ state: 'refused', answer, reason }), 'Africa/Accra'));
    expect(cardOf(FORBIDDEN.answer, FORBIDDEN.reason)).toContain(
      'Nothing was charged. Payments are down now. Ask the owner.',
    );
    expect(cardOf({ code: '100' }, 'The payment service refused: code 100.')).toContain(
      'Nothing was charged. The payment service refused this charge.',
    );
  });
});

it('Details have the code for everyone, and what the owner has to do for administrators', async () => {
  const forbidden =
    'The payment service does not allow this to our account. The owner has to check it.';
  const refused = 'The payment service refused: "Wrong wallet" (code 033).';
  const detailsOf = async (admin: boolean, reason: string): Promise<string> => {
    const store = await openStore();
    const own = openDesk(store, new ManualClock(), () => allGrants({ admin }));
    const { due: _, ...record } = aPayment({ state: 'refused', reason });
    await store.commit({ put: [{ kind: 'payment', record }] });
    const [details] = await own.press(ama, paymentCard(record, 'Africa/Accra'), 'Details');
    return cardText(details);
  };
  expect(await detailsOf(false, refused)).toContain(refused);
  expect(await detailsOf(true, forbidden)).toContain(forbidden);
  expect(await detailsOf(false, forbidden)).toContain(
    'Nothing was charged. Payments are down now. Ask the owner.',
  );
});

describe('the question before a charge', () => {
  const LARGE = 'This is more than a wallet can pay in a day: GHS 25,000.00.';

  it.each([
    [`${NUMBER} 25000.01`, LARGE],
    [`${NUMBER} 25000.01 checkout`, `${LARGE} Only a card can pay it.`],
    [
      `${NUMBER} 25000.01 visa card`,
      'This is more than GHS 25,000.00. Check the amount with the customer.',
    ],
    [`${NUMBER} 50 USD`, 'Wallets in Ghana pay in GHS only. This asks for USD.'],
    [`${NUMBER} 50 EUR checkout`, 'Wallets in Ghana pay in GHS only. This asks for EUR.'],
  ])('warns of an amount that the customer can hardly pay: %s', async (words, warning) => {
    expect(await typed('charge', words)).toContain(warning);
  });

  it.each([`${NUMBER} 25000`, `${NUMBER} 50 USD visa card`])(
    'says nothing of an amount that fits: %s',
    async (words) => {
      const shown = await typed('charge', words);
      expect(shown).toContain('Charge ');
      expect(shown).not.toMatch(/more than|pay in GHS only/);
    },
  );
});
