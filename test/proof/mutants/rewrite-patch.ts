import { spawnSync } from 'node:child_process';
import { cp, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { applyPatch } from './apply-patch.ts';
import { type PlantedBug, splitPatch } from './planted-bugs.ts';

type Rewritten =
  | { readonly ok: true; readonly text: string; readonly isNew: boolean }
  | { readonly ok: false; readonly why: string };

/** Applies a patch to copies of its files under `root`, and returns the patch as it would be written for them now. */
export const rewritePatch = async (root: string, bug: PlantedBug): Promise<Rewritten> => {
  const dir = await mkdtemp(join(tmpdir(), 'paythread-patch-'));
  try {
    for (const file of bug.files)
      for (const side of ['a', 'b']) await cp(join(root, file), join(dir, side, file));
    const why = applyPatch(join(dir, 'b'), bug);
    if (why !== undefined) return { ok: false, why };
    const old = splitPatch(await readFile(bug.path, 'utf8'));
    const diff = diffIn(dir);
    return {
      ok: true,
      text: old.header + diff,
      isNew: withoutLineNumbers(diff) !== withoutLineNumbers(old.diff),
    };
  } catch (error) {
    return { ok: false, why: String(error) };
  } finally {
    await rm(dir, { recursive: true });
  }
};

const diffIn = (dir: string): string =>
  spawnSync('git', ['diff', '--no-index', '--no-prefix', '--no-color', 'a', 'b'], {
    cwd: dir,
    encoding: 'utf8',
  })
    .stdout.split('\n')
    .filter((line) => !line.startsWith('index '))
    .join('\n');

const withoutLineNumbers = (diff: string): string => diff.replace(/^@@ .*$/gm, '@@');
