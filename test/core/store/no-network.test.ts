import { describe, expect, it } from 'vitest';
import { type Source, sourcesIn } from '../../support/layer-rules.ts';

/** Anything by which a store could talk to somebody else while a transaction is open. */
const REACHES_OUT =
  /\bfrom '(?:[^']*\/gateway\/[^']*|ky|undici|node:(?:http2?|https|net|tls|dgram))'|\bfetch\(|\bimport\('(?!\.\/)/g;

const reachesOut = (sources: readonly Source[]): string[] =>
  sources.flatMap(({ path, text }) =>
    [...text.matchAll(REACHES_OUT)].map(([found]) => `${path}: ${found}`),
  );

describe('the stores', () => {
  it('call no service: a payment request inside a transaction could be sent and then forgotten', {
    tags: ['F41'],
  }, () => {
    const sources = sourcesIn('src/core/store');
    expect(sources.map(({ path }) => path)).toContain('src/core/store/postgres/commits.ts');
    expect(reachesOut(sources)).toEqual([]);
  });

  it.each([
    `import { provider } from '../gateway/provider.ts';`,
    `import type { Gateway } from '../../gateway/gateway.ts';`,
    `import ky from 'ky';`,
    `import { request } from 'undici';`,
    `import { request } from 'node:https';`,
    'await fetch(url);',
    `await import('../gateway/provider.ts');`,
  ])('would be found out: %s', (text) => {
    expect(reachesOut([{ path: 'a.ts', text }])).toHaveLength(1);
  });
});
