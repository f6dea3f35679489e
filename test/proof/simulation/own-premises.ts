import type { Queue } from '../../../src/core/records/due.ts';
import type { Change } from '../../../src/core/records/records.ts';
import { prepareDatabase } from '../../../src/core/store/sqlite/database-file.ts';
import {
  SqliteStore,
  type SqliteStoreOptions,
} from '../../../src/core/store/sqlite/sqlite-store.ts';
import type { Store } from '../../../src/core/store/store.ts';
import { silentLog } from '../../support/silent-log.ts';
import type { Dice } from '../storm/dice.ts';
import { diskError, FailingDatabase, type Intercept } from './failing-database.ts';
import type { Instance } from './instance.ts';
import type { Premises } from './premises.ts';
import { seededRandom } from './seeded-random.ts';
import { storedRecords } from './stored-records.ts';
import type { Timeline } from './timeline.ts';
import type { Weather } from './weather.ts';

const QUEUES: readonly Queue[] = ['submit', 'check', 'notice', 'sms', 'tidy'];

/**
 * The embedded store as it is, on a SQLite database in memory that the instances of a world have one after the other.
 * A process dies inside COMMIT, before it is stored or after it and before its memory and its callers know. The disk
 * fails at BEGIN, in a statement (full), at COMMIT (stored or not) and at a checkpoint.
 *
 * A database in memory has no file, so these are left to proofs from outside, on real files:
 * - power cuts, torn writes, unflushed writes: what COMMIT returned for is stored here whatever follows;
 * - the lock of the folder: one instance is up at a time, and the system releases the lock of a dead process;
 *   `test/core/store/sqlite/open-sqlite-store.test.ts` opens a folder that another process has;
 * - deaths while the database is made, migrated or checkpointed: kill -9 at every failpoint, `npm run crash-test`.
 */
export const ownPremises = (options: {
  timeline: Timeline;
  dice: Dice;
  weather: Weather;
}): Premises => {
  const { timeline, dice, weather } = options;
  const database = new FailingDatabase();
  const random = seededRandom(dice.fork());
  let isHealed = false;
  let hasFailed = false;
  let open: { instance: Instance; store: Store } | undefined;

  const fails = (): boolean => {
    if (isHealed || !dice.chance(weather.failingStore)) return false;
    hasFailed = true;
    return true;
  };
  const begin: Intercept = (run) => {
    if (fails()) {
      if (dice.chance(0.5)) throw diskError();
      database.fill();
    }
    run();
  };
  const commitOf =
    (instance: Instance): Intercept =>
    (run) => {
      mustSurvive(instance, 'COMMIT');
      const isFailing = fails();
      // Nobody can say whether a COMMIT that failed is stored.
      if (!isFailing || dice.chance(0.5)) run();
      if (isFailing) throw diskError();
      mustSurvive(instance, 'the end of COMMIT');
    };
  const checkpoint: Intercept = () => {
    if (fails()) throw diskError();
  };
  /** While the disk is slow the process stands still: SQLite is synchronous. */
  const waitForDisk = (instance: Instance, done: () => void): void => {
    const isSlow = !isHealed && !instance.isPaused && dice.chance(weather.slowStore);
    if (!isSlow) return void setImmediate(done);
    instance.pause();
    timeline.after(dice.whole(1, 2_000), () => {
      instance.resume();
      done();
    });
  };

  return {
    open: async (instance, onFatal) => {
      await instance.call<void>('open the store', (answer) => answer());
      hasFailed = false;
      database.reopen({ begin, commit: commitOf(instance), checkpoint });
      prepareDatabase(database);
      const store = new HeardStore(instance, {
        database,
        log: silentLog,
        onFatal,
        random,
        defer: (commit) => waitForDisk(instance, () => instance.hear(commit)),
      });
      open = { instance, store };
      return store;
    },
    close: async (instance) => {
      if (open?.instance !== instance) return;
      const { store } = open;
      open = undefined;
      await store.close();
    },
    died: () => {
      open = undefined;
      database.abandon();
    },
    mayRefuse: () => hasFailed,
    heal: () => {
      isHealed = true;
      database.free();
    },
    nextDueMs: async (overdueMs) => {
      if (open === undefined) return Number.POSITIVE_INFINITY;
      const { store } = open;
      const times = await Promise.all(QUEUES.map((queue) => store.nextDueMs(queue)));
      const nextMs = Math.min(...times.map((ms) => ms ?? Number.POSITIVE_INFINITY));
      return nextMs <= timeline.nowMs ? overdueMs : nextMs;
    },
    stored: async () => storedRecords(database),
    demolish: () => database.close(),
  };
};

/** Its callers hear what a commit came to unless their process is dead, and later when it stands still. */
class HeardStore extends SqliteStore {
  readonly #instance: Instance;

  constructor(instance: Instance, options: SqliteStoreOptions) {
    super(options);
    this.#instance = instance;
  }

  override commit(change: Change): Promise<boolean> {
    const committed = super.commit(change);
    return new Promise((resolve, reject) => {
      committed.then(
        (isStored) => this.#instance.hear(() => resolve(isStored)),
        (error: unknown) => this.#instance.hear(() => reject(error)),
      );
    });
  }
}

/** @throws when the process dies here; the engine ends with it, and nobody hears of it. */
const mustSurvive = (instance: Instance, what: string): void => {
  if (instance.dies(what)) throw new Error(`the process died at ${what}`);
};
