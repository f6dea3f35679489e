import { readFile, rename, writeFile } from 'node:fs/promises';
import { Low, Memory } from 'lowdb';
import { DataFile } from 'lowdb/node';
import { numberPattern } from '../core/privacy/written-forms.ts';

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
  /** Where the customer's answer ends a payment: that answer. Absent: the number decides. */
  readonly prompt?: Prompt;
};

/** What a customer does with the prompt on the phone; one that is ignored has no answer. */
export type PromptAnswer = 'approved' | 'declined' | 'no money';

type Prompt =
  | { readonly answer: 'none' }
  | { readonly answer: PromptAnswer; readonly answeredAtMs: number };

type Books = {
  readonly payments: Map<string, SandboxPayment>;
  /** How often 429 was answered, by transaction id. */
  readonly rateLimits: Map<string, number>;
  smsUsed: number;
};

/** In the file lists rather than objects by id: an id such as `__proto__` or `123` is an id like any other. */
type Pages = {
  readonly payments: readonly SandboxPayment[];
  readonly rateLimits: readonly (readonly [transactionId: string, count: number])[];
  readonly smsUsed: number;
};

const parse = (text: string): Books => {
  const { payments, rateLimits, smsUsed }: Pages = JSON.parse(text);
  const byId = payments.map((payment) => [payment.transactionId, payment] as const);
  return { payments: new Map(byId), rateLimits: new Map(rateLimits), smsUsed };
};

const stringify = ({ payments, rateLimits, smsUsed }: Books): string => {
  const pages: Pages = { payments: [...payments.values()], rateLimits: [...rateLimits], smsUsed };
  return JSON.stringify(pages, null, 2);
};

/** A simulator that runs for years needs no more; the oldest are forgotten first. */
const MAX_ENTRIES = 5000;

/** What the sandbox remembers, kept in a file when there is one. */
export class PaymentLedger {
  readonly #db: Low<Books>;
  readonly #books: Books;
  #writing: Promise<void> = Promise.resolve();
  #next: Promise<void> | undefined;

  private constructor(db: Low<Books>) {
    this.#db = db;
    this.#books = db.data;
  }

  static async open(file: string | undefined): Promise<PaymentLedger> {
    const adapter =
      file === undefined ? new Memory<Books>() : new DataFile<Books>(file, { parse, stringify });
    const db = new Low(adapter, { payments: new Map(), rateLimits: new Map(), smsUsed: 0 });
    await db.read();
    return new PaymentLedger(db);
  }

  get smsUsed(): number {
    return this.#books.smsUsed;
  }

  payments(): readonly SandboxPayment[] {
    return [...this.#books.payments.values()];
  }

  payment(transactionId: string): SandboxPayment | undefined {
    return this.#books.payments.get(transactionId);
  }

  /** Charges once more when the id is known: the service document promises no protection. */
  async take(payment: Omit<SandboxPayment, 'times'>): Promise<SandboxPayment> {
    const known = this.#books.payments.get(payment.transactionId);
    return this.#keep({ ...(known ?? payment), times: (known?.times ?? 0) + 1 });
  }

  /** The payment with the answer to its prompt; undefined: there is no prompt, or it was answered before. */
  async answerPrompt(
    transactionId: string,
    answer: PromptAnswer,
    answeredAtMs: number,
  ): Promise<SandboxPayment | undefined> {
    const payment = this.#books.payments.get(transactionId);
    if (payment?.prompt?.answer !== 'none') return undefined;
    return this.#keep({ ...payment, prompt: { answer, answeredAtMs } });
  }

  /** One callback less to send: it was delivered or given up. */
  async settleCallback(transactionId: string): Promise<void> {
    const payment = this.#books.payments.get(transactionId);
    if (payment !== undefined)
      await this.#keep({ ...payment, callbacksOwed: payment.callbacksOwed - 1 });
  }

  /** Counts the 429 answers to this id and says how many there are now. */
  async countRateLimit(transactionId: string): Promise<number> {
    const count = (this.#books.rateLimits.get(transactionId) ?? 0) + 1;
    this.#books.rateLimits.set(transactionId, count);
    await this.#save();
    return count;
  }

  async spendSms(units: number): Promise<void> {
    this.#books.smsUsed += units;
    await this.#save();
  }

  async #keep(payment: SandboxPayment): Promise<SandboxPayment> {
    this.#books.payments.set(payment.transactionId, payment);
    await this.#save();
    return payment;
  }

  /** One write at a time; all changes made during a write share the next one. */
  #save(): Promise<void> {
    this.#next ??= this.#writing.then(() => {
      this.#next = undefined;
      forgetOldest(this.#books.payments);
      forgetOldest(this.#books.rateLimits);
      const written = this.#db.write();
      // A failed write rejects for its own callers alone; the next one is tried all the same.
      this.#writing = written.catch(() => undefined);
      return written;
    });
    return this.#next;
  }
}

const forgetOldest = (entries: Map<string, unknown>): void => {
  for (const key of entries.keys()) {
    if (entries.size <= MAX_ENTRIES) return;
    entries.delete(key);
  }
};

/** Replaces a customer's number in the sandbox's file. The last two digits stay: they choose the scenario. */
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
