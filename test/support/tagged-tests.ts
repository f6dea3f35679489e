import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');
/** The option of a test or of a group, as it stands in the sources. */
const TAGS = /\{\s*tags: \[([^\]]*)\]/g;

/** The files, from the root of the project, in which a test has a tag, by tag. */
export const filesByTag = (): ReadonlyMap<string, readonly string[]> => {
  const found = new Map<string, string[]>();
  for (const name of readdirSync(join(ROOT, 'test'), {
    recursive: true,
    encoding: 'utf8',
  }).sort()) {
    if (!name.endsWith('.ts')) continue;
    const path = join(ROOT, 'test', name);
    for (const tag of tagsIn(readFileSync(path, 'utf8'))) {
      const files = found.get(tag) ?? [];
      found.set(tag, [...files, relative(ROOT, path).replaceAll('\\', '/')]);
    }
  }
  return found;
};

/** Each tag once. */
const tagsIn = (source: string): Set<string> =>
  new Set(
    [...source.matchAll(TAGS)].flatMap(([, list = '']) =>
      [...list.matchAll(/'([^']+)'/g)].map(([, tag = '']) => tag),
    ),
  );
