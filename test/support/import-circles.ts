import { posix } from 'node:path';
import type { Source } from './layer-rules.ts';

const IMPORTED = /(?:from|import\()\s*'(\.[^']+)'/g;

/** Files that import each other in a circle, types included; each circle once, named by its files. */
export const circlesIn = (sources: readonly Source[]): string[] => {
  const imports = new Map(
    sources.map(({ path, text }) => [
      path,
      [...text.matchAll(IMPORTED)].map(([, to = '']) => posix.join(posix.dirname(path), to)),
    ]),
  );
  const found = new Set<string>();
  const done = new Set<string>();
  const follow = (path: string, way: readonly string[]): void => {
    const at = way.indexOf(path);
    if (at >= 0) found.add(way.slice(at).toSorted().join(' <-> '));
    if (at >= 0 || done.has(path)) return;
    for (const next of imports.get(path) ?? []) follow(next, [...way, path]);
    done.add(path);
  };
  for (const path of imports.keys()) follow(path, []);
  return [...found];
};
