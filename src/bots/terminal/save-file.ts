import { randomUUID } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { glob, link, mkdir, rm } from 'node:fs/promises';
import { join, parse, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { OutgoingFile } from '../../commands/cards/outgoing-file.ts';
import type { FileDelivery } from '../../commands/inbound.ts';

/** Of a file until all of it is there. */
const HALF = '.half';

/**
 * Puts a file, whole or not at all, where only the user of this process may read it. Where there is a file of this name,
 * it gets a number: `report-2.png`. Never rejects.
 */
export const saveFile = async (
  folder: string,
  { name, content }: OutgoingFile,
): Promise<FileDelivery> => {
  const path = resolve(join(folder, name));
  const half = `${path}.${randomUUID()}${HALF}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await pipeline(content.stream(), createWriteStream(half, { flags: 'wx', mode: 0o600 }));
    return { ok: true, savedAs: await namedFreely(half, path) };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      ok: false,
      remedy: `${path} could not be written (${code}). Make room, then try again.`,
    };
  } finally {
    // What cannot be removed now is removed at the next start.
    await rm(half, { force: true }).catch(() => {});
  }
};

const namedFreely = async (half: string, path: string): Promise<string> => {
  const { dir, name, ext } = parse(path);
  for (let number = 1; ; number++) {
    const free = number === 1 ? path : join(dir, `${name}-${number}${ext}`);
    try {
      // Unlike a rename, it fails where there is a file.
      await link(half, free);
      return free;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
};

/** Removes what a process left that died while it saved a file. */
export const removeHalfFiles = async (folder: string): Promise<void> => {
  for await (const name of glob(`*${HALF}`, { cwd: folder })) await rm(join(folder, name));
};
