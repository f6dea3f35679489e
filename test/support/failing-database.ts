import type { DatabaseSync } from 'node:sqlite';

/**
 * A database whose COMMIT may fail as on a disk with errors: nobody can say whether what it held is stored.
 * @param fails asked at each COMMIT.
 * @param isStored asked when it fails.
 */
export const failingDatabase = (
  database: DatabaseSync,
  fails: () => boolean,
  isStored: () => boolean,
): DatabaseSync =>
  new Proxy(database, {
    get: (target, name) => {
      if (name === 'exec')
        return (sql: string) => {
          if (sql !== 'COMMIT' || !fails()) return target.exec(sql);
          target.exec(isStored() ? 'COMMIT' : 'ROLLBACK');
          throw Object.assign(new Error('disk I/O error'), {
            code: 'ERR_SQLITE_ERROR',
            errcode: 10,
          });
        };
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
