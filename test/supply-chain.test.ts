import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

type Package = {
  readonly version?: string;
  readonly resolved?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
};

const read = <T>(file: string): T => JSON.parse(readFileSync(file, 'utf8')) as T;
const project = read<{
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  allowScripts: Record<string, boolean>;
}>('package.json');
const { packages } = read<{ packages: Record<string, Package> }>('package-lock.json');
const installed = Object.entries(packages).filter(([path]) => path !== '');
const nameOf = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 13);

describe('what is installed', () => {
  it('is named by its exact version, so that nothing newer comes by itself', {
    tags: ['T23'],
  }, () => {
    for (const [name, version] of Object.entries({
      ...project.dependencies,
      ...project.devDependencies,
    }))
      expect(version, name).toMatch(/^\d+\.\d+\.\d+(-[\w.]+)?$/);
  });

  it('is what was looked at: every package has its checksum, and comes from no other place', () => {
    for (const [path, { version, integrity, resolved, link }] of installed) {
      expect(version, path).toMatch(/^\d+\.\d+\.\d+/);
      expect(integrity, path).toMatch(/^sha512-/);
      // Absent: from the registry that npm is set to. A git address or a folder would stand here.
      expect(resolved ?? '', path).not.toMatch(/^(git|file|http:)/);
      expect(link, path).toBeUndefined();
    }
  });

  it('runs nothing while it is installed but what package.json allows', { tags: ['T23'] }, () => {
    const running = installed.filter(([, { hasInstallScript }]) => hasInstallScript === true);
    expect(new Set(running.map(([path]) => nameOf(path)))).toEqual(
      new Set(Object.keys(project.allowScripts)),
    );
  });

  it('has a reason: each package that runs with Paythread stands in ARCHITECTURE.md, and no other', () => {
    const [, section = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('| package | why |');
    const rows = section.split('\n\n')[0]?.split('\n').slice(2) ?? [];
    const named = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
    expect(new Set(named)).toEqual(new Set(Object.keys(project.dependencies)));
  });
});
