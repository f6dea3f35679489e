import { readdirSync } from 'node:fs';
import { EX_CONFIG, StartError } from '../../runtime/errors.ts';

export type Migration = { readonly version: number; readonly file: string };

/** The steps in a folder, in order. A file such as `0001-records.sql` brings a schema to version 1. */
export const knownMigrations = (folder: URL): Migration[] =>
  readdirSync(folder)
    .flatMap((file) => {
      const version = /^(\d{4})-.+\.sql$/.exec(file)?.[1];
      return version === undefined ? [] : [{ version: Number(version), file }];
    })
    .sort((a, b) => a.version - b.version);

/** @throws {StartError} when what has this version of the schema was made by a newer program. */
export const mustNotBeNewer = (what: string, version: number, folder: URL): void => {
  const known = knownMigrations(folder).at(-1)?.version ?? 0;
  if (version > known)
    throw new StartError(
      `${what} was made by a newer Paythread (its schema has version ${version}, this program knows ${known}). Start the newer program, or restore a backup from before.`,
      EX_CONFIG,
    );
};
