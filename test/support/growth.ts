const TRIES = 15;
/** By how many times the larger input is larger. */
const FACTOR = 16;
/** What takes no longer has no growth that could be measured. */
const SHORTEST_MS = 0.1;

/** What is about linear stays below this by far, what is quadratic above it. */
export const ABOUT_LINEAR = 6 * FACTOR;

/**
 * How many times as long `work` takes for an input 16 times as large: about 16 where it is linear, 256 where it is
 * quadratic. The quickest of some tries each, so neither the machine's speed nor what else runs on it counts.
 */
export const growth = (work: (size: number) => void, size: number): number => {
  const smallMs = quickestMs(() => work(size));
  return quickestMs(() => work(size * FACTOR)) / Math.max(SHORTEST_MS, smallMs);
};

const quickestMs = (work: () => void): number =>
  Math.min(
    ...Array.from({ length: TRIES }, () => {
      const startedMs = performance.now();
      work();
      return performance.now() - startedMs;
    }),
  );
