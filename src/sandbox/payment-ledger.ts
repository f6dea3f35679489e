import { readFile, rename, writeFile } from 'node:fs/promises';
import { Low, Memory } from 'lowdb';
import { JSONFile } from 'lowdb/node';
import { numberPattern } from '../core/privacy/written-forms.ts';

/** A payment that the sandbox took. */
export type SandboxPayment = {
  readonly transactionId: string;
  readonly customerNumber: string;
  readonly amount: number;
  readonly currencyCode: string;
  readonly reference: string;
  readonly callbackUrl: string;
  readonly takenAtMs: number;
  /** How often this id was taken: more than once is more than one charge. */
  readonly times: number;
  /** Callbacks that still have to be sent. */
  readonly callbacksOwed: number;
};

/** Lists rather than objects by id: an id such as `__proto__` or `123` is an id like any other. */
type Pages = {
  payments: readonly SandboxPayment[];
  /** How often 429 was answered, by transaction id. */
  rateLimits: readonly (readonly [transactionId: string, count: number])[];
  smsUsed: number;
};

/** A simulator that runs for years needs no more; the oldest are forgotten first. */
const MAX_ENTRIES = 5000;

/** What the sandbox remembers, kept in a file when there is one. */
export class PaymentLedger {
  readonly #db: Low<Pages>;
  readonly #payments: Map<string, SandboxPayment>;
  readonly #rateLimits: Map<string, number>;
  #smsUsed: number;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  private constructor(db: Low<Pages>) {
    this.#db = db;
    this.#payments = new Map(db.data.payments.map((payment) => [payment.transactionId, payment]));
    this.#rateLimits = new Map(db.data.rateLimits);
    this.#smsUsed = db.data.smsUsed;
  }

  static async open(file: string | undefined): Promise<PaymentLedger> {
    const adapter = file === undefined ? new Memory<Pages>() : new JSONFile<Pages>(file);
    const db = new Low<Pages>(adapter, { payments: [], rateLimits: [], smsUsed: 0 });
    await db.read();
    return new PaymentLedger(db);
  }

  get smsUsed(): number {
    return this.#smsUsed;
  }

  payments(): readonly SandboxPayment[] {
    return [...this.#payments.values()];
  }

  payment(transactionId: string): SandboxPayment | undefined {
    return this.#payments.get(transactionId);
  }

  /** Charges once more when the id is known: the service document promises no protection. */
  async take(payment: Omit<SandboxPayment, 'times'>): Promise<SandboxPayment> {
    const known = this.#payments.get(payment.transactionId);
    const taken = { ...(known ?? payment), times: (known?.times ?? 0) + 1 };
    this.#payments.set(taken.transactionId, taken);
    await this.#save();
    return taken;
  }

  /** One callback less to send: it was delivered or given up. */
  async settleCallback(transactionId: string): Promise<void> {
    const payment = this.#payments.get(transactionId);
    if (payment === undefined) return;
    const callbacksOwed = payment.callbacksOwed - 1;
    this.#payments.set(transactionId, { ...payment, callbacksOwed });
    await this.#save();
  }

  /** Counts the 429 answers to this id and says how many there are now. */
  async countRateLimit(transactionId: string): Promise<number> {
    const count = (this.#rateLimits.get(transactionId) ?? 0) + 1;
    this.#rateLimits.set(transactionId, count);
    await this.#save();
    return count;
  }

  async spendSms(units: number): Promise<void> {
    this.#smsUsed += units;
    await this.#save();
  }

  /** One write at a time; all changes made during a write share the next one. */
  #save(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      const written = this.#write();
      // A failed write rejects for its own callers alone; the next one is tried all the same.
      this.#writing = written.catch(() => undefined);
      return written;
    });
    return this.#next;
  }

  #write(): Promise<void> {
    forgetOldest(this.#payments);
    forgetOldest(this.#rateLimits);
    this.#db.data = {
      payments: this.payments(),
      rateLimits: [...this.#rateLimits],
      smsUsed: this.#smsUsed,
    };
    return this.#db.write();
  }
}

const forgetOldest = (entries: Map<string, unknown>): void => {
  for (const key of entries.keys()) {
    if (entries.size <= MAX_ENTRIES) return;
    entries.delete(key);
  }
};

/**
 * Replaces a customer's number in the sandbox's file; no sandbox may run meanwhile. The last two digits stay, because
 * they choose the scenario.
 */
export const forgetInBooks = async (
  file: string,
  { number, pseudonym }: { number: string; pseudonym: string },
): Promise<void> => {
  const books = await readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // The sandbox has taken no payment yet.
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  const pattern = numberPattern(number, { bare: true });
  const without = books.replace(pattern, `${pseudonym}-${number.slice(-2)}`);
  if (without === books) return;
  await writeFile(`${file}.anew`, without, { mode: 0o600 });
  await rename(`${file}.anew`, file);
};
