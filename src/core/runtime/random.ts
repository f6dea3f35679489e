import { randomBytes } from 'node:crypto';

/** Chance as the program sees it, for ids and for waits. The simulation has dice of its own, that fall the same way again. */
export interface Random {
  /** From 0 to below 1. */
  fraction(): number;
  bytes(count: number): Uint8Array;
}

/** Asked of the system at once: a call for 16 bytes costs 5 µs (Node 24), and every commit wants some. */
const POOL_BYTES = 4_096;
let pool = Buffer.alloc(0);

/** No byte is given twice. */
const pooledBytes = (count: number): Uint8Array => {
  if (count > POOL_BYTES) return randomBytes(count);
  if (pool.length < count) pool = randomBytes(POOL_BYTES);
  const bytes = new Uint8Array(pool.subarray(0, count));
  pool = pool.subarray(count);
  return bytes;
};

export const systemRandom: Random = {
  fraction: () => Math.random(),
  bytes: pooledBytes,
};
