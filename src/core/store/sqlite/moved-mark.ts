import { writeFileSync } from 'node:fs';
import { renameDurably } from './file-sync.ts';
import { MOVED_FILE, pathIn } from './store-folder.ts';

const TEXT = `The payments of this folder were moved to PostgreSQL and go on there. Paythread does not start from here
any more: two programs that go on with the same payments could charge twice. The folder is a backup now.
`;

/** From here on no embedded store starts in the folder. */
export const markAsMoved = (dir: string): void => {
  const path = pathIn(dir, MOVED_FILE);
  writeFileSync(`${path}.tmp`, TEXT, { mode: 0o600 });
  renameDurably(`${path}.tmp`, path);
};
