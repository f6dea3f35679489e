import { isEmpty, mustBeOrderly } from '../change-check.ts';
import type { DueListeners } from '../due-listeners.ts';
import type {
  Change,
  Due,
  Kind,
  PaymentFilter,
  PaymentPage,
  Put,
  Queue,
  Records,
  Store,
} from '../store.ts';
import { isStorable } from './change-statement.ts';
import type { Claims } from './claims.ts';
import type { Commits } from './commits.ts';
import type { Database } from './database.ts';
import type { DueSignals } from './due-signals.ts';
import { pageOfPayments } from './payment-pages.ts';

type Parts = {
  readonly database: Database;
  readonly commits: Commits;
  readonly claims: Claims;
  readonly listeners: DueListeners;
  readonly signals: DueSignals;
  /** Ends what runs beside the store; called once, before the connections go. */
  readonly stop: () => Promise<void>;
};

/** The store in a database that several instances may share. */
export class PostgresStore implements Store {
  readonly #parts: Parts;
  #closing: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  async get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> {
    this.#parts.database.mustBeOpen();
    if (!isStorable(id)) return undefined;
    const [row] = await this.#parts.database.rows<{ body: Records[K] }>({
      name: 'get',
      text: 'SELECT body FROM records WHERE kind = $1 AND id = $2',
      values: [kind, id],
    });
    return row?.body;
  }

  async commit(change: Change): Promise<boolean> {
    this.#parts.database.mustBeOpen();
    if (isEmpty(change)) return true;
    mustBeOrderly(change);
    const dues = (change.put ?? []).flatMap(({ record }) => record.due ?? []);
    const stored = await this.#parts.commits.commit(change);
    if (stored) for (const due of dues) this.#parts.signals.tell(due);
    return stored;
  }

  claim(queue: Queue, options: { nowMs: number; leaseMs: number; limit: number }): Promise<Put[]> {
    return this.#parts.claims.claim(queue, options);
  }

  release(kind: Kind, id: string, atMs: number): Promise<void> {
    return this.#parts.claims.release(kind, id, atMs);
  }

  nextDueMs(queue: Queue): Promise<number | undefined> {
    return this.#parts.claims.nextDueMs(queue);
  }

  countDue(queue: Queue): Promise<number> {
    return this.#parts.claims.count(queue);
  }

  onDue(listener: (due: Due) => void): () => void {
    return this.#parts.listeners.add(listener);
  }

  listPayments(
    filter: PaymentFilter,
    page: { limit: number; after?: string },
  ): Promise<PaymentPage> {
    return pageOfPayments(this.#parts.database, filter, page);
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    const { database, stop } = this.#parts;
    // From here on nothing new is taken; what is under way gives its connection back first.
    const closed = database.close();
    await stop();
    await closed;
  }
}
