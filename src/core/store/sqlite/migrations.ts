import { readFileSync } from 'node:fs';
import type { DatabaseSync } from 'node:sqlite';
import { knownMigrations } from '../sql/known-migrations.ts';

const FOLDER = new URL('./migrations/', import.meta.url);

/** The version of the schema that this program works with. */
export const knownSchemaVersion = (): number => knownMigrations(FOLDER).at(-1)?.version ?? 0;

/** Reads one pragma that has a number, such as `user_version`. */
export const pragmaNumber = (database: DatabaseSync, name: string): number =>
  Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);

/** Brings the schema up to this program, one transaction a step, and copies it out of the log. */
export const migrate = (database: DatabaseSync): void => {
  const applied = pragmaNumber(database, 'user_version');
  const missing = knownMigrations(FOLDER).filter(({ version }) => version > applied);
  for (const { version, file } of missing) {
    const sql = readFileSync(new URL(file, FOLDER), 'utf8');
    database.exec(`BEGIN IMMEDIATE; ${sql}; PRAGMA user_version = ${version}; COMMIT`);
  }
};
