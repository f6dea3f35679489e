import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const PATCHES = join(import.meta.dirname, 'patches');

/** A bug that is planted on purpose: one patch file, whose header says what it breaks and what has to notice it. */
export type PlantedBug = {
  /** The first line of the patch file. */
  readonly name: string;
  /** One entry for each `Noticed-by:` line; each of them has to notice the bug by itself. */
  readonly noticedBy: readonly Proof[];
  /** The path of the patch file. */
  readonly path: string;
  /** The files that it changes, from the root of the project. */
  readonly files: readonly string[];
};

/** What has to fail: some seed of the simulation, the tests with a tag, or one of the tests of some files. */
export type Proof =
  | { readonly kind: 'simulation' }
  | { readonly kind: 'tag'; readonly tag: string }
  | { readonly kind: 'files'; readonly files: readonly string[] };

/** The header of a patch file, and the diff below it. */
export const splitPatch = (text: string): { readonly header: string; readonly diff: string } => {
  const at = text.search(/^diff --git /m);
  return { header: text.slice(0, at), diff: text.slice(at) };
};

/** All planted bugs, by the names of their files. */
export const plantedBugs = (): PlantedBug[] =>
  readdirSync(PATCHES)
    .filter((each) => each.endsWith('.patch'))
    .sort()
    .map((each) => readPlantedBug(join(PATCHES, each)));

/** @throws when the file lacks its sentence, what has to notice the bug, or a diff. */
export const readPlantedBug = (path: string): PlantedBug => {
  const { header, diff } = splitPatch(readFileSync(path, 'utf8'));
  const [name = ''] = header.split('\n');
  const noticedBy = [...header.matchAll(/^Noticed-by: (.+)$/gm)].map(([, words = '']) =>
    proofIn(words),
  );
  const files = [...diff.matchAll(/^\+\+\+ b\/(.+)$/gm)].map(([, file = '']) => file);
  if (name === '' || noticedBy.length === 0 || files.length === 0)
    throw new Error(`${path} lacks its sentence, a "Noticed-by:" line or a diff`);
  return { name, noticedBy, path, files };
};

const proofIn = (words: string): Proof => {
  if (words === 'simulation') return { kind: 'simulation' };
  if (/^[A-Z]\d+$/.test(words)) return { kind: 'tag', tag: words };
  return { kind: 'files', files: words.split(' ') };
};
