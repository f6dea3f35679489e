import type { PaymentOutcome, StatusOutcome } from '../../../src/core/gateway/gateway.ts';
import { Alerts } from '../../../src/core/notices/alerts.ts';
import { Outbox } from '../../../src/core/notices/outbox.ts';
import { PaymentSubmitter } from '../../../src/core/payments/payment-submitter.ts';
import { Payments } from '../../../src/core/payments/payments.ts';
import { StatusChecker } from '../../../src/core/payments/status-checker.ts';
import type { Payment } from '../../../src/core/records/payment.ts';
import { systemRandom } from '../../../src/core/runtime/random.ts';
import type { Store } from '../../../src/core/store/store.ts';
import type { Delivery } from '../../../src/core/values/conversation.ts';
import { aCharge, ama, shop } from '../../support/a-payment.ts';
import { ManualClock } from '../../support/manual-clock.ts';
import { openStore } from '../../support/open-store.ts';
import { silentLog } from '../../support/silent-log.ts';
import { StubGateway } from '../../support/stub-gateway.ts';
import { testSeal } from '../../support/test-seal.ts';

export const ID = '01JD2M4X9QK7T3VB';
export const OPERATORS = { platform: 'slack', channel: 'C0OPS' };
export const CARD_STANDS: Delivery = {
  kind: 'delivered',
  ref: { conversation: shop, message: '1.1' },
};
export const ACCEPTED: PaymentOutcome = { kind: 'accepted', answer: { code: '202' } };
export const BUSY: PaymentOutcome = {
  kind: 'rateLimited',
  answer: { code: '429', message: 'Rate limit exceeded' },
  retryAfterMs: 1_000,
};

/** What a status check is told when the service does not name all that it should. */
export const bare = (
  status: 'completed' | 'failed',
  named: { transactionId?: string; amount?: string } = {},
): StatusOutcome => ({ kind: 'status', status, word: status, answer: { code: '000' }, ...named });

/** One payment over its whole life, with a service and a chat that do what the test says. */
export class OnePayment {
  readonly clock = new ManualClock();
  readonly gateway = new StubGateway();
  readonly store: Store;
  readonly alerts: Alerts;
  readonly payments: Payments;
  readonly checks: StatusChecker;
  submitter: PaymentSubmitter;
  /** Its first card, as often as it was posted. */
  readonly posted: { mayStand: boolean; lookFirst: boolean }[] = [];
  cardDelivery = CARD_STANDS;
  whileCardIsPosted: () => Promise<void> = async () => {};

  private constructor(store: Store) {
    const { clock, gateway } = this;
    this.store = store;
    this.alerts = new Alerts({ store, clock, log: silentLog, operators: [OPERATORS] });
    this.payments = new Payments({
      ...{ seal: testSeal, store, clock, alerts: this.alerts },
      policy: { scheduleMs: [10_000, 20_000], giveUpMs: 3_600_000 },
    });
    this.checks = new StatusChecker({
      ...{ payments: this.payments, store, gateway, clock, alerts: this.alerts },
      ...{ log: silentLog, random: systemRandom },
    });
    this.submitter = this.newSubmitter();
  }

  static async open(): Promise<OnePayment> {
    return new OnePayment(await openStore());
  }

  /** As another instance has it, or the next process. */
  newSubmitter(): PaymentSubmitter {
    const { store, clock, alerts, payments, gateway } = this;
    return new PaymentSubmitter({
      ...{ seal: testSeal, payments, store, gateway, clock, log: silentLog, alerts },
      random: systemRandom,
      callbackUrl: (id) => `http://127.0.0.1/callbacks/${id}/x`,
      outbox: new Outbox({
        ...{ store, clock, log: silentLog, alerts },
        sender: {
          send: async () => ({ kind: 'nothing' }),
          postCard: async (_payment, { mayStand, lookFirst }) => {
            this.posted.push({ mayStand, lookFirst });
            await this.whileCardIsPosted();
            return this.cardDelivery;
          },
        },
      }),
      requestTimeoutMs: 30_000,
    });
  }

  /** Another process goes on after this time. */
  restart(afterMs = 0): void {
    this.clock.jump(afterMs);
    this.submitter = this.newSubmitter();
  }

  async now(): Promise<Payment> {
    const payment = await this.payments.get(ID);
    if (payment === undefined) throw new Error('no payment');
    return payment;
  }

  async confirmed(): Promise<void> {
    const draft = aCharge();
    await this.store.commit({ put: [{ kind: 'draft', record: draft }] });
    await this.payments.confirm(draft, ama);
  }

  /** Serves it, which sends it unless something stops that. */
  async submit(): Promise<void> {
    await this.submitter.serve(await this.now());
  }

  /** Confirmed, and sent to a service that answers this. */
  async sent(outcome: PaymentOutcome = ACCEPTED): Promise<void> {
    await this.confirmed();
    this.gateway.onPayment = () => outcome;
    await this.submit();
  }

  async check(): Promise<void> {
    await this.checks.serve(await this.now());
  }

  async callback(message?: string): Promise<void> {
    await this.payments.record(ID, { kind: 'callback', ...(message !== undefined && { message }) });
  }

  /** Writes into the store what the program never would. */
  async forge(change: (payment: Payment) => Partial<Payment>): Promise<void> {
    const before = await this.now();
    const record = { ...before, ...change(before), version: before.version + 1 };
    await this.store.commit({ put: [{ kind: 'payment', record }] });
  }
}
