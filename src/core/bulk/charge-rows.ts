import { customerGuard } from '../guards/limit-guards.ts';
import type { Payments } from '../payments/payments.ts';
import { type BulkRun, countIn, isCharge } from '../records/bulk.ts';
import { OPEN_STATES } from '../records/payment.ts';
import type { Put } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import { readNextRow } from './bulk-pages.ts';
import { type EarlierCharges, isLike, rowOfFile } from './earlier-charges.ts';
import type { RowKind } from './row-kind.ts';

/** The clocks of two instances differ by less. What was there before the press is named by the dry run. */
const CLOCKS_DIFFER_MS = 600_000;

type ChargeRowsNeeds = {
  readonly store: Store;
  readonly clock: Clock;
  readonly payments: Payments;
  readonly earlier: EarlierCharges;
};

export class ChargeRows implements RowKind {
  readonly unanswered = ['confirmed', 'submitting'] as const;
  readonly #needs: ChargeRowsNeeds;

  constructor(needs: ChargeRowsNeeds) {
    this.#needs = needs;
  }

  async next(run: BulkRun) {
    const { store, payments, earlier } = this.#needs;
    const next = await readNextRow(store, run, isCharge);
    if (next === undefined) return undefined;
    const { id, terms, repeats = [] } = next;
    const sinceMs = run.confirmedAtMs - CLOCKS_DIFFER_MS;
    const make = async (alsoPut: readonly Put[]): Promise<boolean | 'not again'> => {
      // Before the look: a charge of this customer that is confirmed after it changes the guard.
      const guard = await customerGuard(this.#needs, terms.customerNumber, id);
      const made = await earlier.made([terms.customerNumber], sinceMs, terms.merchant);
      // The customer was asked for the same since the run began, by a charge that its dry run did not name.
      const others = made.filter((each) => each.bulk?.run !== run.id && !repeats.includes(each.id));
      if (others.some((each) => isLike(each, terms))) return 'not again';
      return payments.confirmRow(rowOfFile(run, next), [guard, ...alsoPut]);
    };
    return { id, worth: terms.amount.amountMinor, make };
  }

  async stateOf(id: string) {
    return (await this.#needs.payments.get(id))?.state;
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
}
