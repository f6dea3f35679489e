import { readFileSync } from 'node:fs';
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

const TYPES = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
} as const;

/** The files of the page, by what is behind the path of the page. */
const FILES = {
  '': 'page.html',
  '/page.css': 'page.css',
  '/chat.css': 'chat.css',
  '/page.js': 'page.js',
  '/build.js': 'build.js',
  '/ask-server.js': 'ask-server.js',
  '/show-chat.js': 'show-chat.js',
  '/show-form.js': 'show-form.js',
  '/show-phone.js': 'show-phone.js',
  '/show-wire.js': 'show-wire.js',
} as const;

/** Each file as it is answered, read once. */
export const readPageFiles = (): ReadonlyMap<string, Answer> =>
  new Map(
    Object.entries(FILES).map(([path, name]) => {
      const text = readFileSync(new URL(`./client/${name}`, import.meta.url), 'utf8');
      const kind = name.slice(name.lastIndexOf('.') + 1) as keyof typeof TYPES;
      return [path, { status: 200, type: TYPES[kind], text, headers: PAGE_HEADERS }];
    }),
  );
