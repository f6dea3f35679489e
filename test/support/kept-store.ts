import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { eraseInDatabase } from '../../src/core/store/postgres/erase-in-database.ts';
import { HEAD_AGE_MS, verifyDatabase } from '../../src/core/store/postgres/verify-database.ts';
import { readHead } from '../../src/core/store/sql/audit-head.ts';
import type { InErasure } from '../../src/core/store/sql/customer-erasure.ts';
import type { AuditVerdict } from '../../src/core/store/sql/verify-audit.ts';
import { eraseInFolder } from '../../src/core/store/sqlite/open-sqlite-store.ts';
import { verifyFolder } from '../../src/core/store/sqlite/verify-folder.ts';
import type { Store } from '../../src/core/store/store.ts';
import { CONTRACT_NOW_MS } from '../contracts/store/records.ts';
import { ManualClock } from './manual-clock.ts';
import { openInstance, type TestPostgres } from './postgres.ts';
import { silentLog } from './silent-log.ts';
import { contentsOf, openStoreIn, storedIn } from './store-folder.ts';
import { tempFolder } from './temp-folder.ts';

/** What a store leaves where it is kept, for those who look at that and change it beside the store. */
export type KeptStore = {
  readonly clock: ManualClock;
  /** The settings of a command that works on it. */
  readonly env: Readonly<Record<string, string>>;
  /** Does something in the store. A folder's is open for that long only: nobody else may have it meanwhile. */
  within<T>(work: (store: Store) => Promise<T>): Promise<T>;
  readonly inErasure: InErasure;
  /** Checks the audit trail, and whether a head that was noted is part of it. */
  verify(notedHead?: string): Promise<AuditVerdict>;
  /** Everything that is stored, to see whether anything was changed. */
  stored(): Promise<unknown>;
  /** Every text in which a trace of a customer could be. */
  texts(): Promise<readonly string[]>;
  /** Runs SQL as somebody does who may write the tables, past their guards. */
  tamper(sql: string): Promise<unknown>;
  /** SQL for the body of a record with some of its text replaced. */
  bodyWith(text: string, other: string): string;
};

const notedIn = (head: string | undefined) => (head === undefined ? undefined : readHead(head));

/** An empty data folder. */
export const keptFolder = async (): Promise<KeptStore & { readonly dir: string }> => {
  const dir = await tempFolder();
  const clock = new ManualClock();
  return {
    dir,
    clock,
    env: { DATA_DIR: dir },
    within: async (work) => {
      const store = await openStoreIn(dir, { clock });
      return work(store).finally(() => store.close());
    },
    inErasure: eraseInFolder({ dir, log: silentLog }),
    verify: (head) => verifyFolder(dir, notedIn(head)),
    stored: () => storedIn(dir),
    texts: async () => Object.values(await contentsOf(dir)),
    tamper: async (sql) => tamperInFolder(dir, (database) => database.exec(sql)),
    bodyWith: (text, other) => `replace(body, '${text}', '${other}')`,
  };
};

/** Changes a closed database by hand, as everybody can who may write the file. */
export const tamperInFolder = (dir: string, change: (database: DatabaseSync) => void): void => {
  const database = new DatabaseSync(join(dir, 'paythread.db'), {
    enableForeignKeyConstraints: false,
  });
  database.enableDefensive(false);
  for (const { name } of database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'")
    .all())
    database.exec(`DROP TRIGGER ${name}`);
  change(database);
  database.close();
};

/** An empty database, with an instance that goes on using it. */
export const keptDatabase = async (
  postgres: TestPostgres,
): Promise<KeptStore & { readonly store: Store }> => {
  await postgres.emptyTables();
  const clock = new ManualClock(CONTRACT_NOW_MS);
  const { store } = await openInstance(postgres.url(), { clock, isTimeGiven: true });
  const rows = () => rowsOf(postgres);
  return {
    store,
    clock,
    env: { DATABASE_URL: postgres.url() },
    within: (work) => work(store),
    inErasure: eraseInDatabase({ url: postgres.url(), clock }),
    verify: (head) => {
      const noted = notedIn(head);
      const nowMs = clock.now() + HEAD_AGE_MS;
      return verifyDatabase(postgres.url(), { nowMs, ...(noted && { noted }) });
    },
    stored: rows,
    texts: rows,
    tamper: (sql) =>
      postgres.query(
        ['audit', 'audit_details', 'payments']
          .map((table) => `ALTER TABLE ${table} DISABLE TRIGGER ALL; `)
          .join('') + sql,
      ),
    bodyWith: (text, other) => `replace(body::text, '${text}', '${other}')::json`,
  };
};

/** Every row of every table, as text, but for what the housekeeping keeps. */
const rowsOf = async (postgres: TestPostgres): Promise<string[]> => {
  const tables = await postgres.query<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables
      WHERE schemaname = 'paythread' AND tablename NOT IN ('commit_marks', 'paces') ORDER BY 1`,
  );
  const all: string[] = [];
  for (const { name } of tables) {
    const rows = await postgres.query<{ row: string }>(
      `SELECT each::text AS row FROM ${name} each ORDER BY 1`,
    );
    all.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return all;
};
