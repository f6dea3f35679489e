import { isOfFile } from '../records/draft.ts';
import type { Payment } from '../records/payment.ts';
import type { Put } from '../records/records.ts';
import type { Customer } from '../store/sql/customer-erasure.ts';
import type { Money } from '../values/money.ts';
import { FORGOTTEN_NAME } from '../values/pseudonym.ts';

export type Found = {
  readonly payments: number;
  /** When the first and the last of them were confirmed. */
  readonly firstMs?: number;
  readonly lastMs?: number;
  readonly amounts: readonly Money[];
  readonly sms: number;
  readonly names: readonly string[];
};

/** Gathers what is a customer's own out of everything that is stored, in any order and as often as it is met. */
export class CustomerRecords {
  readonly customer: Customer;
  /** Of their payments, drafts and SMS. */
  readonly ids = new Set<string>();
  /** What they are called in those. */
  readonly names = new Set<string>();
  readonly #payments = new Map<string, Payment>();
  readonly #sms = new Set<string>();

  constructor(customer: Customer) {
    this.customer = customer;
  }

  take({ kind, record }: Put): void {
    if (kind === 'payment') this.#takePayment(record);
    if (kind === 'sms') this.#takeSms(record.id, record.terms.recipients);
    if (kind !== 'draft' || isOfFile(record)) return;
    if (record.kind === 'sms') this.#takeOnly(record.id, record.terms.recipients);
    else if (this.#isTheirs(record.terms.customerNumber)) {
      this.ids.add(record.id).add(record.paymentId);
      this.#takeName(record.terms.customerName);
    }
  }

  get found(): Found {
    const payments = [...this.#payments.values()];
    const times = payments.map(({ confirmedAtMs }) => confirmedAtMs).sort((a, b) => a - b);
    const [firstMs, lastMs] = [times[0], times.at(-1)];
    return {
      payments: payments.length,
      ...(firstMs === undefined || lastMs === undefined ? {} : { firstMs, lastMs }),
      amounts: payments.map(({ terms }) => terms.amount),
      sms: this.#sms.size,
      names: [...this.names],
    };
  }

  #takePayment(payment: Payment): void {
    const { id, terms } = payment;
    if (!this.#isTheirs(terms.customerNumber)) return;
    this.ids.add(id);
    this.#takeName(terms.customerName);
    // What was forgotten before is theirs, and not found again.
    if (terms.customerNumber === this.customer.number) this.#payments.set(id, payment);
  }

  #takeSms(id: string, recipients: readonly string[]): void {
    if (recipients.includes(this.customer.number)) this.#sms.add(id);
    this.#takeOnly(id, recipients);
  }

  /** What went to others as well may name one of them. */
  #takeOnly(id: string, recipients: readonly string[]): void {
    const [only, ...others] = recipients;
    if (only !== undefined && others.length === 0 && this.#isTheirs(only)) this.ids.add(id);
  }

  #takeName(name: string | undefined): void {
    if (name !== undefined && name !== FORGOTTEN_NAME) this.names.add(name);
  }

  #isTheirs(number: string): boolean {
    return number === this.customer.number || number === this.customer.pseudonym;
  }
}
