import { expect, test } from 'vitest';
import { STALE, untilStored } from '../../../src/core/store/until-stored.ts';

test('a change that others overtook twice is decided a third time, and its result is returned', async () => {
  let tries = 0;
  const result = await untilStored('payment P1', async () => {
    tries += 1;
    return tries < 3 ? STALE : `decided ${tries} times`;
  });
  expect(result).toBe('decided 3 times');
});

test('no result is a result: it is not decided again', async () => {
  let tries = 0;
  const result = await untilStored('payment P1', async () => {
    tries += 1;
    return undefined;
  });
  expect([result, tries]).toEqual([undefined, 1]);
});

test('a change that is always overtaken ends with an error that names it', async () => {
  let tries = 0;
  const attempt = async () => {
    tries += 1;
    return STALE;
  };
  await expect(untilStored('payment P1', attempt)).rejects.toThrow(
    'payment P1 was changed by others 20 times in a row',
  );
  expect(tries).toBe(20);
});
