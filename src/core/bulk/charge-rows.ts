import { customerGuard } from '../guards/limit-guards.ts';
import type { Payments } from '../payments/payments.ts';
import { type BulkRun, countIn, isCharge } from '../records/bulk.ts';
import { OPEN_STATES } from '../records/payment.ts';
import type { Put } from '../records/records.ts';
import type { Clock } from '../runtime/clock.ts';
import type { Store } from '../store/store.ts';
import { readNextRow } from './bulk-pages.ts';
import { type Asked, type EarlierCharges, isLike, rowOfFile } from './earlier-charges.ts';
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
    const next = await readNextRow(this.#needs.store, run, isCharge);
    if (next === undefined) return undefined;
    const { id, terms, repeats } = next;
    const make = async (alsoPut: readonly Put[]): Promise<boolean | 'not again'> => {
      // Before the look: a charge of this customer that is confirmed after it changes the guard.
      const guard = await customerGuard(this.#needs, terms.customerNumber, id);
      if (await this.#wasAskedSince(run, terms, repeats)) return 'not again';
      return this.#needs.payments.confirmRow(rowOfFile(run, next), [guard, ...alsoPut]);
    };
    return { id, worth: terms.amount.amountMinor, make };
  }

  /** Whether the customer was asked for the same since the run began, by a charge that its dry run did not name. */
  async #wasAskedSince(
    { id: run, confirmedAtMs }: BulkRun,
    asked: Asked,
    named: readonly string[] = [],
  ): Promise<boolean> {
    const sinceMs = confirmedAtMs - CLOCKS_DIFFER_MS;
    const { earlier } = this.#needs;
    const made = await earlier.made([asked.customerNumber], sinceMs, asked.merchant);
    return made.some(
      (each) => isLike(each, asked) && each.bulk?.run !== run && !named.includes(each.id),
    );
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
