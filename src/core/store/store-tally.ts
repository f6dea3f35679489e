import { addedUp } from '../records/payment-figures.ts';
import type { Put } from '../records/records.ts';

/** One line of a count: so many records of a kind (payments: of a state and currency), and what they add up to. */
export type TallyLine = {
  readonly what: string;
  /** Empty where there is no money. */
  readonly currency: string;
  readonly count: number;
  readonly amountMinor: number;
};

export const AUDIT_ROWS = 'audit rows';

/** What there is, counted in such a way that two places can be compared. */
export class StoreTally {
  readonly #lines = new Map<string, TallyLine>();

  add({ what, currency, count, amountMinor }: TallyLine): void {
    // Their members are in this order, so that two counts can be compared.
    const line = { what, currency, count, amountMinor };
    addedUp([line], () => `${what} ${currency}`, this.#lines);
  }

  addRecord({ kind, record }: Put): void {
    if (kind === 'payment')
      this.add({ what: `payment ${record.state}`, count: 1, ...record.terms.amount });
    else this.add({ what: kind, currency: '', count: 1, amountMinor: 0 });
  }

  addAuditRow(): void {
    this.add({ what: AUDIT_ROWS, currency: '', count: 1, amountMinor: 0 });
  }

  /** In the order of their names. */
  get lines(): TallyLine[] {
    return [...this.#lines.entries()].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, line]) => line);
  }

  isSameAs(other: StoreTally): boolean {
    return JSON.stringify(this.lines) === JSON.stringify(other.lines);
  }
}
