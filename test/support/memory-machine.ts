import { DatabaseSync } from 'node:sqlite';
import type { Retire, RetireRequest } from '../../src/core/privacy/retention.ts';
import { retire } from '../../src/core/privacy/retention.ts';
import { prepareDatabase } from '../../src/core/store/sqlite/database-file.ts';
import { eraseInStore } from '../../src/core/store/sqlite/open-sqlite-store.ts';
import { SqliteStore } from '../../src/core/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/core/store/store.ts';
import { ManualClock } from './manual-clock.ts';
import { silentLog } from './silent-log.ts';

/** A process that works on the machine; `false`: it is dead, and nothing that it still asks for is written. */
type Life = { isAlive: boolean };

/** One machine whose database is in memory, and the stores that processes open there, one after the other. */
export class MemoryMachine {
  readonly clock = new ManualClock();
  readonly database = new DatabaseSync(':memory:');
  /** What the processes said when they could not go on. */
  readonly fatal: Error[] = [];
  #life: Life = { isAlive: false };

  constructor() {
    prepareDatabase(this.database);
  }

  /** A new process that opens the store. */
  async start(): Promise<Store & { readonly retire: Retire }> {
    const life = { isAlive: true };
    this.#life = life;
    const { database, clock } = this;
    const store = new SqliteStore({
      database,
      log: silentLog,
      onFatal: (error) => this.fatal.push(error),
      defer: (commit) => setImmediate(() => life.isAlive && commit()),
    });
    const inErasure = eraseInStore(store, database);
    return Object.assign(store, {
      retire: (request: RetireRequest) => retire(inErasure, request, clock),
    });
  }

  /** The process dies: what it has not committed is gone. */
  kill(): void {
    this.#life.isAlive = false;
    this.fatal.length = 0;
  }
}
