import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseAst } from 'vitest/node';

export type Pattern = { readonly path: string; readonly source: string; readonly flags: string };

const SRC = join(import.meta.dirname, '../../src');

/** Every regular expression that stands in a source file of ours. */
export const ourPatterns = (): Pattern[] =>
  readdirSync(SRC, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .sort()
    .flatMap((path) => {
      const source = readFileSync(join(SRC, path), 'utf8');
      return patternsUnder(parseAst(source, { lang: 'ts' }).body).map((found) => ({
        path,
        ...found,
      }));
    });

const patternsUnder = (value: unknown): Omit<Pattern, 'path'>[] => {
  if (Array.isArray(value)) return value.flatMap(patternsUnder);
  if (typeof value !== 'object' || value === null) return [];
  if ('regex' in value && typeof value.regex === 'object' && value.regex !== null) {
    const { pattern, flags } = { pattern: '', flags: '', ...value.regex };
    return [{ source: pattern, flags }];
  }
  return Object.values(value).flatMap(patternsUnder);
};
