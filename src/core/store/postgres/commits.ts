import type { Change } from '../../records/records.ts';
import type { Clock } from '../../runtime/clock.ts';
import { failpoint } from '../../runtime/failpoints.ts';
import type { Log } from '../../runtime/log.ts';
import { type PreparedChange, preparedChange } from '../sql/prepared-change.ts';
import { Batcher } from './batcher.ts';
import { commitStatement, joiningApart, type Mark } from './change-statement.ts';
import type { Database } from './database.ts';
import { isUndone, isWorthAnotherTry, OutcomeUnknownError } from './database-errors.ts';

/** Others in the way, or a connection cut: the same again, this often in all. */
const MOST_TRIES = 5;
/** Pauses between looking up what became of a commit; together longer than a server takes to come back from a crash. */
const LOOK_UP_PAUSES_MS = [250, 750, 1_000, 2_000, 4_000];

/** Of the pool's connections; the others are for reads. */
const MOST_AT_ONCE = 2;
const MOST_TOGETHER = 50;

type CommitsParts = { readonly database: Database; readonly clock: Clock; readonly log: Log };

/**
 * Stores changes. Each is one statement, so a transaction of its own in which nothing else can happen; in a
 * crowd several changes share one, which is then stored whole, or undone and tried again one by one.
 * A cut connection leaves open whether it was stored; that is looked up before a caller is answered.
 */
export class Commits {
  readonly #parts: CommitsParts;
  readonly #batcher: Batcher<PreparedChange, boolean | 'undone'>;

  constructor(parts: CommitsParts) {
    this.#parts = parts;
    this.#batcher = new Batcher({
      clock: parts.clock,
      mostAtOnce: MOST_AT_ONCE,
      mostInBatch: MOST_TOGETHER,
      joining: joiningApart,
      make: (batch) => this.#commitTogether(batch),
    });
  }

  async commit(change: Change): Promise<boolean> {
    const prepared = preparedChange(change);
    const stored = await this.#batcher.ask(prepared);
    // One change was stale or refused; alone it only concerns its own caller.
    return stored === 'undone' ? this.#commit([prepared]) : stored;
  }

  async #commitTogether(batch: readonly PreparedChange[]): Promise<(boolean | 'undone')[]> {
    try {
      const stored = await this.#commit(batch);
      return batch.map(() => (stored || batch.length === 1 ? stored : 'undone'));
    } catch (error) {
      if (batch.length === 1 || !isUndone(error)) throw error;
      return batch.map(() => 'undone');
    }
  }

  /** False: something in them was stale, and nothing of all was stored. */
  async #commit(changes: readonly PreparedChange[]): Promise<boolean> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#commitOnce(changes);
      } catch (error) {
        // Nothing was stored by this try, and nothing will be later.
        if (tries >= MOST_TRIES || !isWorthAnotherTry(error)) throw error;
        this.#parts.log.warn({ err: error, tries }, 'a commit is tried again');
      }
    }
  }

  /** Rejects only when nothing was stored, or when that could not be found out. */
  async #commitOnce(changes: readonly PreparedChange[]): Promise<boolean> {
    const { database } = this.#parts;
    const sent: { mark?: Mark } = {};
    try {
      return await database.use(async (session) => {
        const mark = { connection: session.id, serial: ++session.serial };
        sent.mark = mark;
        const query = commitStatement(changes, mark, database.now());
        failpoint('commit-begun');
        const [row] = await session.rows<{ stored: boolean }>(query);
        failpoint('commit-flushed');
        return row?.stored === true;
      });
    } catch (error) {
      if (sent.mark === undefined || isUndone(error)) throw error;
      if (await this.#wasStored(sent.mark, error)) return true;
      throw error;
    }
  }

  async #wasStored(mark: Mark, cause: unknown): Promise<boolean> {
    for (let looks = 0; ; looks++) {
      try {
        return await this.#lookUp(mark);
      } catch (error) {
        this.#parts.log.warn({ err: error }, 'what became of a commit could not be looked up yet');
      }
      const pauseMs = LOOK_UP_PAUSES_MS[looks];
      if (pauseMs === undefined) throw new OutcomeUnknownError(cause);
      await this.#parts.clock.sleep(pauseMs);
    }
  }

  /** Closes the mark: a commit that holds it is waited for, and one that comes later finds it closed and is undone. */
  async #lookUp({ connection, serial }: Mark): Promise<boolean> {
    const [row] = await this.#parts.database.rows<{ serial: string }>({
      text: `INSERT INTO commit_marks AS mark (connection, serial, closed) VALUES ($1, 0, true)
        ON CONFLICT (connection) DO UPDATE SET closed = true RETURNING serial`,
      values: [connection],
    });
    return Number(row?.serial) === serial;
  }
}
