import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import type { Answer } from '../../core/http/answer.ts';

/** The page's own files alone: nothing inline, nothing from elsewhere, no text that becomes markup. */
const PAGE_HEADERS = {
  'content-security-policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    // The empty icon in the page, or browsers ask for one.
    'img-src data:',
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    "trusted-types 'none'",
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
} as const;

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
};

const FOLDER = join(import.meta.dirname, 'client');

/** Each file of the page at `page` as it is answered, read once, by what is behind that path. */
export const readPageFiles = (page: string): ReadonlyMap<string, Answer> =>
  new Map(
    readdirSync(FOLDER).flatMap((name) => {
      const type = TYPES[extname(name)];
      if (type === undefined) return [];
      const text = readFileSync(join(FOLDER, name), 'utf8').replaceAll('{page}', page);
      const path = name === 'page.html' ? '' : `/${name}`;
      return [[path, { status: 200, type, text, headers: PAGE_HEADERS }] as const];
    }),
  );
