import type { Payments } from '../payments/payments.ts';
import { type BulkCharge, type BulkRun, type ChargeRun, countIn } from '../records/bulk.ts';
import { OPEN_STATES } from '../records/payment.ts';
import type { Put } from '../records/records.ts';
import { defined } from '../runtime/defined.ts';
import type { Store } from '../store/store.ts';
import type { RowKind } from './row-kind.ts';

type Needs = { readonly store: Store; readonly payments: Payments };

/** The rows of a file of charges: each is a payment like any other. */
export class ChargeRows implements RowKind {
  readonly unanswered = ['confirmed', 'submitting'] as const;
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  async make(
    { id: run, requester, approver, conversation, countedFor, maskedFrom: from }: ChargeRun,
    { row, id, terms, retryOf }: BulkCharge,
    behind: readonly Put[],
  ): Promise<boolean | 'not again'> {
    const confirmed = { id, terms, requester, conversation, bulk: { run, row } };
    const maskedFrom = from && (retryOf ?? from);
    const more = defined({ approver, countedFor, retryOf, maskedFrom });
    return this.#needs.payments.confirmRow({ ...confirmed, ...more }, behind);
  }

  async stateOf(id: string) {
    return (await this.#needs.payments.get(id))?.state;
  }

  /** Their outcomes come later and change: all are counted together. */
  added(tally: BulkRun['tally']) {
    return tally;
  }

  async count({ id }: BulkRun) {
    const { totals } = await this.#needs.store.totalPayments({ bulk: id });
    return Object.fromEntries(
      totals.map(({ state, count, amountMinor }) => [state, { count, amountMinor }]),
    );
  }

  isOpen(run: BulkRun) {
    return countIn(run, OPEN_STATES) > 0;
  }

  /** What the payment service said stays out: it may name a customer. */
  async lastRefusal({ id }: BulkRun) {
    const { payments } = await this.#needs.store.listPayments({ bulk: id }, { limit: 1 });
    const [last] = payments;
    return last?.state === 'not sent' ? last.reason : undefined;
  }

  async atEnd() {
    return [];
  }
}
