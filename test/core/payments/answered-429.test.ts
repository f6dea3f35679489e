import { beforeEach, describe, expect, it } from 'vitest';
import type { PaymentOutcome } from '../../../src/core/gateway/gateway.ts';
import { statusOf } from '../../support/stub-gateway.ts';
import { ACCEPTED, BUSY, ID, OnePayment } from './one-payment.ts';

let life: OnePayment;
beforeEach(async () => {
  life = await OnePayment.open();
});

describe('sending', () => {
  it('happens again after 429 only, with the same id, five more times at most', {
    tags: ['F11'],
  }, async () => {
    await life.confirmed();
    life.gateway.onPayment = () => ({
      kind: 'rateLimited',
      answer: { code: '429' },
      retryAfterMs: 3_600_000,
    });
    const waitsMs = [];
    for (let i = 0; i < 8; i++) {
      await life.submit();
      const { due } = await life.now();
      if (due === undefined) break;
      waitsMs.push(due.atMs - life.clock.now());
      life.clock.jump(due.atMs - life.clock.now());
    }
    expect(life.gateway.sent.map(({ transactionId }) => transactionId)).toEqual(Array(6).fill(ID));
    expect(waitsMs).toEqual(Array(5).fill(60_000));
    expect((await life.now()).state).toBe('not sent');
  });

  it('does not happen again after a 429 once a callback has shown that the service knows the id', {
    tags: ['F11'],
  }, async () => {
    await life.sent(BUSY);
    await life.callback();
    expect(await life.now()).toMatchObject({
      state: 'unknown',
      reason: 'The payment service knows this payment after all.',
      due: { queue: 'check', atMs: life.clock.now() },
    });
    life.clock.jump(60_000);
    await life.submit();
    expect([life.gateway.sent.length, life.gateway.checked]).toEqual([1, []]);
    life.gateway.onStatus = (id) => statusOf(id, 'completed');
    await life.check();
    expect(await life.now()).toMatchObject({ state: 'completed' });
  });

  it.each([
    ['429', BUSY],
    ['a refusal', { kind: 'refused', answer: { code: '031' }, reason: 'No.' }],
    ['no connection', { kind: 'notSent', reason: 'it refused the connection.' }],
  ] as [string, PaymentOutcome][])(
    'that was answered with %s after a callback is unknown, and the service is asked first',
    async (_answer, outcome) => {
      await life.confirmed();
      life.gateway.onPayment = async () => {
        await life.callback();
        return outcome;
      };
      await life.submit();
      expect(await life.now()).toMatchObject({
        state: 'unknown',
        due: { queue: 'check', atMs: life.clock.now() },
      });
      await life.submit();
      expect(life.gateway.sent).toHaveLength(1);
    },
  );

  it('is stopped by a callback that comes while the second request waits for its turn', {
    tags: ['F11'],
  }, async () => {
    await life.sent(BUSY);
    life.clock.jump(1_000);
    let reached = 0;
    life.gateway.onPayment = async ({ whyNotToSend }) => {
      await life.callback();
      const reason = await whyNotToSend?.();
      if (reason !== undefined) return { kind: 'notSent', reason };
      reached++;
      return ACCEPTED;
    };
    await life.submit();
    expect(reached).toBe(0);
    expect(await life.now()).toMatchObject({ state: 'unknown', due: { queue: 'check' } });
  });

  it.each(['completed', 'failed', 'pending'] as const)(
    'does not happen again after a 429 once somebody asked and the service said %s',
    async (status) => {
      await life.sent(BUSY);
      life.gateway.onStatus = (id) => statusOf(id, status);
      expect((await life.checks.askNow(ID)).payment).toMatchObject({ state: status });
      await life.submit();
      expect(life.gateway.sent).toHaveLength(1);
    },
  );

  it('does not happen again after a 429 once the service named a status that nobody documented', async () => {
    await life.sent(BUSY);
    life.gateway.onStatus = (id) => statusOf(id, 'unrecognised', { word: '001' });
    await life.checks.askNow(ID);
    expect(await life.now()).toMatchObject({ state: 'unknown', due: { queue: 'check' } });
  });

  it('goes on after a 429 when somebody asked and the service does not know the id', async () => {
    await life.sent(BUSY);
    life.gateway.onStatus = () => ({ kind: 'noStatus', answer: { code: '067' } });
    await life.checks.askNow(ID);
    expect((await life.now()).state).toBe('confirmed');
    life.gateway.onPayment = () => ACCEPTED;
    await life.submit();
    expect((await life.now()).state).toBe('pending');
  });

  it('is unknown when it is answered with 429 after somebody asked and the service knew it', async () => {
    await life.confirmed();
    life.gateway.onStatus = (id) => statusOf(id, 'pending');
    life.gateway.onPayment = async () => {
      await life.checks.askNow(ID);
      return BUSY;
    };
    await life.submit();
    expect(await life.now()).toMatchObject({ state: 'unknown', due: { atMs: life.clock.now() } });
  });

  it('after a 429 survives a death: the callback that came meanwhile still stops it', async () => {
    await life.sent(BUSY);
    life.restart();
    await life.submitter.recover();
    await life.callback();
    await life.submit();
    expect(await life.now()).toMatchObject({ state: 'unknown' });
    expect(life.gateway.sent).toHaveLength(1);
  });
});
