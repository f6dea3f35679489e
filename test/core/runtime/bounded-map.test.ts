import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BoundedMap } from '../../../src/core/runtime/bounded-map.ts';

it('a bounded map forgets the entry that was set longest ago, also when it was set a second time', () => {
  const map = new BoundedMap<string, number>(2);
  map.set('a', 1).set('b', 2).set('a', 3).set('c', 4);
  expect([...map]).toEqual([
    ['a', 3],
    ['c', 4],
  ]);
});

it('a bounded map holds the newest entries whatever is set and deleted, in their order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.tuple(fc.nat(6), fc.boolean())),
      (most, steps) => {
        const map = new BoundedMap<number, number>(most);
        let expected: number[] = [];
        for (const [at, [key, isSet]] of steps.entries()) {
          expected = expected.filter((known) => known !== key);
          if (isSet) {
            map.set(key, at);
            expected = [...expected, key].slice(-most);
          } else map.delete(key);
          expect([...map.keys()]).toEqual(expected);
        }
      },
    ),
  );
});
