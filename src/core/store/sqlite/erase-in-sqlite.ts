import type { DatabaseSync } from 'node:sqlite';
import type { Log } from '../../runtime/log.ts';
import type { InErasure } from '../customer-erasure.ts';
import { SqlErasure } from '../sql/sql-erasure.ts';
import { checkpoint } from './checkpoints.ts';
import { inFolder } from './in-folder.ts';
import { sqliteSql } from './sqlite-sql.ts';
import type { SqliteStore } from './sqlite-store.ts';

/**
 * Erases in a folder that no process works with. No byte of what was deleted is left in the database or its log.
 * @throws {StartError} when the store cannot be had.
 */
export const eraseInFolder =
  ({ dir, log }: { readonly dir: string; readonly log: Log }): InErasure =>
  (work) =>
    inFolder({ dir, log }, async (store, database) => {
      const done = await eraseInStore(store, database)(work);
      checkpoint(database, 'TRUNCATE');
      return done;
    });

/** The same in a store that is in use. Each `commit` is a transaction. */
export const eraseInStore =
  (store: SqliteStore, database: DatabaseSync): InErasure =>
  (work) =>
    work(
      new SqlErasure(sqliteSql(database), {
        get: (kind, id) => store.get(kind, id),
        held: async (puts) => puts,
        commit: async (change, more) => {
          const isStored = await store.commitWith(change, more);
          if (isStored) store.truncateLog();
          return isStored;
        },
      }),
    );
