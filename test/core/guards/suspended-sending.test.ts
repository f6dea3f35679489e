import { beforeEach, describe, expect, it } from 'vitest';
import { Suspensions } from '../../../src/core/guards/suspensions.ts';
import { Alerts } from '../../../src/core/notices/alerts.ts';
import { Drafts } from '../../../src/core/payments/drafts.ts';
import { PaymentSubmitter } from '../../../src/core/payments/payment-submitter.ts';
import { Payments } from '../../../src/core/payments/payments.ts';
import type { ChargeDraft } from '../../../src/core/records/draft.ts';
import type { SmsBatch } from '../../../src/core/records/sms-batch.ts';
import { systemRandom } from '../../../src/core/runtime/random.ts';
import { SmsSender } from '../../../src/core/sms/sms-sender.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { aCharge, ama, efua, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { noOperators } from '../../support/no-operators.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';
import { StubGateway } from '../../support/stub-gateway.ts';
import { testDraftSeal, testSeal, testSmsSeal } from '../../support/test-seal.ts';

const ID = '01JD2M4X9QK7T3VB';
const boss = { platform: 'slack', id: 'U0BOSS', name: 'Esi' };

let clock: ManualClock;
let store: Store;
let gateway: StubGateway;
let suspensions: Suspensions;

beforeEach(async () => {
  clock = new ManualClock();
  store = await openStore();
  gateway = new StubGateway();
  suspensions = new Suspensions({ store, clock });
});

const suspend = async ({ platform, id }: { platform: string; id: string }) =>
  suspensions.suspend(`${platform}:${id}`, boss, shop);

describe('a payment that is not sent yet', () => {
  let submitter: PaymentSubmitter;
  let payments: Payments;
  let whileCardIsPosted: () => Promise<unknown>;

  beforeEach(() => {
    const alerts = new Alerts({ store, clock, log: silentLog, operators: [] });
    const policy = { scheduleMs: [10_000], giveUpMs: 3_600_000 };
    payments = new Payments({ seal: testSeal, store, clock, policy, alerts });
    whileCardIsPosted = async () => {};
    submitter = new PaymentSubmitter({
      ...{ seal: testSeal, payments, store, gateway, clock, log: silentLog, alerts },
      random: systemRandom,
      callbackUrl: (id) => `http://127.0.0.1/callbacks/${id}/x`,
      outbox: {
        postFirstCard: async () => {
          await whileCardIsPosted();
          return { kind: 'posted', card: { conversation: shop, message: '1.1' } };
        },
      },
      requestTimeoutMs: 30_000,
    });
  });

  const confirmed = async (draft: ChargeDraft = aCharge()) => {
    await store.commit({ put: [{ kind: 'draft', record: draft }] });
    await payments.confirm(draft, draft.status === 'open' ? ama : efua);
  };
  const submit = async () => {
    const payment = await payments.get(ID);
    if (payment === undefined) throw new Error('no payment');
    await submitter.serve(payment);
    return payments.get(ID);
  };

  it('stops when its requester is suspended before it is sent, and says why', async () => {
    await confirmed();
    await suspend(ama);
    const reason = 'ama was stopped before it was sent.';
    expect(await submit()).toMatchObject({ state: 'not sent', reason });
    expect(gateway.sent).toEqual([]);
  });

  it('stops when its approver is suspended before it is sent', { tags: ['T12'] }, async () => {
    await confirmed(aCharge({ status: 'awaiting approval' }));
    await suspend(efua);
    const reason = 'Efua was stopped before it was sent.';
    expect(await submit()).toMatchObject({ state: 'not sent', reason });
    expect(gateway.sent).toEqual([]);
  });

  it('stops when somebody is suspended while its card is posted', async () => {
    await confirmed();
    whileCardIsPosted = () => suspend(ama);
    expect(await submit()).toMatchObject({ state: 'not sent' });
    expect(gateway.sent).toEqual([]);
  });

  it('is not sent again after a 429, and does not say that it never was', async () => {
    await confirmed();
    gateway.onPayment = () => ({ kind: 'rateLimited', answer: { code: '429' }, retryAfterMs: 1 });
    await submit();
    await suspend(ama);
    expect(await submit()).toMatchObject({
      state: 'not sent',
      reason:
        'The payment service was too busy and took nothing. ama was stopped before it was sent again.',
    });
    expect(gateway.sent).toHaveLength(1);
  });

  it('goes on when the suspension was taken back in time', async () => {
    await confirmed();
    await suspend(ama);
    await suspensions.reinstate('slack:U0AMA', boss, shop);
    expect(await submit()).toMatchObject({ state: 'pending' });
  });
});

describe('an SMS whose parts are not all sent yet', () => {
  const numbers = Array.from({ length: 120 }, (_, at) => `+233244${String(100_000 + at)}`);
  let sender: SmsSender;

  beforeEach(() => {
    sender = new SmsSender({
      onUnsent: async () => false,
      ...{ store, gateway, clock, log: silentLog, requestTimeoutMs: 30_000, random: systemRandom },
      ...{ alerts: noOperators({ store, clock }), seal: testSmsSeal },
    });
    gateway.onSms = () => ({ kind: 'sent', messageId: 'm', status: 'sent', answer: {} });
  });

  const confirmed = async (): Promise<SmsBatch> => {
    const drafts = new Drafts({
      ...{ store, clock, alerts: noOperators({ store, clock }), seal: testDraftSeal },
      confirmWithinMs: 600_000,
    });
    const terms = { senderId: 'Shop', text: 'We open at 8.', recipients: numbers };
    const draft = await drafts.create('slack:1', { kind: 'sms', terms }, ama, shop);
    const batch = draft && (await sender.confirm(draft, ama));
    if (batch === undefined) throw new Error('not confirmed');
    return batch;
  };
  const chunks = async ({ id }: SmsBatch) =>
    (await store.get('sms', id))?.chunks.map(({ state, reason }) => [state, reason]);

  it('stops where it is when its requester is suspended, and the report says what became of each part', async () => {
    const batch = await confirmed();
    gateway.onSms = async () => {
      await suspend(ama);
      return { kind: 'sent', messageId: 'm', status: 'sent', answer: {} };
    };
    await sender.serve(batch);
    expect(gateway.texted).toHaveLength(1);
    expect(await chunks(batch)).toEqual([
      ['sent', undefined],
      ['not sent', 'ama was stopped before it was sent.'],
      ['not sent', 'ama was stopped before it was sent.'],
    ]);
    expect(await store.get('notice', `${batch.id}.sms`)).toBeDefined();
  });

  it('stops a part that waits after a 429', { tags: ['T12'] }, async () => {
    const batch = await confirmed();
    gateway.onSms = () => ({ kind: 'rateLimited', answer: { code: '429' }, retryAfterMs: 1_000 });
    await sender.serve(batch);
    await suspend(ama);
    const waiting = await store.get('sms', batch.id);
    if (waiting === undefined) throw new Error('no batch');
    await sender.serve(waiting);
    expect(gateway.texted).toHaveLength(1);
    expect((await chunks(batch))?.[0]).toEqual([
      'not sent',
      'The payment service was too busy and took nothing. ama was stopped before it was sent again.',
    ]);
  });
});
