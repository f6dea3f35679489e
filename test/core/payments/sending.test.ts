import { beforeEach, describe, expect, it } from 'vitest';
import type { PaymentOutcome } from '../../../src/core/gateway/gateway.ts';
import type { ChargeTerms, Payment } from '../../../src/core/records/payment.ts';
import { aCharge, ama } from '../../support/a-payment.ts';
import { testSeal } from '../../support/test-seal.ts';
import { ACCEPTED, CARD_STANDS, ID, OnePayment } from './one-payment.ts';

const changed = (terms: ChargeTerms, changes: Partial<ChargeTerms>): Partial<Payment> => ({
  terms: { ...terms, ...changes },
});
const refusedAsForged = {
  state: 'not sent',
  reason: expect.stringMatching(/^What is stored/),
};

let life: OnePayment;
beforeEach(async () => {
  life = await OnePayment.open();
});

describe('confirming', () => {
  it('succeeds once, however many press at the same moment', { tags: ['F17'] }, async () => {
    const draft = aCharge();
    await life.store.commit({ put: [{ kind: 'draft', record: draft }] });
    const presses = await Promise.all(
      Array.from({ length: 50 }, () => life.payments.confirm(draft, ama)),
    );
    expect(presses.filter((payment) => payment !== undefined)).toHaveLength(1);
    expect(await life.store.get('draft', draft.id)).toMatchObject({ status: 'done', resultId: ID });
  });
});

describe('sending', () => {
  it('comes after the card stands and the record is saved, with exactly what was confirmed', async () => {
    await life.confirmed();
    life.gateway.onPayment = async () => {
      expect(await life.now()).toMatchObject({ state: 'submitting', card: { message: '1.1' } });
      return ACCEPTED;
    };
    await life.submit();
    expect(life.gateway.sent).toEqual([
      {
        transactionId: ID,
        reference: ID,
        customerNumber: '+233244123456',
        network: 'MTN',
        amount: { amountMinor: 5000, currency: 'GHS' },
        option: 'MOM',
        callbackUrl: `http://127.0.0.1/callbacks/${ID}/x`,
        sendByMs: life.clock.now() + 29_000,
        whyNotToSend: expect.any(Function),
      },
    ]);
    expect(await life.now()).toMatchObject({
      state: 'pending',
      due: { queue: 'check', atMs: life.clock.now() + 10_000 },
    });
  });

  const forged: [string, (payment: Payment) => Partial<Payment>][] = [
    ['without a seal', () => ({ seal: '' })],
    ['of another id', (payment) => ({ seal: testSeal.of({ ...payment, id: '01JD2M4X9QK7T3VC' }) })],
    [
      'of another amount',
      ({ terms }) => changed(terms, { amount: { ...terms.amount, amountMinor: 500_000 } }),
    ],
    [
      'in another currency',
      ({ terms }) => changed(terms, { amount: { ...terms.amount, currency: 'USD' } }),
    ],
    ['from another number', ({ terms }) => changed(terms, { customerNumber: '+233244123457' })],
    ['over another network', ({ terms }) => changed(terms, { network: 'VOD' })],
    ['with another reference', ({ terms }) => changed(terms, { reference: 'rent' })],
    ['of somebody else', () => ({ requester: { ...ama, id: 'U0KOJO' } })],
    ['confirmed at another time', ({ confirmedAtMs }) => ({ confirmedAtMs: confirmedAtMs + 1 })],
  ];
  it.each(forged)(
    'never happens to what was written into the store: %s',
    { tags: ['T28'] },
    async (_how, change) => {
      await life.confirmed();
      await life.forge(change);
      await life.submit();
      expect([life.gateway.sent, life.posted]).toEqual([[], []]);
      expect(await life.now()).toMatchObject(refusedAsForged);
      expect(await life.store.get('notice', `seal.${ID}.alert`)).toMatchObject({
        about: { alert: { kind: 'seal broken', paymentId: ID } },
      });
    },
  );

  it('does not happen to what was changed while its card was posted', async () => {
    await life.confirmed();
    life.whileCardIsPosted = () =>
      life.forge(({ terms }) => changed(terms, { customerNumber: '+233244123457' }));
    await life.submit();
    expect(life.gateway.sent).toEqual([]);
    expect(await life.now()).toMatchObject(refusedAsForged);
  });

  it('does not happen long after the press, whatever is stored about how long it may wait', async () => {
    await life.confirmed();
    await life.forge(() => ({ submitByMs: life.clock.now() + 86_400_000 }));
    await life.clock.advance(18 * 60_000);
    await life.submit();
    expect(life.gateway.sent).toEqual([]);
    expect(await life.now()).toMatchObject({ state: 'not sent' });
  });

  it('happens once, however many workers hold the payment at the same moment', {
    tags: ['F44'],
  }, async () => {
    await life.confirmed();
    const payment = await life.now();
    const others = Array.from({ length: 10 }, () => life.newSubmitter());
    await Promise.all(others.map((each) => each.serve(payment)));
    expect(life.gateway.sent).toHaveLength(1);
  });

  it('does not happen where the card cannot be posted', async () => {
    await life.confirmed();
    life.cardDelivery = { kind: 'gone', reason: 'not_in_channel', remedy: 'Invite the bot.' };
    await life.submit();
    expect(life.gateway.sent).toEqual([]);
    expect(await life.now()).toMatchObject({
      state: 'not sent',
      reason: expect.stringContaining('Invite the bot.'),
    });
    expect(await life.store.get('notice', `${ID}.outcome`)).toMatchObject({ to: ama });
  });

  it('waits for the card, and gives up after two minutes', async () => {
    await life.confirmed();
    life.cardDelivery = { kind: 'unclear', reason: 'timeout' };
    await life.submit();
    await life.submit();
    expect(life.posted).toEqual([
      { mayStand: false, lookFirst: false },
      { mayStand: true, lookFirst: false },
    ]);
    life.clock.jump(121_000);
    await life.submit();
    expect(life.gateway.sent).toEqual([]);
    expect(await life.now()).toMatchObject({
      state: 'not sent',
      reason: expect.stringContaining('The payment card could not be posted in time.'),
    });
  });

  it('looks for a card that the process before may have posted', { tags: ['F51'] }, async () => {
    await life.confirmed();
    life.restart(1_000);
    await life.submit();
    expect(life.posted).toEqual([{ mayStand: false, lookFirst: true }]);
  });

  it('remembers over a restart that the card may stand since an attempt without an answer', async () => {
    await life.confirmed();
    life.cardDelivery = { kind: 'unclear', reason: 'timeout' };
    await life.submit();
    life.restart(1_000);
    life.cardDelivery = CARD_STANDS;
    await life.submit();
    expect(life.posted.at(-1)).toEqual({ mayStand: true, lookFirst: true });
    expect(life.gateway.sent).toHaveLength(1);
  });

  it('is given up in time although the chat asks to wait for longer before the card', async () => {
    await life.confirmed();
    life.cardDelivery = { kind: 'rateLimited', retryAfterMs: 300_000 };
    await life.store.claim('submit', { nowMs: life.clock.now(), leaseMs: 45_000, limit: 1 });
    await life.submit();
    const { submitByMs } = await life.now();
    expect(await life.store.nextDueMs('submit')).toBe(submitByMs + 1);
    life.clock.jump(submitByMs + 1 - life.clock.now());
    await life.submit();
    expect(await life.now()).toMatchObject({ state: 'not sent' });
  });

  it('that comes too late blames no card that the process before may have posted', async () => {
    await life.confirmed();
    life.restart(121_000);
    await life.submit();
    expect(life.posted).toEqual([]);
    expect(await life.now()).toMatchObject({
      state: 'not sent',
      reason: 'It could not be sent in time. Type the command again.',
    });
  });

  it('does not take a card for posted that only had to wait its turn', async () => {
    await life.confirmed();
    life.cardDelivery = { kind: 'rateLimited', retryAfterMs: 1_000 };
    await life.submit();
    await life.submit();
    const once = { mayStand: false, lookFirst: false };
    expect(life.posted).toEqual([once, once]);
  });

  it('looks for a card that another instance may have posted before its lease ran out', async () => {
    await life.confirmed();
    life.clock.jump(45_000);
    await life.submit();
    expect(life.posted).toEqual([{ mayStand: false, lookFirst: true }]);
  });

  const outcomes: [PaymentOutcome, string][] = [
    [ACCEPTED, 'pending'],
    [{ kind: 'notSent', reason: 'refused' }, 'not sent'],
    [{ kind: 'refused', answer: { code: '401' }, reason: 'keys' }, 'refused'],
    [{ kind: 'unknown', answer: {}, reason: 'timeout' }, 'unknown'],
    [{ kind: 'rateLimited', answer: {}, retryAfterMs: 1_000 }, 'confirmed'],
  ];
  it.each(outcomes)('that ends with $kind leads to %s', async (outcome, state) => {
    await life.sent(outcome);
    expect((await life.now()).state).toBe(state);
    expect(life.gateway.sent).toHaveLength(1);
  });

  it('never happens again after a crash in the middle: it is unknown and gets checked', async () => {
    await life.confirmed();
    life.gateway.onPayment = () => new Promise(() => undefined);
    void life.submit();
    await expect.poll(async () => (await life.now()).state).toBe('submitting');
    await life.newSubmitter().recover();
    expect(await life.now()).toMatchObject({ state: 'unknown', due: { queue: 'check' } });
    await life.submit();
    expect(life.gateway.sent).toHaveLength(1);
  });
});
