import { Counter, collectDefaultMetrics, Gauge, Registry } from 'prom-client';
import type { Gateway } from './gateway/gateway.ts';
import { OPEN_STATES, type PaymentState } from './payments/payment.ts';
import type { Queue, Store } from './store/store.ts';

const QUEUES: readonly Queue[] = ['submit', 'check', 'notice', 'sms'];

/** The numbers an operator watches, as Prometheus text. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #answers: Counter<'operation' | 'outcome'>;

  constructor(options: { store: Store; nowMs: () => number }) {
    collectDefaultMetrics({ register: this.#registry });
    this.#answers = new Counter({
      name: 'paythread_gateway_answers_total',
      help: 'Answers of the payment service by operation and outcome',
      labelNames: ['operation', 'outcome'],
      registers: [this.#registry],
    });
    openPayments(this.#registry, options.store);
    dueWork(this.#registry, options.store, options.nowMs);
  }

  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** The same gateway, its answers counted. */
  counted(gateway: Gateway): Gateway {
    const count = async <T extends { kind: string }>(
      operation: string,
      answer: Promise<T>,
    ): Promise<T> => {
      const outcome = await answer;
      this.#answers.inc({ operation, outcome: outcome.kind });
      return outcome;
    };
    return {
      makePayment: (request) => count('make_payment', gateway.makePayment(request)),
      lookUpAccount: (query) => count('payment_account_lookup', gateway.lookUpAccount(query)),
      checkStatus: (id, urgency) =>
        count('check_transaction_status', gateway.checkStatus(id, urgency)),
      sendSms: (message) => count('send_sms', gateway.sendSms(message)),
      checkBalance: () => count('check_sms_balance', gateway.checkBalance()),
    };
  }
}

const openPayments = (registry: Registry, store: Store): Gauge<'state'> =>
  new Gauge({
    name: 'paythread_open_payments',
    help: 'Payments without an outcome yet, by state',
    labelNames: ['state'],
    registers: [registry],
    async collect() {
      this.reset();
      for (const state of OPEN_STATES) this.set({ state }, await countOf(store, state));
    },
  });

const dueWork = (registry: Registry, store: Store, nowMs: () => number): Gauge<'queue'> =>
  new Gauge({
    name: 'paythread_oldest_due_seconds',
    help: 'How long the oldest due work of a queue has been waiting',
    labelNames: ['queue'],
    registers: [registry],
    async collect() {
      for (const queue of QUEUES) {
        const dueMs = await store.nextDueMs(queue);
        this.set({ queue }, dueMs === undefined ? 0 : Math.max(0, nowMs() - dueMs) / 1000);
      }
    },
  });

const countOf = async (store: Store, state: PaymentState): Promise<number> => {
  let count = 0;
  let after: string | undefined;
  do {
    const page = await store.listPayments(
      { states: [state] },
      { limit: 1000, ...(after === undefined ? {} : { after }) },
    );
    count += page.payments.length;
    after = page.next;
  } while (after !== undefined);
  return count;
};
