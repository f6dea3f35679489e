import { beforeEach, describe, expect, it } from 'vitest';
import type { StatusOutcome } from '../../../src/core/gateway/gateway.ts';
import { statusOf } from '../../support/stub-gateway.ts';
import { bare, ID, OnePayment, OPERATORS } from './one-payment.ts';

let life: OnePayment;
beforeEach(async () => {
  life = await OnePayment.open();
});

describe('settling', () => {
  it.each(['completed', 'failed'] as const)(
    'follows the service when it says %s',
    async (status) => {
      await life.sent();
      life.gateway.onStatus = (id) => statusOf(id, status);
      await life.check();
      expect(await life.now()).toMatchObject({ state: status, settledAtMs: life.clock.now() });
      expect(await life.store.get('notice', `${ID}.outcome`)).toMatchObject({
        about: { of: status },
      });
    },
  );

  it.each([
    ['another amount', statusOf(ID, 'completed', { amount: '5000' })],
    ['another transaction', statusOf('01JD2M4X9QK7T3VC', 'completed')],
    ['an unreadable amount', statusOf(ID, 'completed', { amount: 'fifty' })],
    ['another amount failed', statusOf(ID, 'failed', { amount: '49.99' })],
    ['another transaction failed', statusOf('01JD2M4X9QK7T3VC', 'failed')],
    ...(['completed', 'failed'] as const).flatMap((status): [string, StatusOutcome][] => [
      [`a bare ${status}`, bare(status)],
      [`${status} without an amount`, bare(status, { transactionId: ID })],
      [`${status} without a transaction`, bare(status, { amount: '50.00' })],
    ]),
  ])('does not happen for %s: a person is called', { tags: ['F26'] }, async (_name, outcome) => {
    await life.sent();
    life.gateway.onStatus = () => outcome;
    await life.check();
    expect(await life.now()).toMatchObject({
      state: 'pending',
      flag: 'conflict',
      due: { queue: 'check' },
    });
  });

  it.each([
    ['an unrecognised word', statusOf(ID, 'unrecognised', { word: '001' })],
    [
      'no status',
      { kind: 'noStatus', answer: { code: '067', message: 'No record found' } } as const,
    ],
    ['no answer', { kind: 'noAnswer', answer: {}, reason: 'timeout' } as const],
    ['refused keys', { kind: 'refused', answer: { code: '401' }, reason: 'keys' } as const],
  ])(
    'does not happen on %s: the next check comes by schedule',
    { tags: ['F31'] },
    async (_name, outcome) => {
      await life.sent();
      life.gateway.onStatus = () => outcome;
      await life.check();
      expect(await life.now()).toMatchObject({
        state: 'pending',
        checks: 1,
        due: { queue: 'check', atMs: life.clock.now() + 20_000 },
      });
    },
  );

  it('makes unknown pending when the service knows it', async () => {
    await life.sent({ kind: 'unknown', answer: {}, reason: 'timeout' });
    await life.check();
    expect((await life.now()).state).toBe('pending');
  });

  it('happens once when many checks answer at the same moment', async () => {
    await life.sent();
    life.gateway.onStatus = (id) => statusOf(id, 'completed');
    const payment = await life.now();
    await Promise.all(Array.from({ length: 20 }, () => life.checks.serve(payment)));
    const notice = await life.store.get('notice', `${ID}.outcome`);
    expect(notice?.version).toBe(1);
    expect((await life.now()).state).toBe('completed');
  });

  it('is not undone: a later contradiction is flagged', async () => {
    await life.sent();
    life.gateway.onStatus = (id) => statusOf(id, 'completed');
    await life.check();
    life.gateway.onStatus = (id) => statusOf(id, 'failed');
    await life.checks.askNow(ID);
    expect(await life.now()).toMatchObject({ state: 'completed', flag: 'conflict' });
  });

  it('does not happen by a bare failed to a person who asks either', async () => {
    await life.sent();
    life.gateway.onStatus = () => bare('failed');
    expect((await life.checks.askNow(ID)).payment).toMatchObject({
      state: 'pending',
      flag: 'conflict',
    });
  });

  it('gives the reason that the callback brought, once the service agrees', async () => {
    await life.sent();
    await life.callback('NOT_ENOUGH_FUNDS');
    life.gateway.onStatus = (id) => statusOf(id, 'failed');
    await life.check();
    expect((await life.now()).reason).toContain('does not have enough');
  });
});

describe('looking again after the end', () => {
  const look = async () => {
    const nowMs = life.clock.now();
    const [work] = await life.store.claim('check', { nowMs, leaseMs: 45_000, limit: 1 });
    if (work?.kind !== 'watch') return false;
    await life.checks.look(work.record);
    return true;
  };
  const hoursUntilQuiet = async (): Promise<number[]> => {
    const startMs = life.clock.now();
    const looks: number[] = [];
    const nextDueMs = () => life.store.nextDueMs('check');
    for (let next = await nextDueMs(); next; next = await nextDueMs()) {
      life.clock.jump(next - life.clock.now());
      if (await look()) looks.push((life.clock.now() - startMs) / 3_600_000);
    }
    return looks;
  };
  /** From now on the service says this, for as long as it is asked. */
  const lookedAtUntilQuiet = async (says: 'completed' | 'failed'): Promise<void> => {
    life.gateway.onStatus = (id) => statusOf(id, says);
    await hoursUntilQuiet();
  };
  const alerted = () => life.store.get('notice', `${ID}.alert`);

  const completed = async () => {
    await life.sent();
    life.gateway.onStatus = (id) => statusOf(id, 'completed');
    await life.check();
  };

  /** Sent so many times, each time answered with 429. */
  const limited = async (times: number) => {
    await life.confirmed();
    life.gateway.onPayment = () => ({ kind: 'rateLimited', answer: { code: '429' } });
    for (let tries = 0; tries < times; tries++) {
      await life.submit();
      life.clock.jump(60_000);
    }
  };

  it('happens for a day and changes nothing while the service stays with its word', {
    tags: ['F29'],
  }, async () => {
    await completed();
    const settled = await life.now();
    expect(await hoursUntilQuiet()).toEqual([1 / 6, 2, 24]);
    expect(await life.now()).toEqual(settled);
    expect(await life.store.get('watch', ID)).toBeUndefined();
    expect(await alerted()).toBeUndefined();
  });

  it('finds a service that takes its word back: the state stays, thread and operators are told', {
    tags: ['F29'],
  }, async () => {
    await completed();
    await lookedAtUntilQuiet('failed');
    expect(await life.now()).toMatchObject({ state: 'completed', flag: 'conflict' });
    expect(await life.store.get('notice', `${ID}.outcome`)).toMatchObject({
      about: { of: 'conflict' },
    });
    expect(await alerted()).toMatchObject({
      conversation: OPERATORS,
      about: { alert: { kind: 'payment', paymentId: ID, of: 'conflict' } },
    });
  });

  it('calls for a person when the word is taken back by a bare failed', async () => {
    await completed();
    life.gateway.onStatus = () => bare('failed');
    await hoursUntilQuiet();
    expect(await life.now()).toMatchObject({
      state: 'completed',
      flag: 'conflict',
      reason: 'The payment service says failed without naming the transaction.',
    });
  });

  it('finds a payment that was refused and yet taken', { tags: ['F10'] }, async () => {
    await life.sent({ kind: 'refused', answer: { code: 'HTTP 403' }, reason: 'No.' });
    await lookedAtUntilQuiet('completed');
    expect(await life.now()).toMatchObject({ state: 'refused', flag: 'conflict' });
  });

  it.each(['given up', 'too busy to the end'])(
    'happens for what was answered with 429 and then not sent: %s',
    async (how) => {
      await limited(how === 'given up' ? 1 : 6);
      if (how === 'given up') life.clock.jump(3_600_000);
      await life.submit();
      const given = await life.now();
      expect(given).toMatchObject({
        state: 'not sent',
        reason: expect.stringMatching(/^The payment service was too busy and took nothing\. /),
      });
      expect(await hoursUntilQuiet()).toHaveLength(3);
      expect(life.gateway.checked).toHaveLength(3);
    },
  );

  it('finds a payment that was answered with 429 to the end and yet taken', {
    tags: ['F11'],
  }, async () => {
    await limited(6);
    await lookedAtUntilQuiet('completed');
    expect(await life.now()).toMatchObject({ state: 'not sent', flag: 'conflict' });
  });

  it('does not happen for what never left', async () => {
    await life.confirmed();
    life.cardDelivery = { kind: 'gone', reason: 'not_in_channel' };
    await life.submit();
    expect(await hoursUntilQuiet()).toEqual([]);
  });

  it('is no look when nobody answers: it is made again, so that the last one is not wasted', async () => {
    await completed();
    life.gateway.onStatus = () => ({ kind: 'noAnswer', answer: {}, reason: 'down' });
    for (let times = 0; times < 100; times++) {
      life.clock.jump(((await life.store.nextDueMs('check')) ?? 0) - life.clock.now());
      await look();
    }
    await lookedAtUntilQuiet('failed');
    expect(await life.now()).toMatchObject({ state: 'completed', flag: 'conflict' });
  });

  it('is given up when nobody has answered for three days', async () => {
    await completed();
    life.gateway.onStatus = () => ({ kind: 'noAnswer', answer: {}, reason: 'down' });
    expect((await hoursUntilQuiet()).at(-1)).toBeGreaterThan(72);
    expect(await life.store.get('watch', ID)).toBeUndefined();
  });

  it('waits when the service is busy', async () => {
    await completed();
    life.gateway.onStatus = () => ({ kind: 'rateLimited', answer: {}, retryAfterMs: 60_000 });
    life.clock.jump(600_000);
    expect(await look()).toBe(true);
    expect(await life.store.nextDueMs('check')).toBe(life.clock.now() + 60_000);
  });
});
