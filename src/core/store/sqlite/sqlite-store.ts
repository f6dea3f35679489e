import type { DatabaseSync } from 'node:sqlite';
import type { Due, Queue } from '../../records/due.ts';
import type { FigureGroup, FiguresAsked, PaymentFigure } from '../../records/payment-figures.ts';
import type { Change, Kind, Put, Records } from '../../records/records.ts';
import type { Log } from '../../runtime/log.ts';
import type { Random } from '../../runtime/random.ts';
import { DueListeners } from '../due-listeners.ts';
import { isEmpty, preparedChange } from '../sql/prepared-change.ts';
import type { Query } from '../sql/sql.ts';
import { SqlReader } from '../sql/sql-reader.ts';
import type { ClaimOptions, Store } from '../store.ts';
import { AuditTable } from './audit-table.ts';
import { Checkpoints } from './checkpoints.ts';
import { DueRecords } from './due-records.ts';
import { figuresInSlices } from './figures-in-slices.ts';
import { Fatal, GroupCommit } from './group-commit.ts';
import { RecordTables } from './record-tables.ts';
import { SQLITE } from './sqlite-sql.ts';

export type SqliteStoreOptions = {
  /** Open, with the schema of this program. The store does not close it. */
  readonly database: DatabaseSync;
  readonly log: Log;
  /** Nothing can be stored any more; the caller has to end the process. Called once. */
  readonly onFatal: (error: Error) => void;
  /** Releases what belongs to the store; called once, when nothing is written any more. */
  readonly onClosed?: () => void;
  /** As in `preparedChange`. */
  readonly random?: Random;
  /** As in `GroupCommitOptions`. */
  readonly defer?: (commit: () => void) => void;
};

/** The store in a SQLite database of this process's own. */
export class SqliteStore extends SqlReader implements Store {
  readonly #fatal: Fatal;
  readonly #records: RecordTables;
  readonly #audit: AuditTable;
  readonly #due: DueRecords;
  readonly #listeners: DueListeners;
  readonly #engine: GroupCommit;
  readonly #checkpoints: Checkpoints;
  readonly #onClosed: () => void;
  readonly #random: Random | undefined;
  #closing: Promise<void> | undefined;

  constructor(options: SqliteStoreOptions) {
    const { database, log, onFatal, onClosed = () => {}, random, defer } = options;
    const records = new RecordTables(database);
    // Asked between the slices too: the store may have been closed meanwhile.
    super({ dialect: SQLITE, rows: async (query) => this.#select(query) });
    this.#records = records;
    this.#random = random;
    this.#onClosed = onClosed;
    this.#fatal = new Fatal(onFatal);
    this.#audit = new AuditTable(database);
    this.#due = new DueRecords(database, (kind, id) => records.put(kind, id));
    this.#listeners = new DueListeners(log);
    records.examine();
    this.#checkpoints = new Checkpoints(database, this.#fatal);
    this.#engine = new GroupCommit({
      database,
      fatal: this.#fatal,
      onRollback: () => {
        records.forgetRecent();
        this.#audit.forgetLast();
      },
      onGroup: (jobs) => this.#checkpoints.count(jobs),
      ...(defer === undefined ? {} : { defer }),
    });
  }

  override async get<K extends Kind>(kind: K, id: string): Promise<Records[K] | undefined> {
    this.#mustBeOpen();
    return this.#records.get(kind, id);
  }

  /** @param more statements that run in the same transaction, unless the change is empty or stale. */
  async commit(change: Change, more: readonly Query[] = []): Promise<boolean> {
    this.#mustBeOpen();
    if (isEmpty(change)) return true;
    const prepared = preparedChange(change, this.#random);
    return this.#engine.run(
      () => {
        if (!this.#records.write(prepared)) return false;
        this.#audit.append(prepared.audit);
        for (const { text, values } of more) this.#records.statement(text).run(...values);
        return true;
      },
      (isStored) => {
        if (!isStored) return;
        this.#due.take(prepared);
        for (const { due } of [...prepared.payments, ...prepared.records])
          if (due !== undefined) this.#listeners.tell(due);
      },
    );
  }

  async claim(queue: Queue, options: ClaimOptions): Promise<Put[]> {
    this.#mustBeOpen();
    return this.#due.claim(queue, options);
  }

  async release(kind: Kind, id: string, atMs: number, isKept = false): Promise<void> {
    this.#mustBeOpen();
    this.#due.release(kind, id, atMs, isKept);
  }

  async nextDueMs(queue: Queue): Promise<number | undefined> {
    this.#mustBeOpen();
    return this.#due.nextMs(queue);
  }

  async countDue(queue: Queue): Promise<number> {
    this.#mustBeOpen();
    return this.#due.count(queue);
  }

  onDue(listener: (due: Due) => void): () => void {
    return this.#listeners.add(listener);
  }

  override async paymentFigures<Group extends FigureGroup = never>(
    asked: FiguresAsked<Group>,
  ): Promise<PaymentFigure<Group>[]> {
    return figuresInSlices((query) => this.#select(query), asked);
  }

  /** Cuts the log, so that deleted data is not in it any more; a reader postpones that. */
  truncateLog(): void {
    this.#mustBeOpen();
    this.#checkpoints.truncate();
  }

  close(): Promise<void> {
    this.#closing ??= this.#shutDown();
    return this.#closing;
  }

  async #shutDown(): Promise<void> {
    try {
      this.#engine.flush();
      if (this.#fatal.error === undefined) this.#checkpoints.finish();
    } finally {
      this.#onClosed();
    }
  }

  #select<Row extends object>(query: Query): Row[] {
    this.#mustBeOpen();
    return this.#records.select(query);
  }

  #mustBeOpen(): void {
    // What comes after a failure of the disk is not to be trusted.
    if (this.#fatal.error !== undefined) throw this.#fatal.error;
    if (this.#closing !== undefined) throw new Error('The store is closed.');
  }
}
