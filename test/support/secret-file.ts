import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from './temp-folder.ts';

/** A file of the running test's own, for its owner alone unless told otherwise. */
export const fileWith = async (content: string | Buffer, mode = 0o600): Promise<string> => {
  const path = join(await tempFolder(), 'secret');
  writeFileSync(path, content);
  chmodSync(path, mode);
  return path;
};
