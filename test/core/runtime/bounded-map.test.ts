import { expect, it } from 'vitest';
import { BoundedMap } from '../../../src/core/runtime/bounded-map.ts';

it('a full map forgets the key that was set longest ago, and a key set again is the newest', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});

it('a full map keeps its size when a key in it is set again', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('b', 3);
  expect([...map.keys()]).toEqual(['a', 'b']);
});
