import { readFile, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename } from 'node:path';
import { type IncomingFile, MOST_FILE_BYTES } from '../../commands/inbound.ts';
import { parsed, wrong } from '../../core/runtime/errors.ts';
import { TOO_LARGE } from '../incoming-file.ts';

/** The file at a path, as a shell would find it. */
export const fileAt = (typed: string): IncomingFile => {
  const path = withoutQuotes(typed.trim()).replace(/^~(?=\/)/, homedir());
  return {
    name: basename(path),
    read: async () => {
      try {
        const found = await stat(path);
        // Opening a pipe waits for its other end.
        if (!found.isFile()) return wrong(`${path} is no file.`);
        return found.size > MOST_FILE_BYTES ? TOO_LARGE : parsed(await readFile(path));
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        return wrong(`I cannot read ${path} (${code}). Nothing was charged.`);
      }
    },
  };
};

const withoutQuotes = (path: string): string => /^(["'])(.*)\1$/.exec(path)?.[2] ?? path;
