import { confirmedPayment } from '../payments/confirmed-payment.ts';
import { type BulkCharge, type ChargeRun, isCharge } from '../records/bulk.ts';
import type { Payment } from '../records/payment.ts';
import { defined } from '../runtime/defined.ts';
import type { Store } from '../store/store.ts';
import { type PlacedRow, readRows } from './bulk-pages.ts';
import { readUnsentRuns } from './unsent-runs.ts';

/** The rows of a run by their customers, each with its place in the file. */
type RowsByCustomer = ReadonlyMap<string, readonly PlacedRow<BulkCharge>[]>;

/** Finds the rows of confirmed files that are still to be made, by their customers. */
export class UnsentRows {
  readonly #store: Pick<Store, 'get'>;
  /** By draft, of runs that are not over: their rows never change. */
  readonly #known = new Map<string, RowsByCustomer>();

  constructor(store: Pick<Store, 'get'>) {
    this.#store = store;
  }

  /** The rows of these customers (E.164), each as the payment that it will be. */
  async of(numbers: readonly string[]): Promise<Payment[]> {
    const runs = await readUnsentRuns(this.#store);
    const current = new Set(runs.map(({ draftId }) => draftId));
    for (const draftId of this.#known.keys())
      if (!current.has(draftId)) this.#known.delete(draftId);
    const found: Payment[] = [];
    for (const run of runs) {
      const rows = this.#known.get(run.draftId) ?? (await this.#read(run));
      for (const number of numbers)
        for (const { at, row } of rows.get(number) ?? [])
          if (at >= run.next) found.push(paymentOfRow(run, row));
    }
    return found;
  }

  async #read(run: ChargeRun): Promise<RowsByCustomer> {
    const charges = await readRows(this.#store, run, isCharge);
    const rows = Map.groupBy(charges, ({ row }) => row.terms.customerNumber);
    this.#known.set(run.draftId, rows);
    return rows;
  }
}

const paymentOfRow = (
  { id: run, requester, approver, conversation, countedFor, confirmedAtMs }: ChargeRun,
  { id, row, terms, retryOf }: BulkCharge,
): Payment =>
  confirmedPayment(
    {
      ...{ id, terms, requester, conversation, bulk: { run, row } },
      ...defined({ approver, countedFor, retryOf }),
    },
    confirmedAtMs,
  );
