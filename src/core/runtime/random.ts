import { randomBytes } from 'node:crypto';

/** Chance as the program sees it, for ids and for waits. The simulation has dice of its own, that fall the same way again. */
export interface Random {
  /** From 0 to below 1. */
  fraction(): number;
  bytes(count: number): Uint8Array;
}

export const systemRandom: Random = {
  fraction: () => Math.random(),
  bytes: (count) => randomBytes(count),
};
