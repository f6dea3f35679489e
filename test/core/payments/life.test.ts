import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { PaymentOutcome, StatusOutcome } from '../../../src/core/gateway/gateway.ts';
import { Alerts } from '../../../src/core/notices/alerts.ts';
import { Outbox } from '../../../src/core/notices/outbox.ts';
import { PaymentSubmitter } from '../../../src/core/payments/payment-submitter.ts';
import { Payments } from '../../../src/core/payments/payments.ts';
import { StatusChecker } from '../../../src/core/payments/status-checker.ts';
import type { ChargeTerms, Payment } from '../../../src/core/records/payment.ts';
import { systemRandom } from '../../../src/core/runtime/random.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Delivery } from '../../../src/core/values/conversation.ts';
import { aCharge, ama, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';
import { StubGateway, statusOf } from '../../support/stub-gateway.ts';
import { testSeal } from '../../support/test-seal.ts';

const ID = '01JD2M4X9QK7T3VB';
const policy = { scheduleMs: [10_000, 20_000], giveUpMs: 3_600_000 };
const stands: Delivery = { kind: 'delivered', ref: { conversation: shop, message: '1.1' } };

const OPERATORS = { platform: 'slack', channel: 'C0OPS' };
let alerts: Alerts;
let clock: ManualClock;
let store: Store;
let gateway: StubGateway;
let payments: Payments;
let posted: { mayStand: boolean; lookFirst: boolean }[];
let cardDelivery: Delivery;
let whileCardIsPosted: () => Promise<void>;

const changed = (terms: ChargeTerms, changes: Partial<ChargeTerms>): Partial<Payment> => ({
  terms: { ...terms, ...changes },
});

/** An outcome that does not name all that it should. */
const bare = (
  status: 'completed' | 'failed',
  named: { transactionId?: string; amount?: string },
): StatusOutcome => ({ kind: 'status', status, word: status, answer: { code: '000' }, ...named });

const newSubmitter = () =>
  new PaymentSubmitter({
    seal: testSeal,
    payments,
    store,
    gateway,
    clock,
    log: silentLog,
    alerts,
    random: systemRandom,
    callbackUrl: (id) => `http://127.0.0.1/callbacks/${id}/x`,
    outbox: new Outbox({
      ...{ store, clock, log: silentLog, alerts },
      sender: {
        send: async () => ({ kind: 'nothing' }),
        postCard: async (_payment, { mayStand, lookFirst }) => {
          posted.push({ mayStand, lookFirst });
          await whileCardIsPosted();
          return cardDelivery;
        },
      },
    }),
    requestTimeoutMs: 30_000,
  });
let submitter: PaymentSubmitter;
let checks: StatusChecker;

const now = async (): Promise<Payment> => {
  const payment = await payments.get(ID);
  if (payment === undefined) throw new Error('no payment');
  return payment;
};
const submit = async () => submitter.serve(await now());

beforeEach(async () => {
  clock = new ManualClock();
  store = await openStore();
  gateway = new StubGateway();
  alerts = new Alerts({ store, clock, log: silentLog, operators: [OPERATORS] });
  payments = new Payments({ seal: testSeal, store, clock, policy, alerts });
  posted = [];
  cardDelivery = stands;
  whileCardIsPosted = async () => {};
  submitter = newSubmitter();
  checks = new StatusChecker({
    ...{ payments, store, gateway, clock, alerts },
    ...{ log: silentLog, random: systemRandom },
  });
});

const confirmed = async () => {
  const draft = aCharge();
  await store.commit({ put: [{ kind: 'draft', record: draft }] });
  await payments.confirm(draft, ama);
};

describe('confirming', () => {
  it('succeeds once, however many press at the same moment', { tags: ['F17'] }, async () => {
    const draft = aCharge();
    await store.commit({ put: [{ kind: 'draft', record: draft }] });
    const presses = await Promise.all(
      Array.from({ length: 50 }, () => payments.confirm(draft, ama)),
    );
    expect(presses.filter((payment) => payment !== undefined)).toHaveLength(1);
    expect(await store.get('draft', draft.id)).toMatchObject({ status: 'done', resultId: ID });
  });
});

describe('sending', () => {
  it('comes after the card stands and the record is saved, with exactly what was confirmed', async () => {
    await confirmed();
    gateway.onPayment = async () => {
      expect(await now()).toMatchObject({ state: 'submitting', card: { message: '1.1' } });
      return { kind: 'accepted', answer: { code: '202' } };
    };
    await submit();
    expect(gateway.sent).toEqual([
      {
        transactionId: ID,
        reference: ID,
        customerNumber: '+233244123456',
        network: 'MTN',
        amount: { amountMinor: 5000, currency: 'GHS' },
        option: 'MOM',
        callbackUrl: `http://127.0.0.1/callbacks/${ID}/x`,
        sendByMs: clock.now() + 29_000,
        whyNotToSend: expect.any(Function),
      },
    ]);
    expect(await now()).toMatchObject({
      state: 'pending',
      due: { queue: 'check', atMs: clock.now() + 10_000 },
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
      await confirmed();
      const before = await now();
      const record = { ...before, ...change(before), version: before.version + 1 };
      await store.commit({ put: [{ kind: 'payment', record }] });
      await submit();
      expect([gateway.sent, posted]).toEqual([[], []]);
      expect(await now()).toMatchObject({
        state: 'not sent',
        reason: expect.stringMatching(/^What is stored/),
      });
      expect(await store.get('notice', `seal.${ID}.alert`)).toMatchObject({
        about: { alert: { kind: 'seal broken', paymentId: ID } },
      });
    },
  );

  it('does not happen to what was changed while its card was posted', async () => {
    await confirmed();
    const before = await now();
    const terms = { ...before.terms, customerNumber: '+233244123457' };
    const record = { ...before, terms, version: before.version + 1 };
    whileCardIsPosted = async () =>
      void (await store.commit({ put: [{ kind: 'payment', record }] }));
    await submit();
    expect(gateway.sent).toEqual([]);
    expect(await now()).toMatchObject({
      state: 'not sent',
      reason: expect.stringMatching(/^What is stored/),
    });
  });

  it('does not happen long after the press, whatever is stored about how long it may wait', async () => {
    await confirmed();
    const before = await now();
    const record = { ...before, submitByMs: clock.now() + 86_400_000, version: before.version + 1 };
    await store.commit({ put: [{ kind: 'payment', record }] });
    await clock.advance(18 * 60_000);
    await submit();
    expect(gateway.sent).toEqual([]);
    expect(await now()).toMatchObject({ state: 'not sent' });
  });

  it('happens once, however many workers hold the payment at the same moment', {
    tags: ['F44'],
  }, async () => {
    await confirmed();
    const payment = await now();
    const others = Array.from({ length: 10 }, newSubmitter);
    await Promise.all(others.map((each) => each.serve(payment)));
    expect(gateway.sent).toHaveLength(1);
  });

  it('does not happen where the card cannot be posted', async () => {
    await confirmed();
    cardDelivery = { kind: 'gone', reason: 'not_in_channel', remedy: 'Invite the bot.' };
    await submit();
    expect(gateway.sent).toEqual([]);
    expect(await now()).toMatchObject({
      state: 'not sent',
      reason: expect.stringContaining('Invite the bot.'),
    });
    expect(await store.get('notice', `${ID}.outcome`)).toMatchObject({ to: ama });
  });

  it('waits for the card, and gives up after two minutes', async () => {
    await confirmed();
    cardDelivery = { kind: 'unclear', reason: 'timeout' };
    await submit();
    await submit();
    expect(posted).toEqual([
      { mayStand: false, lookFirst: false },
      { mayStand: true, lookFirst: false },
    ]);
    clock.jump(121_000);
    await submit();
    expect(gateway.sent).toEqual([]);
    expect(await now()).toMatchObject({
      state: 'not sent',
      reason: expect.stringContaining('The payment card could not be posted in time.'),
    });
  });

  it('looks for a card that the process before may have posted', { tags: ['F51'] }, async () => {
    await confirmed();
    clock.jump(1_000);
    submitter = newSubmitter();
    await submit();
    expect(posted).toEqual([{ mayStand: false, lookFirst: true }]);
  });

  it('remembers over a restart that the card may stand since an attempt without an answer', async () => {
    await confirmed();
    cardDelivery = { kind: 'unclear', reason: 'timeout' };
    await submit();
    clock.jump(1_000);
    submitter = newSubmitter();
    cardDelivery = stands;
    await submit();
    expect(posted.at(-1)).toEqual({ mayStand: true, lookFirst: true });
    expect(gateway.sent).toHaveLength(1);
  });

  it('is given up in time although the chat asks to wait for longer before the card', async () => {
    await confirmed();
    cardDelivery = { kind: 'rateLimited', retryAfterMs: 300_000 };
    await store.claim('submit', { nowMs: clock.now(), leaseMs: 45_000, limit: 1 });
    await submit();
    const { submitByMs } = await now();
    expect(await store.nextDueMs('submit')).toBe(submitByMs + 1);
    clock.jump(submitByMs + 1 - clock.now());
    await submit();
    expect(await now()).toMatchObject({ state: 'not sent' });
  });

  it('that comes too late blames no card that the process before may have posted', async () => {
    await confirmed();
    clock.jump(121_000);
    submitter = newSubmitter();
    await submit();
    expect(posted).toEqual([]);
    expect(await now()).toMatchObject({
      state: 'not sent',
      reason: 'It could not be sent in time. Type the command again.',
    });
  });

  it('does not take a card for posted that only had to wait its turn', async () => {
    await confirmed();
    cardDelivery = { kind: 'rateLimited', retryAfterMs: 1_000 };
    await submit();
    await submit();
    const once = { mayStand: false, lookFirst: false };
    expect(posted).toEqual([once, once]);
  });

  it('looks for a card that another instance may have posted before its lease ran out', async () => {
    await confirmed();
    clock.jump(45_000);
    await submit();
    expect(posted).toEqual([{ mayStand: false, lookFirst: true }]);
  });

  const outcomes: [PaymentOutcome, string][] = [
    [{ kind: 'accepted', answer: { code: '202' } }, 'pending'],
    [{ kind: 'notSent', reason: 'refused' }, 'not sent'],
    [{ kind: 'refused', answer: { code: '401' }, reason: 'keys' }, 'refused'],
    [{ kind: 'unknown', answer: {}, reason: 'timeout' }, 'unknown'],
    [{ kind: 'rateLimited', answer: {}, retryAfterMs: 1_000 }, 'confirmed'],
  ];
  it.each(outcomes)('that ends with $kind leads to %s', async (outcome, state) => {
    await confirmed();
    gateway.onPayment = () => outcome;
    await submit();
    expect((await now()).state).toBe(state);
    expect(gateway.sent).toHaveLength(1);
  });

  it('happens again after 429 only, with the same id, five more times at most', {
    tags: ['F11'],
  }, async () => {
    await confirmed();
    gateway.onPayment = () => ({
      kind: 'rateLimited',
      answer: { code: '429' },
      retryAfterMs: 3_600_000,
    });
    const waitsMs = [];
    for (let i = 0; i < 8; i++) {
      await submit();
      const { due } = await now();
      if (due === undefined) break;
      waitsMs.push(due.atMs - clock.now());
      clock.jump(due.atMs - clock.now());
    }
    expect(gateway.sent.map(({ transactionId }) => transactionId)).toEqual(Array(6).fill(ID));
    expect(waitsMs).toEqual(Array(5).fill(60_000));
    expect((await now()).state).toBe('not sent');
  });

  const busy: PaymentOutcome = {
    kind: 'rateLimited',
    answer: { code: '429', message: 'Rate limit exceeded' },
    retryAfterMs: 1_000,
  };
  const callback = () => payments.record(ID, { kind: 'callback' });

  it('does not happen again after a 429 once a callback has shown that the service knows the id', {
    tags: ['F11'],
  }, async () => {
    await confirmed();
    gateway.onPayment = () => busy;
    await submit();
    await callback();
    expect(await now()).toMatchObject({
      state: 'unknown',
      reason: 'The payment service knows this payment after all.',
      due: { queue: 'check', atMs: clock.now() },
    });
    clock.jump(60_000);
    await submit();
    expect([gateway.sent.length, gateway.checked]).toEqual([1, []]);
    gateway.onStatus = (id) => statusOf(id, 'completed');
    await checks.serve(await now());
    expect(await now()).toMatchObject({ state: 'completed' });
  });

  it.each([
    ['429', busy],
    ['a refusal', { kind: 'refused', answer: { code: '031' }, reason: 'No.' }],
    ['no connection', { kind: 'notSent', reason: 'it refused the connection.' }],
  ] as [string, PaymentOutcome][])(
    'that was answered with %s after a callback is unknown, and the service is asked first',
    async (_answer, outcome) => {
      await confirmed();
      gateway.onPayment = async () => {
        await callback();
        return outcome;
      };
      await submit();
      expect(await now()).toMatchObject({
        state: 'unknown',
        due: { queue: 'check', atMs: clock.now() },
      });
      await submit();
      expect(gateway.sent).toHaveLength(1);
    },
  );

  it('is stopped by a callback that comes while the second request waits for its turn', {
    tags: ['F11'],
  }, async () => {
    await confirmed();
    gateway.onPayment = () => busy;
    await submit();
    clock.jump(1_000);
    let posted = 0;
    gateway.onPayment = async ({ whyNotToSend }) => {
      await callback();
      const reason = await whyNotToSend?.();
      if (reason !== undefined) return { kind: 'notSent', reason };
      posted++;
      return { kind: 'accepted', answer: { code: '202' } };
    };
    await submit();
    expect(posted).toBe(0);
    expect(await now()).toMatchObject({ state: 'unknown', due: { queue: 'check' } });
  });

  it.each(['completed', 'failed', 'pending'] as const)(
    'does not happen again after a 429 once somebody asked and the service said %s',
    async (status) => {
      await confirmed();
      gateway.onPayment = () => busy;
      await submit();
      gateway.onStatus = (id) => statusOf(id, status);
      expect((await checks.askNow(ID)).payment).toMatchObject({ state: status });
      await submit();
      expect(gateway.sent).toHaveLength(1);
    },
  );

  it('does not happen again after a 429 once the service named a status that nobody documented', async () => {
    await confirmed();
    gateway.onPayment = () => busy;
    await submit();
    gateway.onStatus = (id) => statusOf(id, 'unrecognised', { word: '001' });
    await checks.askNow(ID);
    expect(await now()).toMatchObject({ state: 'unknown', due: { queue: 'check' } });
  });

  it('goes on after a 429 when somebody asked and the service does not know the id', async () => {
    await confirmed();
    gateway.onPayment = () => busy;
    await submit();
    gateway.onStatus = () => ({ kind: 'noStatus', answer: { code: '067' } });
    await checks.askNow(ID);
    expect((await now()).state).toBe('confirmed');
    gateway.onPayment = () => ({ kind: 'accepted', answer: { code: '202' } });
    await submit();
    expect((await now()).state).toBe('pending');
  });

  it('is unknown when it is answered with 429 after somebody asked and the service knew it', async () => {
    await confirmed();
    gateway.onStatus = (id) => statusOf(id, 'pending');
    gateway.onPayment = async () => {
      await checks.askNow(ID);
      return busy;
    };
    await submit();
    expect(await now()).toMatchObject({ state: 'unknown', due: { atMs: clock.now() } });
  });

  it('after a 429 survives a death: the callback that came meanwhile still stops it', async () => {
    await confirmed();
    gateway.onPayment = () => busy;
    await submit();
    submitter = newSubmitter();
    await submitter.recover();
    await callback();
    await submit();
    expect(await now()).toMatchObject({ state: 'unknown' });
    expect(gateway.sent).toHaveLength(1);
  });

  it('never happens again after a crash in the middle: it is unknown and gets checked', async () => {
    await confirmed();
    gateway.onPayment = () => new Promise(() => undefined);
    void submit();
    await expect.poll(async () => (await now()).state).toBe('submitting');
    await newSubmitter().recover();
    expect(await now()).toMatchObject({ state: 'unknown', due: { queue: 'check' } });
    await submit();
    expect(gateway.sent).toHaveLength(1);
  });
});

describe('settling', () => {
  const pending = async () => {
    await confirmed();
    await submit();
  };
  const check = async () => checks.serve(await now());

  it.each(['completed', 'failed'] as const)(
    'follows the service when it says %s',
    async (status) => {
      await pending();
      gateway.onStatus = (id) => statusOf(id, status);
      await check();
      expect(await now()).toMatchObject({ state: status, settledAtMs: clock.now() });
      expect(await store.get('notice', `${ID}.outcome`)).toMatchObject({ about: { of: status } });
    },
  );

  it.each([
    ['another amount', statusOf(ID, 'completed', { amount: '5000' })],
    ['another transaction', statusOf('01JD2M4X9QK7T3VC', 'completed')],
    ['an unreadable amount', statusOf(ID, 'completed', { amount: 'fifty' })],
    ['another amount failed', statusOf(ID, 'failed', { amount: '49.99' })],
    ['another transaction failed', statusOf('01JD2M4X9QK7T3VC', 'failed')],
    ...(['completed', 'failed'] as const).flatMap((status): [string, StatusOutcome][] => [
      [`a bare ${status}`, bare(status, {})],
      [`${status} without an amount`, bare(status, { transactionId: ID })],
      [`${status} without a transaction`, bare(status, { amount: '50.00' })],
    ]),
  ])('does not happen for %s: a person is called', { tags: ['F26'] }, async (_name, outcome) => {
    await pending();
    gateway.onStatus = () => outcome;
    await check();
    expect(await now()).toMatchObject({
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
      await pending();
      gateway.onStatus = () => outcome;
      await check();
      expect(await now()).toMatchObject({
        state: 'pending',
        checks: 1,
        due: { queue: 'check', atMs: clock.now() + 20_000 },
      });
    },
  );

  it('makes unknown pending when the service knows it', async () => {
    await confirmed();
    gateway.onPayment = () => ({ kind: 'unknown', answer: {}, reason: 'timeout' });
    await submit();
    await check();
    expect((await now()).state).toBe('pending');
  });

  it('happens once when many checks answer at the same moment', async () => {
    await pending();
    gateway.onStatus = (id) => statusOf(id, 'completed');
    const payment = await now();
    await Promise.all(Array.from({ length: 20 }, () => checks.serve(payment)));
    const notice = await store.get('notice', `${ID}.outcome`);
    expect(notice?.version).toBe(1);
    expect((await now()).state).toBe('completed');
  });

  it('is not undone: a later contradiction is flagged', async () => {
    await pending();
    gateway.onStatus = (id) => statusOf(id, 'completed');
    await check();
    gateway.onStatus = (id) => statusOf(id, 'failed');
    await checks.askNow(ID);
    expect(await now()).toMatchObject({ state: 'completed', flag: 'conflict' });
  });

  it('does not happen by a bare failed to a person who asks either', async () => {
    await pending();
    gateway.onStatus = () => bare('failed', {});
    expect((await checks.askNow(ID)).payment).toMatchObject({ state: 'pending', flag: 'conflict' });
  });

  it('gives the reason that the callback brought, once the service agrees', async () => {
    await pending();
    await payments.record(ID, { kind: 'callback', message: 'NOT_ENOUGH_FUNDS' });
    gateway.onStatus = (id) => statusOf(id, 'failed');
    await check();
    expect((await now()).reason).toContain('does not have enough');
  });
});

describe('looking again after the end', () => {
  const look = async () => {
    const [work] = await store.claim('check', { nowMs: clock.now(), leaseMs: 45_000, limit: 1 });
    if (work?.kind !== 'watch') return false;
    await checks.look(work.record);
    return true;
  };
  const hoursUntilQuiet = async (): Promise<number[]> => {
    const startMs = clock.now();
    const looks: number[] = [];
    for (let next = await store.nextDueMs('check'); next; next = await store.nextDueMs('check')) {
      clock.jump(next - clock.now());
      if (await look()) looks.push((clock.now() - startMs) / 3_600_000);
    }
    return looks;
  };
  const alerted = () => store.get('notice', `${ID}.alert`);

  const completed = async () => {
    await confirmed();
    await submit();
    gateway.onStatus = (id) => statusOf(id, 'completed');
    await checks.serve(await now());
  };

  it('happens for a day and changes nothing while the service stays with its word', {
    tags: ['F29'],
  }, async () => {
    await completed();
    const settled = await now();
    expect(await hoursUntilQuiet()).toEqual([1 / 6, 2, 24]);
    expect(await now()).toEqual(settled);
    expect(await store.get('watch', ID)).toBeUndefined();
    expect(await alerted()).toBeUndefined();
  });

  it('finds a service that takes its word back: the state stays, thread and operators are told', {
    tags: ['F29'],
  }, async () => {
    await completed();
    gateway.onStatus = (id) => statusOf(id, 'failed');
    await hoursUntilQuiet();
    expect(await now()).toMatchObject({ state: 'completed', flag: 'conflict' });
    expect(await store.get('notice', `${ID}.outcome`)).toMatchObject({ about: { of: 'conflict' } });
    expect(await alerted()).toMatchObject({
      conversation: OPERATORS,
      about: { alert: { kind: 'payment', paymentId: ID, of: 'conflict' } },
    });
  });

  it('calls for a person when the word is taken back by a bare failed', async () => {
    await completed();
    gateway.onStatus = () => bare('failed', {});
    await hoursUntilQuiet();
    expect(await now()).toMatchObject({
      state: 'completed',
      flag: 'conflict',
      reason: 'The payment service says failed without naming the transaction.',
    });
  });

  it('finds a payment that was refused and yet taken', { tags: ['F10'] }, async () => {
    await confirmed();
    gateway.onPayment = () => ({ kind: 'refused', answer: { code: 'HTTP 403' }, reason: 'No.' });
    await submit();
    gateway.onStatus = (id) => statusOf(id, 'completed');
    await hoursUntilQuiet();
    expect(await now()).toMatchObject({ state: 'refused', flag: 'conflict' });
  });

  it.each(['given up', 'too busy to the end'])(
    'happens for what was answered with 429 and then not sent: %s',
    async (how) => {
      await confirmed();
      gateway.onPayment = () => ({ kind: 'rateLimited', answer: { code: '429' } });
      for (let tries = 0; tries < (how === 'given up' ? 1 : 6); tries++) {
        await submit();
        clock.jump(60_000);
      }
      if (how === 'given up') clock.jump(3_600_000);
      await submit();
      const given = await now();
      expect(given).toMatchObject({
        state: 'not sent',
        reason: expect.stringMatching(/^The payment service was too busy and took nothing\. /),
      });
      expect(await hoursUntilQuiet()).toHaveLength(3);
      expect(gateway.checked).toHaveLength(3);
    },
  );

  it('finds a payment that was answered with 429 to the end and yet taken', {
    tags: ['F11'],
  }, async () => {
    await confirmed();
    gateway.onPayment = () => ({ kind: 'rateLimited', answer: { code: '429' } });
    for (let tries = 0; tries < 6; tries++) {
      await submit();
      clock.jump(60_000);
    }
    gateway.onStatus = (id) => statusOf(id, 'completed');
    await hoursUntilQuiet();
    expect(await now()).toMatchObject({ state: 'not sent', flag: 'conflict' });
  });

  it('does not happen for what never left', async () => {
    await confirmed();
    cardDelivery = { kind: 'gone', reason: 'not_in_channel' };
    await submit();
    expect(await hoursUntilQuiet()).toEqual([]);
  });

  it('is no look when nobody answers: it is made again, so that the last one is not wasted', async () => {
    await completed();
    gateway.onStatus = () => ({ kind: 'noAnswer', answer: {}, reason: 'down' });
    for (let times = 0; times < 100; times++) {
      clock.jump(((await store.nextDueMs('check')) ?? 0) - clock.now());
      await look();
    }
    gateway.onStatus = (id) => statusOf(id, 'failed');
    await hoursUntilQuiet();
    expect(await now()).toMatchObject({ state: 'completed', flag: 'conflict' });
  });

  it('is given up when nobody has answered for three days', async () => {
    await completed();
    gateway.onStatus = () => ({ kind: 'noAnswer', answer: {}, reason: 'down' });
    expect((await hoursUntilQuiet()).at(-1)).toBeGreaterThan(72);
    expect(await store.get('watch', ID)).toBeUndefined();
  });

  it('waits when the service is busy', async () => {
    await completed();
    gateway.onStatus = () => ({ kind: 'rateLimited', answer: {}, retryAfterMs: 60_000 });
    clock.jump(600_000);
    expect(await look()).toBe(true);
    expect(await store.nextDueMs('check')).toBe(clock.now() + 60_000);
  });
});

describe('refused keys', () => {
  const another = async (id: string) => {
    const charge = aCharge({ id: `draft-${id}`, paymentId: id });
    await store.commit({ put: [{ kind: 'draft', record: charge }] });
    const payment = await payments.confirm(charge, ama);
    if (payment === undefined) throw new Error('not confirmed');
    await submitter.serve(payment);
    return payments.get(id);
  };

  it('stop new charges, one alert is owed, and one charge a minute finds out when they are accepted', {
    tags: ['F10'],
  }, async () => {
    gateway.onPayment = () => ({
      kind: 'refused',
      answer: { code: 'HTTP 401' },
      reason: 'The service does not accept our keys.',
      keysRefused: true,
    });
    expect(await another('01JD2M4X9QK7T3V1')).toMatchObject({ state: 'refused' });
    expect(await another('01JD2M4X9QK7T3V2')).toMatchObject({
      state: 'not sent',
      reason: expect.stringContaining('keys'),
    });
    expect(gateway.sent).toHaveLength(1);
    expect(await store.get('notice', 'keys.alert')).toMatchObject({ conversation: OPERATORS });
    clock.jump(60_000);
    expect(await another('01JD2M4X9QK7T3V3')).toMatchObject({ state: 'refused' });
    expect((await store.get('notice', 'keys.alert'))?.version).toBe(1);
    clock.jump(60_000);
    gateway.onPayment = () => ({ kind: 'accepted', answer: { code: '202' } });
    expect(await another('01JD2M4X9QK7T3V4')).toMatchObject({ state: 'pending' });
    expect(await another('01JD2M4X9QK7T3V5')).toMatchObject({ state: 'pending' });
  });

  it('are found out about by a charge that is sent, not by one that waits for its card', {
    tags: ['F86'],
  }, async () => {
    gateway.onPayment = () => ({
      kind: 'refused',
      answer: { code: 'HTTP 401' },
      reason: 'The service does not accept our keys.',
      keysRefused: true,
    });
    await another('01JD2M4X9QK7T3V1');
    clock.jump(60_000);
    cardDelivery = { kind: 'rateLimited', retryAfterMs: 1_000 };
    expect(await another('01JD2M4X9QK7T3V2')).toMatchObject({ state: 'confirmed' });
    cardDelivery = stands;
    gateway.onPayment = () => ({ kind: 'notSent', reason: 'The connection was refused.' });
    expect(await another('01JD2M4X9QK7T3V3')).toMatchObject({
      reason: expect.stringContaining('connection'),
    });
    // Nothing was sent yet, so nothing is known yet, and the next one finds out.
    gateway.onPayment = () => ({ kind: 'accepted', answer: { code: '202' } });
    expect(await another('01JD2M4X9QK7T3V4')).toMatchObject({ state: 'pending' });
    const waiting = await payments.get('01JD2M4X9QK7T3V2');
    if (waiting !== undefined) await submitter.serve(waiting);
    expect(await payments.get('01JD2M4X9QK7T3V2')).toMatchObject({ state: 'pending' });
  });

  it('are found out about by one charge at a time, however many have their cards', {
    tags: ['F86'],
  }, async () => {
    gateway.onPayment = () => ({
      kind: 'refused',
      answer: { code: 'HTTP 401' },
      reason: 'The service does not accept our keys.',
      keysRefused: true,
    });
    await another('01JD2M4X9QK7T3V1');
    clock.jump(60_000);
    const cards = Promise.withResolvers<void>();
    whileCardIsPosted = () => cards.promise;
    const all = Promise.all(['V2', 'V3', 'V4'].map((end) => another(`01JD2M4X9QK7T3${end}`)));
    await vi.waitFor(() => expect(posted).toHaveLength(4));
    cards.resolve();
    const states = (await all).map((payment) => payment?.state);
    expect(states.toSorted()).toEqual(['not sent', 'not sent', 'refused']);
    expect(gateway.sent).toHaveLength(2);
  });

  it('are not taken for right by a charge that was not sent', { tags: ['F86'] }, async () => {
    gateway.onPayment = () => ({
      kind: 'refused',
      answer: { code: 'HTTP 401' },
      reason: 'The service does not accept our keys.',
      keysRefused: true,
    });
    await another('01JD2M4X9QK7T3V1');
    clock.jump(60_000);
    const refuses = gateway.onPayment;
    gateway.onPayment = () => ({ kind: 'notSent', reason: 'The connection was refused.' });
    await another('01JD2M4X9QK7T3V2');
    gateway.onPayment = refuses;
    const two = await Promise.all(['V3', 'V4'].map((end) => another(`01JD2M4X9QK7T3${end}`)));
    expect(two.map((payment) => payment?.state).toSorted()).toEqual(['not sent', 'refused']);
  });

  it('at a status check change nothing and are told to the operators', {
    tags: ['F31'],
  }, async () => {
    await confirmed();
    await submit();
    gateway.onStatus = () => ({
      kind: 'refused',
      answer: { code: 'HTTP 403' },
      reason: 'keys',
      keysRefused: true,
    });
    await checks.serve(await now());
    expect((await now()).state).toBe('pending');
    expect(await store.get('notice', 'keys.alert')).toBeDefined();
  });
});
