import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from './support/temp-folder.ts';

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

/** Asked elsewhere: an older npm repeats what `.npmrc` says without knowing it. */
const knowsTheSetting =
  spawnSync('npm', ['config', 'get', 'strict-allow-scripts'], {
    cwd: tmpdir(),
    encoding: 'utf8',
  }).stdout.trim() !== 'undefined';

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

  /** npm itself, on a project with our settings that gained a package with a script. */
  it.skipIf(!knowsTheSetting)(
    'is not installed at all with a script that nobody has allowed',
    { tags: ['T23'] },
    async () => {
      const dir = await tempFolder();
      const evil = join(dir, 'evil');
      const app = join(dir, 'app');
      const postinstall = 'touch "$INIT_CWD/RAN"';
      const write = (folder: string, manifest: object) => {
        mkdirSync(folder);
        writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
      };
      write(evil, { name: 'evil-dep', version: '1.0.0', scripts: { postinstall } });
      const npm = (cwd: string, ...words: string[]) =>
        spawnSync('npm', words, {
          cwd,
          encoding: 'utf8',
          env: { ...process.env, npm_config_cache: join(dir, 'cache'), npm_config_offline: 'true' },
        });
      npm(evil, 'pack', '--pack-destination', dir);
      const dependencies = { 'evil-dep': 'file:../evil-dep-1.0.0.tgz' };
      write(app, {
        name: 'app',
        version: '1.0.0',
        allowScripts: project.allowScripts,
        dependencies,
      });
      // Without the script the lock is made, as it is when a version is taken up.
      expect(npm(app, 'install', '--ignore-scripts').status).toBe(0);
      copyFileSync('.npmrc', join(app, '.npmrc'));
      const { status, stderr } = npm(app, 'ci');
      expect([status === 0, existsSync(join(app, 'RAN'))]).toEqual([false, false]);
      expect(stderr).toContain('evil-dep');
    },
  );

  it('has a reason: each package that runs with Paythread stands in ARCHITECTURE.md, and no other', () => {
    const [, section = ''] = readFileSync('ARCHITECTURE.md', 'utf8').split('| package | why |');
    const rows = section.split('\n\n')[0]?.split('\n').slice(2) ?? [];
    const named = rows.flatMap((row) =>
      [...(row.split('|')[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, name]) => name),
    );
    expect(new Set(named)).toEqual(new Set(Object.keys(project.dependencies)));
  });
});
