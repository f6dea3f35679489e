import { readdirSync } from 'node:fs';

export type Migration = { readonly version: number; readonly file: string };

/** The steps in a folder, in order. A file such as `0001-records.sql` brings a schema to version 1. */
export const knownMigrations = (folder: URL): Migration[] =>
  readdirSync(folder)
    .flatMap((file) => {
      const version = /^(\d{4})-.+\.sql$/.exec(file)?.[1];
      return version === undefined ? [] : [{ version: Number(version), file }];
    })
    .sort((a, b) => a.version - b.version);
