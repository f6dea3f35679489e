/**
 * What the database is told of the time, from the time as the program sees it. Null: it goes by its own
 * clock, the only one that all instances share.
 */
export type GivenTime = (nowMs: number) => number | null;

export const databaseTime: GivenTime = () => null;

/** For tests that hold the time in their hand. */
export const timeInHand: GivenTime = (nowMs) => nowMs;
