import { existsSync, globSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { platforms } from '../../src/bots/all-platforms.ts';
import { readAccessFile } from '../../src/commands/access/access-file.ts';
import { RIGHTS } from '../../src/commands/all-commands.ts';
import { readTemplates } from '../../src/commands/sms/templates-file.ts';
import { readConfig } from '../../src/config/config.ts';
import { type Name, names, variables } from '../../src/config/variables.ts';

const text = (file: string): string => readFileSync(file, 'utf8');
const variable = (name: Name) => variables[name];

/** Of us alone, and hard to read for others; `npm run check` keeps the same out of comments. */
const DIALECT =
  /\b(?:told|nobody|whoever|somebody|stands|anew|at once)\b|\bgo(?:es|ing)? on\b|\b(?:press|answer|state|role|id|access) counts\b|\bcounts (?:as|here|there|only|while|no more|instead)\b/;

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

describe('docs/settings.md', () => {
  it('has every variable in its table, in order, with meaning and default', () => {
    const rows = text('docs/settings.md')
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
});

describe('README.md', () => {
  const page = text('README.md');

  it('is read in a few minutes: 200 lines at most, and one picture', () => {
    expect(page.split('\n').length).toBeLessThanOrEqual(200);
    expect(page.match(/<picture>/g)).toHaveLength(1);
  });

  it('says beside `npm ci` that the warning of an older Node may be ignored', () => {
    expect(page).toMatch(/```sh\nnpm ci.*\n```\n\n.*`EBADENGINE`\. Ignore it: `npm ci` installs/);
  });

  it('shows an access file that is right', () => {
    const blocks = [...page.matchAll(/```yaml\n( *roles:[\s\S]*?)```/g)];
    expect(blocks.length).toBeGreaterThan(0);
    for (const [, block = ''] of blocks)
      expect(readAccessFile(block, { currency: 'GHS', platforms, rights: RIGHTS })).toMatchObject({
        ok: true,
      });
  });

  it('leads a shop to its first payment with settings that are right', () => {
    const shown = page.matchAll(/```sh\n( +PAYMENTS_BASE_URL=[\s\S]*?)```/g);
    const [first = '', second = ''] = [...shown].map(([, block = '']) =>
      block.replace(/^ +/gm, ''),
    );
    expect(readConfig({}, first)).toMatchObject({ payments: { kind: 'sandbox' } });
    const token = first.replace('PAYMENTS_BASE_URL=sandbox', '');
    const config = readConfig({}, `${token}\n${second}`);
    expect(config).toMatchObject({ payments: { kind: 'service' }, warnings: [] });
    const local = second.replace(/PUBLIC_URL=.*/, 'PUBLIC_URL=http://localhost:3000');
    expect(readConfig({}, `${token}\n${local}`).payments.kind).toBe('service');
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

const PAGES = [
  ...['README.md', 'SECURITY.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'],
  ...globSync('docs/**/*.md'),
];
/** Files that people read and that have no headings. */
const EXAMPLES = [
  ...['.env.example', 'manifest.yml', ...globSync('*.example.yml')],
  ...globSync('deploy/*'),
];

describe('the documents', () => {
  /** As GitHub makes the anchor of a heading. */
  const anchorsOf = (page: string): string[] =>
    [...page.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
      heading
        .toLowerCase()
        .replace(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    );

  it.each(PAGES)('%s leads only to files and headings that are there', (path) => {
    for (const [, file = '', anchor] of text(path).matchAll(
      /\]\((?!https?:)([^)#]*)(?:#([^)]+))?\)/g,
    )) {
      const target = file === '' ? path : join(dirname(path), file);
      expect(existsSync(target), `${path}: ${target}`).toBe(true);
      if (anchor !== undefined) expect(anchorsOf(text(target)), target).toContain(anchor);
    }
  });

  it('are all named in docs/README.md', () => {
    const named = [...text('docs/README.md').matchAll(/\]\(([\w-]+\.md)\)/g)].map(
      ([, file]) => file,
    );
    const there = globSync('docs/*.md').map((path) => basename(path));
    expect(named.toSorted()).toEqual(there.filter((file) => file !== 'README.md').toSorted());
  });

  it.each([...PAGES, ...EXAMPLES])('%s has no word of the old dialect', (path) => {
    const lines = text(path).match(new RegExp(`.*(?:${DIALECT.source}).*`, 'gi')) ?? [];
    expect(lines).toEqual([]);
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
