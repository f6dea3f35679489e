import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../support/temp-folder.ts';
import { applyPatch } from './apply-patch.ts';
import { readPlantedBug } from './planted-bugs.ts';
import { rewritePatch } from './rewrite-patch.ts';

const BEFORE = `export const first = (n: number) => n + 1;
export const second = (n: number) => n + 2;
  const limit = 100;
export const fourth = (n: number) => n + 4;
export const fifth = (n: number) => n + 5;
`;
const AFTER = BEFORE.replace('limit = 100', 'limit = 1e9');
const PATCH = `a limit is far too high
Noticed-by: T3
Noticed-by: test/limits.test.ts test/others.test.ts

diff --git a/src/limits.ts b/src/limits.ts
--- a/src/limits.ts
+++ b/src/limits.ts
@@ -1,5 +1,5 @@
 export const first = (n: number) => n + 1;
 export const second = (n: number) => n + 2;
-  const limit = 100;
+  const limit = 1e9;
 export const fourth = (n: number) => n + 4;
 export const fifth = (n: number) => n + 5;
`;

/** A project with one source, and a bug for it. */
const projectWith = async (source: string, patch = PATCH) => {
  const dir = await tempFolder();
  await mkdir(join(dir, 'src'));
  await writeFile(join(dir, 'src/limits.ts'), source);
  await writeFile(join(dir, 'a.patch'), patch);
  const bug = readPlantedBug(join(dir, 'a.patch'));
  return { dir, bug, source: () => readFile(join(dir, 'src/limits.ts'), 'utf8') };
};

describe('a patch', () => {
  it('says what it breaks, where, and what has to notice it', async () => {
    const { bug } = await projectWith(BEFORE);
    expect(bug).toMatchObject({
      name: 'a limit is far too high',
      noticedBy: [
        { kind: 'tag', tag: 'T3' },
        { kind: 'files', files: ['test/limits.test.ts', 'test/others.test.ts'] },
      ],
      files: ['src/limits.ts'],
    });
  });

  it.each([
    ['as they were', (text: string) => text],
    ['further down', (text: string) => `${'// more\n'.repeat(30)}${text}`],
    ['indented otherwise', (text: string) => text.replaceAll(/^/gm, '  ')],
    [
      'beside others',
      (text: string) => text.replace('second', 'another').replace('fourth', 'last'),
    ],
    ['alone', (text: string) => text.split('\n').slice(2, 3).join('\n').concat('\n')],
  ])('applies to lines that stand %s, and is written anew for them', async (_where, changed) => {
    const { dir, bug, source } = await projectWith(changed(BEFORE));
    const rewritten = await rewritePatch(dir, bug);
    expect(applyPatch(dir, bug)).toBeUndefined();
    expect((await source()).replaceAll(/^ +/gm, '')).toBe(changed(AFTER).replaceAll(/^ +/gm, ''));

    const again = await projectWith(changed(BEFORE), rewritten.ok ? rewritten.text : '');
    expect(applyPatch(again.dir, again.bug)).toBeUndefined();
    expect(await again.source()).toBe(await source());
  });

  it.each([
    ['is not there any more', BEFORE.replace('limit = 100', 'limit = 200'), /patch failed/],
    [
      'is there twice, among other lines',
      '  const limit = 100;\n// or\n  const limit = 100;\n',
      /./,
    ],
    ['is in a file that is gone', undefined, /No such file|ENOENT/],
  ])('does not apply when what it changes %s, and nothing is changed', async (_why, text, said) => {
    const { dir, bug, source } = await projectWith(text ?? BEFORE);
    const elsewhere = text === undefined ? { ...bug, files: ['src/gone.ts'] } : bug;
    expect(await rewritePatch(dir, elsewhere)).toEqual({
      ok: false,
      why: expect.stringMatching(said),
    });
    expect(await source()).toBe(text ?? BEFORE);
  });

  it('does not apply when it leaves no TypeScript behind', async () => {
    const { dir, bug } = await projectWith(BEFORE, PATCH.replace('limit = 1e9;', 'limit = {;'));
    expect(applyPatch(dir, bug)).toMatch('src/limits.ts is no TypeScript any more');
  });

  it.each(['a limit is far too high', 'Noticed-by: .+\n', 'diff --git [^]*$'])(
    'is refused without its "%s"',
    async (part) => {
      const text = PATCH.replaceAll(new RegExp(part, 'g'), '');
      await expect(projectWith(BEFORE, text)).rejects.toThrow(/a\.patch lacks/);
    },
  );
});
