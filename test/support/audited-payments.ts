import { Drafts } from '../../src/core/payments/drafts.ts';
import type { PaymentEvent } from '../../src/core/payments/payment-event.ts';
import { Payments } from '../../src/core/payments/payments.ts';
import type { Store } from '../../src/core/store/store.ts';
import { newTransactionId } from '../../src/core/values/transaction-id.ts';
import { aCharge, ama, shop } from './a-payment.ts';
import type { ManualClock } from './manual-clock.ts';
import { noOperators } from './no-operators.ts';
import { testDraftSeal, testSeal } from './test-seal.ts';

const policy = { scheduleMs: [10_000], giveUpMs: 72 * 3_600_000 };

/** The writers of a store, and a way from a question to a confirmed payment. */
export const booksOf = (store: Store, clock: ManualClock) => {
  const payments = new Payments({
    seal: testSeal,
    store,
    clock,
    policy,
    alerts: noOperators({ store, clock }),
  });
  const drafts = new Drafts({
    ...{ store, clock, alerts: noOperators({ store, clock }), seal: testDraftSeal },
    confirmWithinMs: 600_000,
  });
  const confirmed = async (amountMinor: number): Promise<string> => {
    const paymentId = newTransactionId(clock.now());
    const terms = { ...aCharge().terms, amount: { amountMinor, currency: 'GHS' } };
    const draft = await drafts.create(paymentId, aCharge({ terms, paymentId }), ama, shop);
    if (draft === undefined) throw new Error('no draft');
    await payments.confirm(draft, ama, { button: 'charge' });
    return paymentId;
  };
  return { payments, drafts, confirmed };
};

const answer = { code: '202', message: 'Accepted' };
const SENT: PaymentEvent[] = [
  { kind: 'submitting', presumedLostAtMs: 0, card: { conversation: shop, message: '1.1' } },
  { kind: 'accepted', answer },
];
const LIVES: PaymentEvent[][] = [
  [
    ...SENT,
    { kind: 'callback', message: 'done' },
    { kind: 'checked', finding: { kind: 'completed', answer } },
  ],
  [
    ...SENT,
    { kind: 'checked', finding: { kind: 'mismatch', answer, reason: 'Another amount.' } },
    { kind: 'checked', finding: { kind: 'pending', answer } },
  ],
  [SENT[0] ?? { kind: 'set aside' }, { kind: 'refused', answer, reason: 'No.' }],
];

/** What a payment owes to the chat is told: before that it does not leave for the archive. */
const delivered = async (store: Store, paymentId: string): Promise<void> => {
  for (const id of [`${paymentId}.card`, `${paymentId}.outcome`]) {
    const notice = await store.get('notice', id);
    if (notice !== undefined)
      await store.commit({ remove: [{ kind: 'notice', id, version: notice.version }] });
  }
};

/** Three payments with their stories: completed, pending in conflict, and refused. */
export const auditedPayments = async (store: Store, clock: ManualClock): Promise<string[]> => {
  const { payments, confirmed } = booksOf(store, clock);
  const ids: string[] = [];
  for (const [n, life] of LIVES.entries()) {
    const id = await confirmed(1_000 * (n + 1));
    ids.push(id);
    for (const event of life) {
      clock.jump(1_000);
      await payments.record(id, event);
    }
    await delivered(store, id);
  }
  return ids;
};
