import type { Clock } from '../../clock.ts';
import type { Log } from '../../log.ts';
import type { Change } from '../store.ts';
import { type ChangeTexts, changeTexts, commitStatement } from './change-statement.ts';
import type { Database } from './database.ts';
import { isUndone, isWorthAnotherTry, OutcomeUnknownError } from './database-errors.ts';
import type { GivenTime } from './given-time.ts';

/** Others in the way, or a connection cut: the same again, this often in all. */
const MOST_TRIES = 5;
/** Pauses between looking up what became of a commit; together longer than a server takes to come back from a crash. */
const LOOK_UP_PAUSES_MS = [250, 750, 1_000, 2_000, 4_000];

/** Where a commit leaves its mark. */
type Mark = { readonly connection: string; readonly serial: number };

/**
 * Stores changes. Each is one statement, so a transaction of its own in which nothing else can happen.
 * A cut connection leaves open whether it was stored; that is looked up before anybody is answered.
 */
export class Commits {
  readonly #database: Database;
  readonly #time: GivenTime;
  readonly #clock: Clock;
  readonly #log: Log;

  constructor(options: { database: Database; time: GivenTime; clock: Clock; log: Log }) {
    this.#database = options.database;
    this.#time = options.time;
    this.#clock = options.clock;
    this.#log = options.log;
  }

  async commit(change: Change): Promise<boolean> {
    const nowMs = this.#clock.now();
    const texts = changeTexts(change, nowMs);
    for (let tries = 1; ; tries++) {
      try {
        return await this.#commitOnce(texts, this.#time(nowMs));
      } catch (error) {
        // Whatever went wrong, nothing was stored by this try, and nothing ever will be.
        if (tries >= MOST_TRIES || !isWorthAnotherTry(error)) throw error;
        this.#log.warn({ err: error, tries }, 'a commit is tried again');
      }
    }
  }

  /** Rejects only when nothing was stored, or when that could not be found out. */
  async #commitOnce(texts: ChangeTexts, givenMs: number | null): Promise<boolean> {
    const sent: { mark?: Mark } = {};
    try {
      return await this.#database.use(async (session) => {
        const mark = { connection: session.id, serial: ++session.serial };
        sent.mark = mark;
        const query = commitStatement(texts, { ...mark, givenMs });
        const [row] = await session.rows<{ stored: boolean }>(query);
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
        this.#log.warn({ err: error }, 'what became of a commit could not be looked up yet');
      }
      const pauseMs = LOOK_UP_PAUSES_MS[looks];
      if (pauseMs === undefined) throw new OutcomeUnknownError(cause);
      await this.#clock.sleep(pauseMs);
    }
  }

  /**
   * Closes the mark, and so settles it: a commit that holds the mark is waited for, and one that comes
   * to it later finds it closed and is undone.
   */
  async #lookUp({ connection, serial }: Mark): Promise<boolean> {
    const [row] = await this.#database.rows<{ serial: string }>({
      text: `INSERT INTO commit_marks AS mark (connection, serial, closed) VALUES ($1, 0, true)
        ON CONFLICT (connection) DO UPDATE SET closed = true RETURNING serial`,
      values: [connection],
    });
    return Number(row?.serial) === serial;
  }
}
