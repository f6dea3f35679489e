import { DatabaseSync, type StatementSync } from 'node:sqlite';

/** Decides at a statement what it comes to: runs it or not, and may throw, before or behind it. */
export type Intercept = (run: () => void) => void;

type Intercepts = {
  readonly begin: Intercept;
  readonly commit: Intercept;
  readonly checkpoint: Intercept;
};

const asItIs: Intercept = (run) => run();
const NO_INTERCEPTS: Intercepts = { begin: asItIs, commit: asItIs, checkpoint: asItIs };
const MOST_PAGES = 4_294_967_294;

/** A database in memory that outlives the simulated processes, and whose disk can be full or report errors. */
export class FailingDatabase extends DatabaseSync {
  #intercepts = NO_INTERCEPTS;
  /** By text, for all processes of a world: compiling them anew at each start costs a tenth of its time. */
  readonly #statements = new Map<string, StatementSync>();

  constructor() {
    super(':memory:');
  }

  /** The next process works on it: the one before left nothing but what it committed. */
  reopen(intercepts: Partial<Intercepts>): void {
    this.abandon();
    this.#intercepts = { ...NO_INTERCEPTS, ...intercepts };
    this.free();
  }

  /** The process is gone: its transaction is rolled back, as the next start does with a log that has no COMMIT. */
  abandon(): void {
    this.#intercepts = NO_INTERCEPTS;
    if (this.isTransaction) super.exec('ROLLBACK');
  }

  /** From here on a statement that needs one page more fails with SQLITE_FULL. */
  fill(): void {
    // SQLite takes the size that it has when this is less.
    super.exec('PRAGMA max_page_count = 1');
  }

  /** There is room again. */
  free(): void {
    super.exec(`PRAGMA max_page_count = ${MOST_PAGES}`);
  }

  /** Each statement keeps its database from being collected, so whatever it held would stay with it. */
  override close(): void {
    this.#statements.clear();
    this.#intercepts = NO_INTERCEPTS;
    super.close();
  }

  override exec(sql: string): void {
    const run = () => super.exec(sql);
    if (sql === 'COMMIT') this.#intercepts.commit(run);
    else if (sql === 'BEGIN IMMEDIATE') this.#intercepts.begin(run);
    else run();
  }

  override prepare(sql: string): StatementSync {
    if (sql.startsWith('PRAGMA wal_checkpoint')) this.#intercepts.checkpoint(() => {});
    const known = this.#statements.get(sql);
    if (known !== undefined) return known;
    const made = super.prepare(sql);
    this.#statements.set(sql, made);
    return made;
  }
}

/** As `node:sqlite` reports that the disk failed to read or write. */
export const diskError = (): Error =>
  Object.assign(new Error('disk I/O error'), { code: 'ERR_SQLITE_ERROR', errcode: 10 });
