import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/** A folder for all tests of the running suite; call it in `beforeAll`. */
export const sharedFolder = (): string => {
  const dir = mkdtempSync(join(tmpdir(), 'paythread-'));
  afterAll(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
};
