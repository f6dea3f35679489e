import type { Gauge } from 'prom-client';
import { ChargeFreeze } from '../guards/charge-freeze.ts';
import { QUEUES } from '../records/due.ts';
import { countedIn, OPEN_STATES, type Payment } from '../records/payment.ts';
import type { Store } from '../store/store.ts';
import type { MetricRegister } from './metric-register.ts';

const OWED = QUEUES.filter((queue) => queue !== 'tidy');
const FLAGS = ['needs a person', 'conflict'] as const satisfies readonly Payment['flag'][];

export class StateGauges {
  readonly #store: Store;
  readonly #nowMs: () => number;
  readonly #up: Gauge;
  readonly #open: Gauge<'state'>;
  readonly #flagged: Gauge<'flag'>;
  readonly #owed: Gauge<'queue'>;
  readonly #oldest: Gauge<'queue'>;
  readonly #frozen: Gauge;

  constructor(register: MetricRegister, options: { store: Store; nowMs: () => number }) {
    this.#store = options.store;
    this.#nowMs = options.nowMs;
    this.#up = register.gauge('paythread_store_up', '1 when the store could be asked, else 0', []);
    this.#open = register.gauge(
      'paythread_open_payments',
      'Payments without an outcome yet, by state',
      ['state'],
    );
    this.#flagged = register.gauge(
      'paythread_flagged_payments',
      'Payments without an outcome that a person has to look at, by why',
      ['flag'],
    );
    this.#owed = register.gauge(
      'paythread_owed_work',
      'Work that is owed, due now or later, by queue; notice: messages owed to chats',
      ['queue'],
    );
    this.#oldest = register.gauge(
      'paythread_oldest_due_seconds',
      'How long the oldest due work of a queue has been waiting',
      ['queue'],
    );
    this.#frozen = register.gauge(
      'paythread_frozen',
      '1 after a restore, until npm run reconcile has asked about everything; nothing is charged meanwhile',
      [],
    );
  }

  /** Never rejects: while the store is away, what it holds is left out, and `paythread_store_up` says so. */
  async read(): Promise<void> {
    try {
      await this.#readPayments();
      await this.#readQueues();
      this.#frozen.set((await new ChargeFreeze(this.#store).standing()) === undefined ? 0 : 1);
      this.#up.set(1);
    } catch {
      // Callers that need the store for more than numbers report why.
      this.#up.set(0);
      for (const gauge of [this.#open, this.#flagged, this.#owed, this.#oldest]) gauge.reset();
    }
  }

  async #readPayments(): Promise<void> {
    const states = OPEN_STATES;
    // In the store, by its indexes: reading 10,000 payments held everything else up for 65 ms.
    const { totals } = await this.#store.totalPayments({ states });
    for (const state of states)
      this.#open.set({ state }, countedIn(totals.filter((one) => one.state === state)));
    for (const flag of FLAGS) {
      const flagged = await this.#store.totalPayments({ states, flag });
      this.#flagged.set({ flag }, countedIn(flagged.totals));
    }
  }

  async #readQueues(): Promise<void> {
    for (const queue of OWED) {
      const dueMs = await this.#store.nextDueMs(queue);
      const lateMs = dueMs === undefined ? 0 : Math.max(0, this.#nowMs() - dueMs);
      this.#oldest.set({ queue }, lateMs / 1000);
      this.#owed.set({ queue }, await this.#store.countDue(queue));
    }
  }
}
