import { globSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';

/** Words of the old dialect, and what is wanted in their place. */
const OLD_DIALECT: readonly { readonly word: RegExp; readonly wanted: string }[] = [
  { word: /\bwhoever\b/i, wanted: 'the caller, the sender, the process: the one who acts' },
  { word: /\bnobody\b/i, wanted: 'no one, or what does not happen' },
  { word: /\bsomebody\b/i, wanted: 'a person, a process: the one who acts' },
  { word: /\banew\b/i, wanted: 'again, or new' },
  { word: /\bstands\b(?! (in )?for\b)/i, wanted: 'is' },
];

type Source = { readonly path: string; readonly text: string };

/** Comments, and identifiers in their single words; texts in quotes are checked by words.test.ts. */
const voiceOf = (text: string): string => {
  const comments = text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? [];
  const code = text
    .replace(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm, '')
    .replace(/'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g, '');
  const words = code.match(/[A-Za-z]\w*/g) ?? [];
  return [...comments, ...words.map((word) => word.replace(/([a-z])([A-Z])/g, '$1 $2'))].join('\n');
};

const breaches = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ path, text }) =>
    voiceOf(text)
      .split('\n')
      .flatMap((line) =>
        OLD_DIALECT.filter(({ word }) => word.test(line)).map(
          ({ wanted }) => `${path}: "${line.trim()}" wants ${wanted}`,
        ),
      ),
  );

describe('the comments and identifiers of the sources', () => {
  it('have no word of the old dialect', () => {
    const paths = globSync('src/**/*.{ts,js}').sort();
    expect(paths.length).toBeGreaterThan(50);
    expect(breaches(paths.map((path) => ({ path, text: readFileSync(path, 'utf8') })))).toEqual([]);
  });
});

/** Each platform has a way out, a place for failures and so on, by the same names: they mean the same. */
const OF_A_PLATFORM = /^src\/bots\/(?:slack|telegram|terminal|web)\//;
/** The page in the browser has a copy: it imports nothing of what it shows. */
const OF_THE_PAGE = new Set(['PromptAnswer']);
/** The same with the card of our commands filled in. */
const FILLED_IN = new Set(['Chat', 'OutgoingMessage']);

describe('a type that others import', () => {
  it('has a name that no other one has', () => {
    const places = new Map<string, Set<string>>();
    for (const path of globSync('src/**/*.ts').sort())
      for (const [, name = ''] of readFileSync(path, 'utf8').matchAll(
        /^export (?:type|interface|class) (\w+)/gm,
      ))
        places.set(name, (places.get(name) ?? new Set()).add(path.replace(OF_A_PLATFORM, '')));
    const twice = [...places].filter(([, { size }]) => size > 1).map(([name]) => name);
    expect(twice.filter((name) => !OF_THE_PAGE.has(name) && !FILLED_IN.has(name))).toEqual([]);
  });
});

describe('the rule notices', () => {
  it.each([
    '/** Whoever asks. */',
    '// nobody knows',
    'const somebody = 1;',
    'const tellNobody = () => {};',
    '/* sealed anew */',
    '/**\n * What stands there.\n */',
  ])('%s', (text) => {
    expect(breaches([{ path: 'src/a.ts', text }])).toHaveLength(1);
  });

  it.each([
    "const text = 'Nobody has the role.';",
    '// UTF stands for Unicode Transformation Format',
    '// the last one stood',
  ])('nothing in %s', (text) => {
    expect(breaches([{ path: 'src/a.ts', text }])).toEqual([]);
  });
});
