import type { Random } from '../../../src/core/runtime/random.ts';
import type { Dice } from '../storm/dice.ts';

/** Chance for the program under test that falls the same way again with the same seed. */
export const seededRandom = (dice: Dice): Random => ({
  fraction: () => dice.between(0, 1),
  bytes: (count) => Uint8Array.from({ length: count }, () => dice.whole(0, 255)),
});
