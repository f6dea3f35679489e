import type { DatabaseSync } from 'node:sqlite';
import { failpoint } from '../../runtime/failpoints.ts';
import type { Fatal } from './group-commit.ts';

/** How long a process waits for the checkpoint or the recovery of another one that has the database open. */
export const BUSY_MS = 5_000;
/** Commits between two checkpoints: about 4 MB of log. */
const EVERY_COMMITS = 500;
/** While a reader holds an old snapshot the log cannot start again and grows; behind them it is cut when longer (64 MB). */
const LONGEST_LOG_PAGES = 16_384;

/**
 * Copies the write-ahead log into the database now and then. SQLite's automatic checkpoints are off, because their
 * errors are swallowed (seen with SQLite 3.51: an EIO vanished); an error here ends the process.
 */
export class Checkpoints {
  readonly #database: DatabaseSync;
  readonly #fatal: Fatal;
  #commits = 0;

  constructor(database: DatabaseSync, fatal: Fatal) {
    this.#database = database;
    this.#fatal = fatal;
  }

  /** Counts commits, and makes a checkpoint when it is time, in a turn of its own. */
  count(commits: number): void {
    const before = this.#commits;
    this.#commits += commits;
    if (before < EVERY_COMMITS && this.#commits >= EVERY_COMMITS) setImmediate(() => this.run());
  }

  run(): void {
    if (!this.#database.isOpen || this.#fatal.error !== undefined) return;
    this.#commits = 0;
    try {
      const { log } = checkpoint(this.#database, 'PASSIVE');
      if (log > LONGEST_LOG_PAGES) this.truncate();
    } catch (error) {
      this.#fatal.report(error);
    }
  }

  /** Cuts the log, unless a reader holds it: callers of the store do not wait for a reader. */
  truncate(): void {
    this.#database.exec('PRAGMA busy_timeout = 0');
    checkpoint(this.#database, 'TRUNCATE');
    this.#database.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }

  /** Before the database is closed. */
  finish(): void {
    this.truncate();
    failpoint('checkpoint-finished');
  }
}

/**
 * `log`: pages that are in the log. `isWhole`: all of it was copied, and with TRUNCATE it has no bytes any more; not
 * so while a reader holds on to an older state.
 * @throws the database's error.
 */
export const checkpoint = (
  database: DatabaseSync,
  mode: 'PASSIVE' | 'TRUNCATE',
): { readonly isWhole: boolean; readonly log: number } => {
  failpoint('checkpoint-begun');
  const row = database.prepare(`PRAGMA wal_checkpoint(${mode})`).get();
  return { isWhole: Number(row?.['busy']) === 0, log: Number(row?.['log']) };
};
