import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Bench } from '../bench.ts';
import { type Figure, figureOf } from '../figure.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const BARE = ['@slack/bolt', 'grammy'];

type Manifest = {
  readonly dependencies?: Record<string, string>;
  readonly optionalDependencies?: Record<string, string>;
  /** npm installs those as well. */
  readonly peerDependencies?: Record<string, string>;
};

/** What `npm ci --omit=dev` puts on the disk, counted in the tree that is installed here. */
export const installSize = async (_bench: Bench): Promise<Figure[]> => {
  const ours = sizeOf(Object.keys(manifestIn(ROOT).dependencies ?? {}));
  const bare = sizeOf(BARE);
  const names = { ours: 'ours', base: 'bare' } as const;
  return [
    figureOf([{ ours: ours.megabytes, bare: bare.megabytes }], names, {
      what: 'production install',
      unit: 'MB',
      goal: { atMost: 2.5 },
    }),
    figureOf([{ ours: ours.packages, bare: bare.packages }], names, {
      what: 'production install',
      unit: 'packages',
      goal: { atMost: 2 },
    }),
  ];
};

const sizeOf = (names: readonly string[]): { packages: number; megabytes: number } => {
  const folders = new Set<string>();
  const visit = (name: string, from: string): void => {
    const folder = find(name, from);
    if (folder === undefined || folders.has(folder)) return;
    folders.add(folder);
    const { dependencies, optionalDependencies, peerDependencies } = manifestIn(folder);
    for (const next of Object.keys({
      ...dependencies,
      ...optionalDependencies,
      ...peerDependencies,
    }))
      visit(next, folder);
  };
  for (const name of names) visit(name, ROOT);
  const bytes = [...folders].reduce((sum, folder) => sum + bytesIn(folder), 0);
  return { packages: folders.size, megabytes: bytes / 1024 / 1024 };
};

/** As Node looks: beside the package first, then further and further out. Undefined: not for this system. */
const find = (name: string, from: string): string | undefined => {
  for (let at = from; at.length >= ROOT.length - 1; at = dirname(at)) {
    const folder = join(at, 'node_modules', name);
    if (existsSync(join(folder, 'package.json'))) return folder;
  }
  return undefined;
};

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Its own files and folders, in whole blocks as a disk keeps them; packages inside are counted by themselves. */
const bytesIn = (folder: string): number =>
  (statSync(folder).blocks ?? 0) * 512 +
  readdirSync(folder, { withFileTypes: true })
    .filter(({ name }) => name !== 'node_modules')
    .map((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? bytesIn(path) : (statSync(path).blocks ?? 0) * 512;
    })
    .reduce((sum, bytes) => sum + bytes, 0);
