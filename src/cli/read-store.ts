import type { Config } from '../config/config.ts';
import type { StoredValue } from '../core/records/stored-values.ts';
import { SqlReader } from '../core/store/sql/sql-reader.ts';
import { readBeside } from '../core/store/sqlite/read-beside.ts';
import { sqliteSql } from '../core/store/sqlite/sqlite-sql.ts';
import { hasDatabase } from '../core/store/sqlite/store-folder.ts';

type Place = Pick<Config, 'dataDir' | 'databaseUrl'>;

/**
 * Reads the store of the settings beside a Paythread that runs, or without one.
 * @throws {StartError} when there is none.
 */
export const readStore = async <T>(
  { dataDir, databaseUrl }: Place,
  read: (reader: SqlReader) => Promise<T>,
): Promise<T> => {
  if (databaseUrl === undefined)
    return readBeside(dataDir, (database) => read(new SqlReader(sqliteSql(database))));
  const [{ inDatabase }, { postgresSql }] = await Promise.all([
    import('../core/store/postgres/in-database.ts'),
    import('../core/store/postgres/postgres-sql.ts'),
  ]);
  return inDatabase(databaseUrl, (client) => read(new SqlReader(postgresSql(client))));
};

/** A value in the store of the settings; undefined: there is none, or no store yet. */
export const readStored = async <T>(
  place: Place,
  { id, read }: StoredValue<T>,
): Promise<T | undefined> =>
  place.databaseUrl === undefined && !hasDatabase(place.dataDir)
    ? undefined
    : read(await readStore(place, (store) => store.get('setting', id)));
