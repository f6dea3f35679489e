import { KeyedLimiter } from '../cluster/limit.ts';
import type { Clock } from '../runtime/clock.ts';

/** Lookups and status questions to the payment service of one person; more would use up what all share. */
export const QUESTION_LIMIT = { most: 30, windowMs: 600_000 } as const;

/** 3 MB at most; only people who may ask are counted, so a shop never comes near. */
const MAX_PEOPLE = 10_000;

/** Keyed by `platform:id`. */
export const questionBudget = (clock: Pick<Clock, 'monotonic'>): KeyedLimiter =>
  new KeyedLimiter(clock, QUESTION_LIMIT, MAX_PEOPLE);
