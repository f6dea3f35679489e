import { appendFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, inject } from 'vitest';

/** So many inputs in one go; between two of them the test's process answers vitest. */
const SLICE = 2_000;

/** An odd number, so that slices of one seed never meet those of the next. */
const SEED_STEP = 1_000_003;

/**
 * Tries a property with `inputs` inputs, or a multiple of them when a long run was asked for, and
 * writes down how many really were tried. A failure names the seed and the smallest input found.
 */
export const check = async <T>(property: fc.IRawProperty<T>, inputs: number): Promise<void> => {
  const { factor, seed, tally } = inject('fuzz');
  const wanted = Math.ceil(inputs * factor);
  let done = 0;
  for (let slice = 0; done < wanted; slice++) {
    done += await trySlice(property, {
      numRuns: Math.min(SLICE, wanted - done),
      seed: (seed + slice * SEED_STEP) | 0,
    });
    await new Promise((resolve) => setImmediate(resolve));
  }
  appendFileSync(tally, `${done} ${expect.getState().currentTestName ?? ''}\n`);
};

const trySlice = async <T>(
  property: fc.IRawProperty<T>,
  parameters: { numRuns: number; seed: number },
): Promise<number> => {
  const details = await fc.check(property, parameters);
  if (details.failed)
    throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
  return details.numRuns;
};
