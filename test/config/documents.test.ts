import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { platforms } from '../../src/bots/all-platforms.ts';
import { readAccessFile } from '../../src/commands/access/access-file.ts';
import { RIGHTS } from '../../src/commands/all-commands.ts';
import { readTemplates } from '../../src/commands/sms/templates-file.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Name, names, variables } from '../../src/config/variables.ts';

const text = (file: string): string => readFileSync(file, 'utf8');
const variable = (name: Name) => variables[name];

describe('.env.example', () => {
  const example = text('.env.example');

  it('holds every variable once, in order, commented out, with its default or an example', () => {
    const lines = [...example.matchAll(/^#? ?([A-Z][A-Z_]+)=(.*)$/gm)].map((match) => match[0]);
    expect(lines).toEqual(
      names.map((name) => `# ${name}=${variable(name).default ?? variable(name).example}`),
    );
  });

  it.each(names)('says what %s means', (name) => {
    const { meaning, otherwise } = variable(name);
    const words = `# ${meaning}${otherwise === undefined ? '' : `. Unset: ${otherwise}`}`;
    const before = example.slice(0, example.indexOf(`# ${name}=`)).trimEnd();
    expect(before.endsWith(words.replaceAll('`', ''))).toBe(true);
  });

  it('changes nothing as it stands', () => {
    expect(readConfig({}, example)).toEqual(readConfig({}));
  });
});

describe('README.md', () => {
  it('has every variable in its table, in order, with meaning and default', () => {
    const rows = text('README.md')
      .split('\n')
      .filter((line) => /^\| `[A-Z_]+` \|/.test(line));
    expect(rows).toEqual(
      names.map((name) => {
        const { meaning, default: held, otherwise } = variable(name);
        const unset = held === undefined ? (otherwise ?? '') : `\`${held}\``;
        return `| \`${name}\` | ${meaning} | ${unset} |`.replace('|  |', '| |');
      }),
    );
  });

  it('shows an access file that is right', () => {
    const blocks = [...text('README.md').matchAll(/```yaml\n(roles:[\s\S]*?)```/g)];
    expect(blocks.length).toBeGreaterThan(0);
    for (const [, block = ''] of blocks)
      expect(readAccessFile(block, { currency: 'GHS', platforms, rights: RIGHTS })).toMatchObject({
        ok: true,
      });
  });

  it('names only files of this repository', () => {
    const links = [...text('README.md').matchAll(/\]\((?!https?:|#)([^)#]+)/g)];
    expect(links.length).toBeGreaterThan(3);
    for (const [, file = ''] of links) expect(() => text(file)).not.toThrow();
  });
});

/** Files of code that a page names. */
const codeNamedIn = (page: string): readonly string[] =>
  [...page.matchAll(/`([\w./-]+\.[jt]s)`/g)].map(([, file = '']) => file);

describe('CONTRIBUTING.md', () => {
  it('names only files that are there, by their whole path', () => {
    const files = codeNamedIn(text('CONTRIBUTING.md'));
    expect(files.length).toBeGreaterThan(30);
    expect(files.filter((file) => !existsSync(file))).toEqual([]);
  });
});

describe('ARCHITECTURE.md', () => {
  const page = text('ARCHITECTURE.md');
  const section = page.slice(page.indexOf('## Where is'), page.indexOf('## Dependencies'));

  it('names only files that are there, and of each only what stands in it', () => {
    const named = [...section.matchAll(/`(\w+\/[\w/.-]+\.ts)`((?: `\w+`)*)/g)];
    expect(named.length).toBeGreaterThan(60);
    for (const [, file = '', names = ''] of named) {
      const source = text(`src/${file}`);
      for (const [, name = ''] of names.matchAll(/`(\w+)`/g))
        expect(source, `${name} in ${file}`).toMatch(new RegExp(`\\b${name}\\b`));
    }
  });

  it('names files everywhere by their path in src, or by their whole path', () => {
    const isThere = (file: string) => existsSync(`src/${file}`) || existsSync(file);
    expect(codeNamedIn(page).filter((file) => !isThere(file))).toEqual([]);
  });

  it('names no constant that two of its files have: each tells what it is of', () => {
    const places = [...section.matchAll(/`([\w/.-]+\.ts)`((?: `[A-Z_]+`)+)/g)].flatMap(
      ([, file, names = '']) => [...names.matchAll(/\w+/g)].map(([name]) => [name, file] as const),
    );
    const files = Map.groupBy(places, ([name]) => name);
    expect([...files].filter(([, found]) => found.length > 1)).toEqual([]);
  });

  it('has tours of ten files at most, and no more than 250 lines', () => {
    const tours = [...section.matchAll(/^\d\. \*\*[\s\S]*?(?=^\d\. |^\[)/gm)].map(([tour]) => tour);
    expect(tours).toHaveLength(5);
    for (const tour of tours)
      expect(tour.replaceAll(/ or `[^`]+`/g, '').match(/\.ts`/g)?.length).toBeLessThanOrEqual(10);
    expect(page.split('\n').length).toBeLessThanOrEqual(250);
  });
});

describe('docs/access.md', () => {
  it('shows access files that are right, five shops and what is told where, and explains every word that a role may have', () => {
    const page = text('docs/access.md');
    const blocks = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, block = '']) => block);
    expect(blocks).toHaveLength(6);
    for (const block of blocks)
      expect(readAccessFile(block, { currency: 'GHS', platforms, rights: RIGHTS })).toMatchObject({
        ok: true,
      });
    const wrong = readAccessFile('roles: {a: {no: 1}}', {
      currency: 'GHS',
      platforms,
      rights: RIGHTS,
    });
    const words = wrong.ok ? '' : (/only (.*)\.$/.exec(wrong.problems[0] ?? '')?.[1] ?? '');
    expect([...page.matchAll(/^\| `(\w+)` \|/gm)].map(([, word]) => word).sort()).toEqual(
      words.split(/, | and /).sort(),
    );
  });
});

describe('access.example.yml', () => {
  it('is right, and grants nothing to anybody real', () => {
    const read = readAccessFile(text('access.example.yml'), {
      currency: 'GHS',
      platforms,
      rights: RIGHTS,
    });
    expect(read).toMatchObject({ ok: true });
    const roles = read.ok ? read.roles : [];
    expect(roles.map((role) => role.name)).toEqual(['sales', 'finance']);
    expect(roles.flatMap((role) => role.members)).toHaveLength(5);
  });
});

describe('templates.example.yml', () => {
  it('is right, and has the templates of the buttons', () => {
    const reading = { senderIds: ['AdjoaStores'], shop: 'Adjoa Stores' };
    const read = readTemplates(text('templates.example.yml'), reading);
    expect(read).toMatchObject({ ok: true });
    expect(read.ok ? [...read.value.keys()] : []).toEqual(['receipt', 'reminder', 'link', 'ready']);
  });
});

describe('package.json', () => {
  it('has the version that the change log begins with', () => {
    const { version } = JSON.parse(text('package.json')) as { version: string };
    expect(/^## (\S+)/m.exec(text('CHANGELOG.md'))?.[1]).toBe(version);
  });
});
