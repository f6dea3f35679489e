import { describe, expect, it } from 'vitest';
import { platforms } from '../../src/bots/all-platforms.ts';
import type { ChatPlatform } from '../../src/bots/platform.ts';
import { exampleIds, parsePlatformId } from '../../src/core/values/platform.ts';

const all: readonly ChatPlatform[] = platforms;

describe('the platforms', () => {
  it('have names of their own, and one of them is local', () => {
    expect(new Set(all.map(({ name }) => name)).size).toBe(all.length);
    expect(all.filter(({ isLocal }) => isLocal).map(({ token }) => token)).toEqual([undefined]);
  });

  it('have variables that no other platform has', () => {
    const names = all.flatMap(({ variables }) => Object.keys(variables));
    expect(new Set(names).size).toBe(names.length);
  });

  it.each(all)('$title is turned on and recognised by variables of its own', (platform) => {
    const { token, signs, isLocal } = platform;
    expect(token === undefined).toBe(isLocal === true);
    for (const name of [...signs, ...[token ?? []].flat()])
      expect(Object.keys(platform.variables)).toContain(name);
  });

  it.each(all)('$title has an example of each id that has exactly its form', ({ name, ids }) => {
    for (const { kind, example } of ids) {
      if (example === undefined) continue;
      expect(ids.filter(({ form }) => form.test(example))).toHaveLength(1);
      expect(parsePlatformId(all, `${name}:${example}`)).toEqual({
        platform: name,
        kind,
        id: example,
      });
    }
  });

  it.each(all)('$title needs nothing while nothing of it is set', (platform) => {
    expect(platform.needs(() => false).filter(({ when }) => when)).toEqual([]);
  });
});

describe('an id', () => {
  it.each(['slack:', 'slack:U1\n', ':U1', 'U1', 'Slack:U1', 'other:U1', 'telegram:-0'])(
    'is refused when it has the form of no platform: %j',
    (text) => {
      expect(parsePlatformId(all, text)).toBeUndefined();
    },
  );

  it('has an example on each platform that has such ids', () => {
    expect(exampleIds(all, 'group')).toEqual(['slack:S0614TZR7']);
    expect(exampleIds(all, 'person')).toEqual(['slack:U024BE7LH', 'telegram:123456789']);
  });
});
