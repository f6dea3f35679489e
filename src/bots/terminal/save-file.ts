import { createWriteStream } from 'node:fs';
import { glob, link, mkdir, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { FileDelivery, OutgoingFile } from '../../commands/inbound.ts';

/** Of a file until all of it is there. */
const HALF = '.half';

/** Puts a file, whole or not at all, where only the user of this process may read it. A file of this name is not replaced. Never rejects. */
export const saveFile = async (
  folder: string,
  { name, content }: OutgoingFile,
): Promise<FileDelivery> => {
  const path = resolve(join(folder, name));
  const half = `${path}${HALF}`;
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await pipeline(content.stream(), createWriteStream(half, { flags: 'wx', mode: 0o600 }));
    // Unlike a rename, it fails where there is a file.
    await link(half, path);
    return { ok: true, savedAs: path };
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    return {
      ok: false,
      remedy: `${path} could not be written (${code}). Make room, then try again.`,
    };
  } finally {
    await rm(half, { force: true });
  }
};

/** Removes what a process left that died while it saved a file. */
export const removeHalfFiles = async (folder: string): Promise<void> => {
  for await (const name of glob(`*${HALF}`, { cwd: folder })) await rm(join(folder, name));
};
