import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PaymentOutcome } from '../../../src/core/gateway/gateway.ts';
import { aCharge, ama } from '../../support/a-payment.ts';
import { ACCEPTED, CARD_STANDS, OnePayment, OPERATORS } from './one-payment.ts';

const REFUSED: PaymentOutcome = {
  kind: 'refused',
  answer: { code: 'HTTP 401' },
  reason: 'The service does not accept our keys.',
  keysRefused: true,
};

let life: OnePayment;
beforeEach(async () => {
  life = await OnePayment.open();
});

describe('refused keys', () => {
  /** Another charge that is confirmed and served; its id ends with this. */
  const another = async (end: string) => {
    const id = `01JD2M4X9QK7T3${end}`;
    const charge = aCharge({ id: `draft-${id}`, paymentId: id });
    await life.store.commit({ put: [{ kind: 'draft', record: charge }] });
    const payment = await life.payments.confirm(charge, ama);
    if (payment === undefined) throw new Error('not confirmed');
    await life.submitter.serve(payment);
    return life.payments.get(id);
  };

  /** The keys were refused a minute ago, so the next charge finds out whether they are accepted. */
  const aMinuteAfterRefusal = async () => {
    life.gateway.onPayment = () => REFUSED;
    await another('V1');
    life.clock.jump(60_000);
  };

  it('stop new charges, one alert is owed, and one charge a minute finds out when they are accepted', {
    tags: ['F10'],
  }, async () => {
    life.gateway.onPayment = () => REFUSED;
    expect(await another('V1')).toMatchObject({ state: 'refused' });
    expect(await another('V2')).toMatchObject({
      state: 'not sent',
      reason: expect.stringContaining('keys'),
    });
    expect(life.gateway.sent).toHaveLength(1);
    expect(await life.store.get('notice', 'keys.alert')).toMatchObject({ conversation: OPERATORS });
    life.clock.jump(60_000);
    expect(await another('V3')).toMatchObject({ state: 'refused' });
    expect((await life.store.get('notice', 'keys.alert'))?.version).toBe(1);
    life.clock.jump(60_000);
    life.gateway.onPayment = () => ACCEPTED;
    expect(await another('V4')).toMatchObject({ state: 'pending' });
    expect(await another('V5')).toMatchObject({ state: 'pending' });
  });

  it('are found out about by a charge that is sent, not by one that waits for its card', {
    tags: ['F86'],
  }, async () => {
    await aMinuteAfterRefusal();
    life.cardDelivery = { kind: 'rateLimited', retryAfterMs: 1_000 };
    expect(await another('V2')).toMatchObject({ state: 'confirmed' });
    life.cardDelivery = CARD_STANDS;
    life.gateway.onPayment = () => ({ kind: 'notSent', reason: 'The connection was refused.' });
    expect(await another('V3')).toMatchObject({
      reason: expect.stringContaining('connection'),
    });
    // Nothing was sent yet, so nothing is known yet, and the next one finds out.
    life.gateway.onPayment = () => ACCEPTED;
    expect(await another('V4')).toMatchObject({ state: 'pending' });
    const waiting = await life.payments.get('01JD2M4X9QK7T3V2');
    if (waiting !== undefined) await life.submitter.serve(waiting);
    expect(await life.payments.get('01JD2M4X9QK7T3V2')).toMatchObject({ state: 'pending' });
  });

  it('are found out about by one charge at a time, however many have their cards', {
    tags: ['F86'],
  }, async () => {
    await aMinuteAfterRefusal();
    const cards = Promise.withResolvers<void>();
    life.whileCardIsPosted = () => cards.promise;
    const all = Promise.all(['V2', 'V3', 'V4'].map(another));
    await vi.waitFor(() => expect(life.posted).toHaveLength(4));
    cards.resolve();
    const states = (await all).map((payment) => payment?.state);
    expect(states.toSorted()).toEqual(['not sent', 'not sent', 'refused']);
    expect(life.gateway.sent).toHaveLength(2);
  });

  it('are not taken for right by a charge that was not sent', { tags: ['F86'] }, async () => {
    await aMinuteAfterRefusal();
    life.gateway.onPayment = () => ({ kind: 'notSent', reason: 'The connection was refused.' });
    await another('V2');
    life.gateway.onPayment = () => REFUSED;
    const two = await Promise.all(['V3', 'V4'].map(another));
    expect(two.map((payment) => payment?.state).toSorted()).toEqual(['not sent', 'refused']);
  });

  it('at a status check change nothing and are told to the operators', {
    tags: ['F31'],
  }, async () => {
    await life.sent();
    life.gateway.onStatus = () => ({
      kind: 'refused',
      answer: { code: 'HTTP 403' },
      reason: 'keys',
      keysRefused: true,
    });
    await life.check();
    expect((await life.now()).state).toBe('pending');
    expect(await life.store.get('notice', 'keys.alert')).toBeDefined();
  });
});
