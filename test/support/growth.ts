/** By how many times the larger input is larger: linear work takes about so many times as long, quadratic work its square. */
const FACTOR = 32;
const MOST_OF_LINEAR = 8 * FACTOR;
/** What takes no longer has no growth that could be measured. */
const SHORTEST_MS = 0.1;
/** Of quick and of disturbed measurements, however slow the machine is and whatever else it does. */
const MOST_ROUNDS = 50;

/** Whether `work` takes about as many times as long as its input is larger. Measured until it shows that it does. */
export const isAboutLinear = (work: (size: number) => void, size: number): boolean => {
  let smallMs = Number.POSITIVE_INFINITY;
  let largeMs = Number.POSITIVE_INFINITY;
  for (let round = 0; round < MOST_ROUNDS; round++) {
    smallMs = Math.min(
      smallMs,
      timeMs(() => work(size)),
    );
    largeMs = Math.min(
      largeMs,
      timeMs(() => work(size * FACTOR)),
    );
    if (largeMs < MOST_OF_LINEAR * Math.max(SHORTEST_MS, smallMs)) return true;
  }
  return false;
};

const timeMs = (work: () => void): number => {
  const startedMs = performance.now();
  work();
  return performance.now() - startedMs;
};
